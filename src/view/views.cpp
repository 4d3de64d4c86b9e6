#include "view/common/view.h"

namespace xtrace {

// Each is defined in the file that answers it.
extern const ViewEntry kDagView, kExplainView, kTrustView, kTraceView, kStatsView, kListView,
    kEvalView, kDiffView, kFollowView, kAssessView, kConvertView, kAdviseView, kReportView,
    kImpactView;

std::span<const ViewEntry> views() {
  static const ViewEntry kViews[] = {
      kDagView,    kExplainView, kImpactView, kTrustView, kTraceView,  kStatsView,  kReportView,
      kAdviseView, kListView,    kEvalView,   kDiffView,  kFollowView, kAssessView, kConvertView,
  };
  return kViews;
}

const ViewEntry* find_view(std::string_view name) {
  for (const ViewEntry& entry : views())
    if (entry.name == name) return &entry;
  return nullptr;
}

}  // namespace xtrace
