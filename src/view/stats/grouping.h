#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "link/attribution/attribution.h"
#include "view/calls/unplaced.h"
#include "view/common/view.h"

namespace xtrace {

/// By what `stats --by` and `report --by` add up.
enum class StatsBy : uint8_t {
  nothing,
  task,
  run,
  session,
  day,
  week,
  month,
  block,
  project,
  source,
  model,
  agent,
  tool,
  mcp,
  file,
  skill,
  command,
  hook,
  spawner,
};

/// All that answers need to know of a way to group.
struct StatsByRow {
  std::string_view word;
  /// What people call the row of what belongs to no group.
  std::string_view without = "(unknown)";
  std::optional<AttributedBy> attributed{};  ///< nothing: each call belongs to one group
  bool is_time = false;                      ///< its groups are in the order of their names
  bool is_ranked = true;  ///< the most expensive group first; else in order of time
  bool is_shown = false;  ///< names have passed the Door, or are words of ours
};
const StatsByRow& row_of(StatsBy by);
std::string_view word(StatsBy by);
/// `turn` is `task`: where no task is named, each turn is one. StatsBy::nothing: it is no such
/// word.
StatsBy stats_by(std::string_view word);
/// What `--by` takes.
std::vector<std::string_view> stats_by_words();

/// The day of a moment in the answer's zone, its week (`2026-W14`, as ISO 8601 counts them) or its
/// month (`2026-03`).
std::string period_of(Time time, StatsBy by, const Zone& zone);

/// When the five-hour blocks of a graph begin, for which subscriptions limit usage: with the hour
/// of the first call after the end of the block before.
std::vector<Time> block_starts(const Graph& graph);

/// Names the group that something belongs to; empty: none.
class Grouping {
 public:
  Grouping(const Question& question, const Names& names, StatsBy by);

  StatsBy by() const { return by_; }
  /// A call may belong to several groups, each with a part of it; nullptr: it does not.
  const Attribution* attribution() const { return attribution_ ? &*attribution_ : nullptr; }
  std::string name_of(CallId id) const;
  std::string name_of(HopId id) const;
  std::string name_of(const UnplacedUsage& usage) const;

 private:
  class Tasks;
  std::string of_session(const Session& session) const;
  std::string of_time(Time time) const;

  const Question& question_;
  const Graph& graph_;
  const Trace& trace_;
  const Names& names_;
  StatsBy by_;
  std::shared_ptr<const Tasks> tasks_;
  std::vector<Time> blocks_;
  std::optional<Attribution> attribution_;
};

}  // namespace xtrace
