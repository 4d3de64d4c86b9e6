#pragma once

#include <algorithm>
#include <deque>
#include <span>
#include <string_view>
#include <vector>

#include "facts/error_class.h"
#include "prices/price.h"
#include "view/calls/call_fields.h"
#include "view/calls/unplaced.h"
#include "view/hops/hop_scene.h"
#include "view/stats/call_account.h"
#include "view/stats/grouping.h"

namespace xtrace {

/// What statistics count of an activity: a model call, the use of a tool, the run of an agent.
struct Work {
  using Kind = Activity::Kind;
  static constexpr uint32_t kNoGroup = UINT32_MAX;
  const Activity* done = nullptr;  ///< of the graph, which outlives it, or of WorkLog::usages
  Kind kind = Kind::other;         ///< `other` also if another one that is shown represents it
  std::string_view operation;      ///< `other` as its own span states it
  uint32_t group = kNoGroup;       ///< index into WorkLog::groups
  /// How it was attributed to its group, where calls are (Grouping::attribution()).
  Rule rule = Rule::stamp;
  double confidence = 1;
  bool through_subagent = false;
  CallSum sum;  ///< of it alone; for spans with the retries that spans below it record; usage is of
                ///< model calls only
  /// Usage that no call accounts for (UnplacedUsage), and no call; but in an answer about calls of
  /// as many as its sum has, which only spans record.
  bool is_unplaced = false;
  int64_t context_limit = kNoCount;  ///< of its model's window, as recorded
  bool is_critical = false;          ///< on the critical path
  Duration on_path{0};               ///< how long, of itself
  Duration slack = kNoDuration;      ///< how much longer it could have taken, see slack(), HopPath
  bool is_leaf = true;               ///< of spans: nothing is below it
  /// As what it failed: for spans that are attempts at something, as that.
  Kind failed_as = Kind::other;
  bool is_same_failure = false;  ///< another span that is shown records the same failure

  bool failed() const { return done->outcome == Outcome::error; }
  /// If it failed.
  ErrorClass error_class() const;
};

/// An agent from its start to its last answer; of spans, each time that it runs.
struct AgentLife {
  std::string_view type;
  Duration lived = kNoDuration;  ///< kNoDuration: only its calls and tools are on record
  bool is_spawned = false;       ///< a tool use, or another agent, started it
  bool is_unrecorded = false;    ///< known only from a report: its calls are in no sum
  uint32_t group = Work::kNoGroup;
  Usage lacking{};  ///< what is missing from sums for that reason
  /// Counts as an agent: of spans, once for each name in each run. One that runs again is the same.
  bool is_instance = true;
};

/// The chain of work that took longest.
struct CriticalPath {
  int64_t steps = 0;  ///< 0: none is known
  bool is_of_spans = false;
  Duration took{0};
};

/// Everything that statistics are made of.
struct WorkLog {
  struct Group {
    std::string name;
    Time start = kNoTime;
  };
  std::vector<Work> works;  ///< in order of time
  /// Where calls may belong to several groups, the same with a part of each for each of its groups.
  std::vector<Work> divided;
  std::vector<AgentLife> lives;
  std::vector<Group> groups;
  std::deque<Activity> usages;  ///< one for each Work without a call
  CriticalPath path;
  int64_t sessions = 0;  ///< of model calls
  int64_t runs = 0;      ///< of spans

  /// Instances of agents; of spans, those that each run names.
  int64_t agents() const { return std::ranges::count_if(lives, &AgentLife::is_instance); }
};

/// The model calls of a question that are shown.
struct ShownWork {
  const CallScene& scene;
  const CallAccount& account;
  const Selection& recorded_or_reported;  ///< also agents that only a report mentions
};

/// Of the model calls and the spans that are shown; either may be missing. A tool that a call asked
/// for takes from the end of the answer that asks for it to the request that brings its result. A
/// hop that was seen on both sides is one. `unplaced`: usage of both that no call accounts for.
WorkLog work_of(const Question& question, const ShownWork* calls, const HopScene* spans,
                std::span<const UnplacedRow> unplaced, const Grouping& grouping);

}  // namespace xtrace
