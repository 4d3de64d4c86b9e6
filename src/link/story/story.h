#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/string_pool.h"
#include "base/time.h"
#include "facts/trace.h"
#include "link/activities/activity.h"
#include "link/story/task_order.h"

namespace xtrace {

/// How a step ended, in the words of ExplanationGraph (facts/task_step.h).
enum class StepStatus : uint8_t { ok, error, warning, skipped };
inline constexpr std::string_view kStepStatusWords[] = {"OK", "ERROR", "WARNING", "SKIPPED"};
constexpr std::string_view word(StepStatus status) {
  return kStepStatusWords[static_cast<size_t>(status)];
}

inline constexpr std::string_view kStepTypeWords[] = {
    "LLM_CALL",         "STATIC_ANALYSIS", "TEST_RUN", "MODEL_SWITCH",
    "REFLEXION_ACTION", "USER_QUERY",      "OTHER"};
constexpr std::string_view word(TaskStep::Type type) {
  return kStepTypeWords[static_cast<size_t>(type)];
}

/// A call, a span, an event, or what a user said; a call and the span that observed it are one. Its
/// tokens and cost are what counts at it (Activities::counted_at()), so that steps add up.
struct StoryNode : TokensAndCost {
  static constexpr uint32_t kNone = UINT32_MAX;
  /// What happened, of a call with its span the call; nullptr: nothing, a user said something. The
  /// graph outlives it.
  const Activity* done = nullptr;
  CallId call;                 ///< of what a user said: the call that it led to
  HopId hop = {};              ///< beside a call: the span that observed it
  bool lacks_partner = false;  ///< another log should record it as well, and none does
  TaskStep::Type type = TaskStep::Type::other;
  /// Of both its records, of checks that its log names (TaskStep::status) and of its tools.
  StepStatus status = StepStatus::ok;
  std::string_view own_status = {};  ///< its own word, where it is not one of the four
  Time start = kNoTime;              ///< that of its span, where the log of a call tells none
  Duration latency = kNoDuration;    ///< as its span measured it: the log of a call only notes it
  double cost_spike = 0;  ///< how many times the median of its task, if it stands out; infinite:
                          ///< most others are free
  /// In Story::words: not Activity::agent, as components and those who log for others have a name
  /// here, too.
  StringId agent = {};
  StringId task = {};      ///< in Story::words: its own, or that of what it is nested in
  uint32_t above = kNone;  ///< what it is nested in: not what came before, what is around
  uint32_t first_measured = 0, measured = 0;  ///< in Story::measured
  uint32_t part = 0;  ///< what nothing joins is in different ones; its first node

  bool is_query() const { return done == nullptr; }
  Time end() const { return after(start, latency); }
};

/// Two nodes, the first of which led to the second.
struct StoryEdge : Edge<uint32_t> {
  Relation relation = Relation::next_step;
  double confidence = 1;
  StringId key;         ///< the identifier both ends share, in the trace's strings
  uint32_t hidden = 0;  ///< how many nodes on the way are not shown
  std::vector<Rival<uint32_t>> rivals = {};  ///< other nodes that may have led to the second
};

/// Everything that was given, in whatever form, as one story: what happened, and what led to what.
struct Story {
  /// Stories of one origin share them.
  std::shared_ptr<StringPool> words = std::make_shared<StringPool>();
  std::vector<StoryNode> nodes;  ///< by start
  std::vector<StoryEdge> edges;  ///< by from, then by to; one for a pair at most
  std::vector<Remark> measured;  ///< what metrics say of the nodes, in their order
  /// By node, where tasks go on elsewhere (Elsewhere): whoever knows all their steps orders them.
  std::vector<TaskPlace> places;

  std::string_view agent(const StoryNode& node) const { return (*words)[node.agent]; }
  std::string_view task(const StoryNode& node) const { return (*words)[node.task]; }
};

/// Of a graph that is whole; Graph::story() has it.
Story tell_story(const Graph& graph);

/// Fills StoryNode::part.
void find_parts(Story& story);

/// Is the input a story without anybody saying so? It is where several kinds of records stand
/// together (model calls, spans, events), and where the input is a stored graph.
bool reads_as_story(const Trace& trace);

/// The id of its call or span; before that of the call that a user's words led to, `query-`.
std::string name_of(const Graph& graph, const StoryNode& node);
/// Where it is.
const Extent& place_of(const Graph& graph, const StoryNode& node);
/// When it began, as precisely as its record says.
Moment start_of(const Graph& graph, const StoryNode& node);
/// The span that it is, or that observed the call; an empty one: none did.
const Span& span_of(const Graph& graph, const StoryNode& node);
/// What its span records about it as a step, or else its call; an empty one: neither does.
const TaskStep& task_step_of(const Graph& graph, const StoryNode& node);

}  // namespace xtrace
