#include "view/common/view.h"

namespace xtrace {

// Each is defined in the file that answers it.
extern const ViewEntry kDagView, kExplainView, kImpactView, kTrustView, kTaintView, kBlameView,
    kTraceView, kStatsView, kWhatIfView, kReportView, kAdviseView, kListView, kEvalView, kDiffView,
    kFollowView, kAssessView, kConvertView;

std::span<const ViewEntry> views() {
  static const ViewEntry kViews[] = {
      kDagView,   kExplainView, kImpactView, kTrustView,  kTaintView,   kBlameView,
      kTraceView, kStatsView,   kWhatIfView, kReportView, kAdviseView,  kListView,
      kEvalView,  kDiffView,    kFollowView, kAssessView, kConvertView,
  };
  return kViews;
}

const ViewEntry* find_view(std::string_view name) {
  for (const ViewEntry& entry : views())
    if (entry.name == name) return &entry;
  return nullptr;
}

}  // namespace xtrace
