#pragma once

#include <memory>
#include <string>
#include <vector>

#include "link/replay/changes.h"
#include "view/common/names.h"
#include "view/common/selection.h"
#include "view/common/view.h"

namespace xtrace {

/// How a run would have gone with some changes, or as it went.
struct ReplayResult {
  Duration lower{0}, upper{0};  ///< wall time
  ReplayCost cost;
  ReplayPaths paths;    ///< of the upper bound
  ReplayTimes parts{};  ///< of all these
};

/// A tool, model or agent that is removed, in addition to the changes that were asked for.
struct RemovedTarget {
  ReplayChange change;
  int64_t matched = 0;
  Duration on_path{0};          ///< of all of it, on the critical path
  Duration lower{0}, upper{0};  ///< what that would save
  ReplayCost saved{};
  std::string then{};  ///< what is on the critical path longest then: `tool:Build`
};

/// Everything that an answer to `whatif` is made from.
struct WhatIf {
  Question question;
  Names names;
  Hidden hidden{};
  const Hops* hops = nullptr;  ///< of an answer about spans
  Replay replay{};
  std::vector<BilledStep> billed{};
  ReplayCost unplaced{};  ///< cost that no change reaches
  std::vector<ReplayChange> changes{};
  std::vector<int64_t> matched{};  ///< by change
  ReplayResult before{}, after{};
  std::vector<RemovedTarget> targets{};

  /// Does the log record any time? Else only costs can be replayed.
  bool has_times() const { return replay.undated < static_cast<int64_t>(replay.nodes.size()); }
  /// Does a change separate what nobody knows from the rest?
  bool is_saved_cost_known() const { return before.cost.unpriced == after.cost.unpriced; }

  WhatIf(const Question& asked) : question(asked), names(asked.graph, asked.door) {}
  Text id(const ReplayNode& node) const;
  Text at(const ReplayNode& node) const;
  Text agent(const ReplayNode& node) const;
};

/// How it would have gone.
ReplayResult replay_with(const WhatIf& what, const std::vector<ReplayChange>& changes);
/// Answers for the changes in `what`, and finds what else is worth removing.
void find_answers(WhatIf& what);
/// `tool:Build`
std::string target_words(const ReplayChange& change);

/// The sections of the answer in tables, and in words.
void add_whatif_tables(const std::shared_ptr<const WhatIf>& what, Document& document);
void add_whatif_outline(const WhatIf& what, Document& document);
std::vector<Section> whatif_sections();

}  // namespace xtrace
