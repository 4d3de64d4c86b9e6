#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/zone.h"
#include "link/story/story.h"
#include "view/common/selection.h"
#include "view/common/wanted.h"
#include "view/story/story_options.h"

namespace xtrace {

/// What filters ask of a step beside its time and cost; empty: it has none.
struct FilteredStep {
  std::string_view agent, task, session, own_status;
  TaskStep::Type type = TaskStep::Type::other;
  StepStatus status = StepStatus::ok;
};

/// What a story has names for.
struct StoryNameSets {
  std::set<std::string> agents, runs;
  void add(const FilteredStep& step);
};

/// The filter with the names that are meant in place of the words that were typed. Exit::no where
/// nothing has a name that is asked for; of a story that goes on (`is_live`) it may come.
/// `part_names`: parts of names.
Result<StoryFilter> find_meant(StoryFilter filter, const StoryNameSets& names, bool is_live,
                               std::vector<PartOfNames>& part_names);
/// Does it bear the names that find_meant() found, and is it of the types?
bool fits(const StoryFilter& meant, const FilteredStep& step);

/// When steps that a filter chooses began, and what they cost.
struct StoryBounds {
  Period period;
  int64_t min_cost = kNoCount;
  bool hold(const StoryNode& node) const {
    return period.holds(node.start) && node.cost >= min_cost;
  }
};
/// Of these nodes. Exit::usage: they cannot be read.
Result<StoryBounds> read_bounds(const StoryFilter& filter, std::span<const StoryNode> nodes,
                                const Zone& zone);

/// Which nodes of a story the filters and the focus choose. Exit::no as find_meant() says.
Result<std::vector<bool>> choose(const Graph& graph, const Story& story,
                                 const StoryOptions& options, std::vector<PartOfNames>& part_names,
                                 const Zone& zone);

/// The story of these nodes alone. Where one led to another over some that are not kept, an edge
/// says so and how many they are; so what was reached from where stays as it was. Less sure edges
/// than `min_confidence` are left out.
Story keep(const Story& story, const std::vector<bool>& kept, double min_confidence,
           Hidden& hidden);

}  // namespace xtrace
