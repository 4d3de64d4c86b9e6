#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "settings/annotation.h"
#include "view/common/filter.h"

namespace xtrace {

/// What of a story somebody wants to see, as it was typed, or as a SubscriptionRequest has it.
struct StoryFilter {
  std::vector<std::string> runs, agents, types, statuses;  ///< a run is a task, run or session
  std::string min_cost, since, until;
  double min_confidence = 0;

  bool any() const {
    return !runs.empty() || !agents.empty() || !types.empty() || !statuses.empty() ||
           !min_cost.empty() || !since.empty() || !until.empty() || min_confidence > 0;
  }
};

/// What the filters of all views ask of a story; Exit::usage for those that no story knows.
Result<StoryFilter> story_filter_of(const Filter& filter);

/// When steps fold into one. The comment next to each names the key that configures it
/// (settings/config.cpp).
struct StoryLimits {
  int64_t depth = 5;             ///< deeper steps fold; maxCoTDepth
  Duration latency{50'000'000};  ///< what is faster may fold; pruneLatencyThresholdMs
  int64_t cost = 100'000;        ///< and cheaper, in billionths of a dollar; minCostUsdDetail
  int64_t nodes = 500;           ///< of a task; the oldest ones fold; maxNodesPerTask
  /// What ended so long before the newest step folds; kNoDuration: nothing does. nodeTTLMinutes
  Duration age = kNoDuration;
};

/// All options of how a story is shown.
struct StoryOptions {
  StoryFilter filter;
  std::vector<std::string> expand;  ///< ids of summaries, or `all`
  std::string focus;                ///< errors, cost, or a part of a name; empty: everything
  std::string show;                 ///< raw or summary, the default
  std::string max_depth, fold_latency, fold_cost, max_nodes, node_ttl;  ///< empty: StoryLimits
  std::vector<std::string> annotation_files;
  std::vector<Annotation> annotations;  ///< their contents
  bool hints = false;                   ///< label, colour, tooltip, size
  bool is_live = false;                 ///< the input goes on: what a filter names may still come

  /// The first of the options that say something of a story and of no other graph; empty: none.
  static std::string_view only_of_stories(const std::vector<std::string>& given);

  /// Notes of people beside it.
  void declare_annotations(Options& options);
  Status read_annotation_files();
  /// How it is folded and what of it is in focus.
  void declare(Options& options);
  /// Those of the filters that other views have no words for.
  void declare_types(Options& options);
  /// The same with the others, for views that have no Filter beside it.
  void declare_filters(Options& options);
  /// Exit::usage names the option that cannot be read.
  Result<StoryLimits> limits() const;
};

}  // namespace xtrace
