#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/time.h"
#include "link/activities/critical_path.h"
#include "link/activities/hop_path.h"
#include "link/graph/graph.h"

namespace xtrace {

/// The parts that the critical path of a replay consists of.
enum class ReplayPart : uint8_t {
  person,       ///< a user was waited for: nothing went on until they said something
  permission,   ///< a tool waited for their approval
  model,        ///< a model was at work
  tool,         ///< a tool was at work
  background,   ///< nothing went on until something in the background had ended
  retry_wait,   ///< until a call that had failed was tried again
  failed,       ///< a model call that failed
  interrupted,  ///< a model call that the user stopped
  handover,     ///< to a subagent, or from its last reply to the call that read its report
  other,        ///< spans that are no model call and no tool
  unexplained,  ///< between these, and no record says why
};
inline constexpr std::string_view kReplayPartWords[] = {
    "person", "permission",  "model",    "tool",  "background", "retry_wait",
    "failed", "interrupted", "handover", "other", "unexplained"};
inline constexpr size_t kReplayParts = std::size(kReplayPartWords);
constexpr std::string_view word(ReplayPart part) {
  return kReplayPartWords[static_cast<size_t>(part)];
}
using ReplayTimes = std::array<Duration, kReplayParts>;

/// Something that takes time, and that a change can name.
struct ReplayStep {
  enum class Kind : uint8_t { work, wait, tool_use, agent };
  static constexpr uint32_t kNone = UINT32_MAX;

  Kind kind = Kind::work;
  PathPart part = PathPart::unexplained;
  bool is_handover = false;     ///< to a subagent, or from it to the call that reads its report
  bool is_failed = false;       ///< a model call that failed
  bool is_interrupted = false;  ///< as the user stopped it
  bool is_retried = false;      ///< and was tried again
  CallId call{};  ///< itself, the one that asks for the tool, or that is waited before
  HopId hop{};    ///< the same of spans
  const ToolUse* use = nullptr;
  std::string_view model{}, tool{};  ///< as the log has them
  uint32_t agent = kNone;            ///< index into Replay::agents: whose it is
  uint32_t within = kNone;  ///< the step without which it would not have happened; precedes it
  Duration total{0};        ///< of all that it takes in the replay
};

/// When something may begin: never before `from`, with what takes time since then.
struct ReplayArc {
  enum class Kind : uint8_t {
    plain,
    /// A tool that was asked for together with others, of which only the last arrival is on record:
    /// it took between nothing and `length`.
    unknown,
    report,  ///< a subagent's last reply
    serial,  ///< the target was started when the source had ended, but could have been before
    /// The target may have waited for the source, or the source for what went on beside it.
    loose,
  };
  uint32_t from = 0;
  Kind kind = Kind::plain;
  uint32_t step = ReplayStep::kNone;
  Duration length{0};
  /// Of a wait for a person, a moment until which tools were at work as well, which count as such.
  uint32_t beside = ReplayStep::kNone;
};

/// Something begins or ends.
struct ReplayMoment {
  Time at = kNoTime;  ///< as recorded
  uint32_t run = 0;
  uint32_t first_arc = 0, arcs = 0;
  uint32_t lag_step = ReplayStep::kNone;
  Duration lag{0};                    ///< own wait, after all that it had to wait for
  uint32_t node = ReplayStep::kNone;  ///< index into Replay::nodes, of its start and its end
  bool is_end = false;                ///< of the node
};

/// A call or a span.
struct ReplayNode {
  CallId call{};
  HopId hop{};
  uint32_t start = 0, end = 0;  ///< moments
  uint32_t step = ReplayStep::kNone;
  bool is_timed = true;  ///< its length is on record
};

/// The part of a critical path that a step is.
ReplayPart part_of(const ReplayStep& step);

struct ReplayAgent {
  std::string type, name;  ///< `Explore`, `Explore#2`
};

/// The runs of an input as moments that wait for one another, so that each can be moved. The time
/// of a moment is the latest of its arcs plus its own lag; without a change that is the recorded
/// time, to the nanosecond.
///
///     ├─ call ─┤── tool ──┐
///              └─ lag ├─ subagent ─┤ lag ├─ call ─┤
struct Replay {
  std::vector<ReplayMoment> moments;  ///< causes first
  std::vector<ReplayArc> arcs;        ///< by target
  std::vector<ReplayStep> steps;
  std::vector<ReplayNode> nodes;
  std::vector<ReplayAgent> agents;
  size_t runs = 0;  ///< sessions, or runs of spans, that share no time
  /// By run, the moment at which all of it had ended; empty: the last end of a node is.
  std::vector<uint32_t> run_ends;
  int64_t unknown_groups = 0;  ///< of tools asked for at once, each of unknown length
  int64_t unanswered = 0;      ///< tool uses of which no result is on record
  int64_t undated = 0;         ///< calls without a time
  int64_t beside = 0;    ///< spans of which nobody knows whether they waited for others at the time
  int64_t unlinked = 0;  ///< calls that follow what ended last before them, for want of a link
};

/// What a change does to a step.
struct ReplayEffect {
  bool is_removed = false;
  double factor = 1;             ///< by which it is divided
  Duration fixed = kNoDuration;  ///< that it takes instead
  Duration of(Duration length, Duration total) const;
};

struct ReplayEffects {
  std::vector<ReplayEffect> of_step;  ///< empty: none
  bool is_parallel = false;           ///< serial arcs are ignored
};

/// How unknown lengths are chosen: so that it all ends as early as possible, or as late.
enum class ReplayBound : uint8_t { lower, upper };

/// By moment, when it would be.
std::vector<Time> play(const Replay& replay, const ReplayEffects& effects, ReplayBound bound);

/// From the first start to the last end of each run, added up.
Duration wall_time(const Replay& replay, const std::vector<Time>& times);

/// The steps that decided how long a run took: back from its last end, along what ended last. Its
/// parts add up to the wall time.
struct ReplayPath {
  ReplayTimes times{};
  std::array<Duration, kPathParts> parts{};            ///< the same as CallPath has them
  std::vector<uint32_t> nodes;                         ///< in order of time
  std::vector<std::pair<uint32_t, Duration>> on_path;  ///< steps and how long each is on it
  /// Indexes into `on_path`, each with another step that may have taken that time; by index.
  std::vector<std::pair<size_t, uint32_t>> or_else;
};
struct ReplayPaths {
  std::vector<ReplayPath> of_run;
  std::vector<bool> has_node;  ///< by node
};
ReplayPaths find_paths(const Replay& replay, const ReplayEffects& effects,
                       const std::vector<Time>& times);

/// When each moment was, as recorded.
std::vector<Time> recorded_times(const Replay& replay);

/// By node: how much later it could have ended without moving the end of its run.
std::vector<Duration> find_slack(const Replay& replay);

/// Of the calls that are shown.
Replay replay_calls(const Graph& graph, const ShownCalls& shown);
/// Of the spans that are shown: each starts after all that ended before it within the same parent.
Replay replay_hops(const Graph& graph, const Hops& hops, const ShownHops& shown);

/// What follows within so long of the end of another began when that had ended: clients start the
/// next of several subagents or tools at once.
inline constexpr Duration kSerialGap = std::chrono::seconds{1};

}  // namespace xtrace
