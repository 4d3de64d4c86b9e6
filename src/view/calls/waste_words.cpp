#include "view/calls/waste_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/count.h"
#include "view/calls/tree_frame.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

/// Of a finding, or of the sum of several.
template <class Wasted>
Dollars cost_of(const Wasted& wasted) {
  return {wasted.cost, wasted.is_estimated ? Dollars::Bound::estimated : Dollars::Bound::exact};
}

std::string_view advice_on_pause(const Waste& waste) {
  const bool hour = waste.hour_would_do;
  switch (waste.pause_for) {
    case PauseFor::work:
      return hour ? "The cache expired while a tool or subagent worked: use a one-hour cache, or "
                    "run long work in the background."
                  : "The cache expired while a tool or subagent worked: run long work in the "
                    "background, or give it a separate context.";
    case PauseFor::answer:
      return hour ? "The cache expired while the model wrote a long reply: use a one-hour cache, "
                    "or ask for less at a time."
                  : "The cache expired while the model wrote a long reply: ask for less at a time.";
    case PauseFor::person:
      if (hour)
        return "The cache expired while the agent waited for you: use a one-hour cache, or start a "
               "new session after such a pause.";
      break;
    case PauseFor::unknown:
      if (hour) return "The cache expired during the pause: use a one-hour cache.";
      break;
  }
  return "The cache expired during the pause: compact before a long pause, or start a new session "
         "after it.";
}

std::string_view advice_on_rebuild(const Waste& waste) {
  switch (waste.cause) {
    case RebuildCause::model_switch:
      return "Each model has its own cache: switch models at the start of a task, or in a new "
             "session.";
    case RebuildCause::pause: return advice_on_pause(waste);
    case RebuildCause::micro_compaction:
      return "The client dropped old tool results, so everything after them was paid for again: "
             "ask for shorter results, or compact between tasks.";
    case RebuildCause::changed_history:
      return "Earlier messages were changed: append to a conversation without editing what it "
             "already contains.";
    case RebuildCause::changed_prompt:
      return "The system prompt changed: keep times, counters and similar values out of it.";
    case RebuildCause::changed_tools:
      return "The tools changed: offer the same tools in each request, in the same order.";
    case RebuildCause::resume:
      return "Resuming the session sent its history again: stay in the open session, or start a "
             "new one with a summary.";
    case RebuildCause::compaction:  // in vain it is not
    case RebuildCause::unknown: break;
  }
  return "The cause is not recorded: keep the beginning of requests identical, byte for byte, and "
         "send requests close together.";
}

std::string cause_words(RebuildCause cause) {
  std::string text(cause == RebuildCause::unknown ? "no known cause" : word(cause));
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

/// `Read …/src/a.cpp`, as far as it is known.
std::string tool_words(const CallScene& scene, const Waste& waste) {
  const Text tool = scene.names.text(waste.tool);
  std::string words(tool.empty() ? "unknown tool" : tool.view());
  if (waste.target)
    words += ' ' + short_target(scene.names.text(scene.graph.trace()[waste.target]).view());
  return words;
}

std::string agent_words(const CallScene& scene, CallId call) {
  return std::string(scene.names.agent(scene.graph.agent_of(call)).view());
}

std::string title_words(const CallScene& scene, const Waste& waste) {
  switch (waste.kind) {
    case WasteKind::loop:
      if (waste.is_polling) return "polling with " + tool_words(scene, waste);
      return waste.period == 1 ? "loop of " + tool_words(scene, waste)
                               : fmt::format("loop of {} steps starting with {}", waste.period,
                                             tool_words(scene, waste));
    case WasteKind::failing_retry: return "failed again: " + tool_words(scene, waste);
    case WasteKind::reread: return "read again: " + tool_words(scene, waste);
    case WasteKind::repeated_call:
      return (waste.is_polling ? "polled again: " : "repeated: ") + tool_words(scene, waste);
    case WasteKind::redone_work:
      return fmt::format("{} repeated work of {}", agent_words(scene, waste.at()),
                         agent_words(scene, waste.other));
    case WasteKind::unused_result: return "result never used: " + tool_words(scene, waste);
    case WasteKind::cache_rebuild: return "cache rebuilt: " + cause_words(waste.cause);
    case WasteKind::full_context:
      return fmt::format("context {:.0f}% full in {}", waste.share * 100,
                         agent_words(scene, waste.at()));
    case WasteKind::unused_tools: break;
  }
  return plural(static_cast<int64_t>(waste.tools.size()), "tool") + " offered and never used";
}

}  // namespace

Text waste_title(const CallScene& scene, const Waste& waste) {
  return scene.question.door.composed(title_words(scene, waste));
}

std::string_view advice_for(const Waste& waste) {
  switch (waste.kind) {
    case WasteKind::loop:
      return waste.is_polling
                 ? "The agent polled repeatedly: wait once until the operation ends, or sleep "
                   "longer between checks."
                 : "Each round gave the same result: after the second one, try something else or "
                   "ask the user.";
    case WasteKind::failing_retry:
      if (waste.is_reworded)
        return "The tool failed for the same reason as before: read the error, do what it asks "
               "for, then retry.";
      return "Nothing had changed since the tool failed: read the error, change something, then "
             "retry.";
    case WasteKind::reread:
      return "The file had not changed and was still in the context: use the earlier result.";
    case WasteKind::repeated_call:
      return waste.is_polling ? "Nothing had changed since the last check: wait once until the "
                                "operation ends, or sleep longer between checks."
             : waste.confidence < 0.5
                 ? "The tool returned the same result again: unless it has side effects, use the "
                   "result that is already in the context."
                 : "Nothing had changed since the first call: use the result that is already in "
                   "the context.";
    case WasteKind::redone_work:
      return waste.is_parallel
                 ? "The subagents worked at the same time on overlapping tasks: give each of them "
                   "a separate part, or look up shared information before they start."
                 : "The tasks of these subagents overlapped: give each of them a separate part, or "
                   "pass the results of the first one to the second.";
    case WasteKind::unused_result:
      return "Nothing in the result was used later: ask for less, with a range, a filter or a "
             "limit.";
    case WasteKind::cache_rebuild: return advice_on_rebuild(waste);
    case WasteKind::full_context:
      return "Each call pays for the whole context, and little room is left: compact, or start a "
             "new session for the next task.";
    case WasteKind::unused_tools: break;
  }
  return "Each request contained the descriptions of these tools: disable servers and tools that "
         "the task does not need.";
}

std::string waste_sum_words(std::span<const Waste> found) {
  const WasteSum sum = sum_of(found);
  std::string words = plural(static_cast<int64_t>(found.size()), "finding");
  const std::string cost = sum.cost < 0 ? "" : show_dollars(cost_of(sum));
  const std::string time = sum.time == kNoDuration ? "" : format_span(sum.time);
  if (cost.empty() && time.empty()) return words;
  return fmt::format("{}: {}{}{} could have been saved", words, cost,
                     cost.empty() || time.empty() ? "" : " and ", time);
}

Outline waste_outline(const CallScene& scene, std::span<const Waste> found, size_t most,
                      bool with_advice) {
  Door& door = scene.question.door;
  const CallPlaces places(scene);
  Outline outline;
  outline.columns = {{with_advice ? Text("finding") : Text("savings"), false, true},
                     {"times", true, false, 3},
                     {"tokens", true, false, 2},
                     {"cost", Role::cost},
                     {"time", true, false, 4},
                     {"confidence", true, false, 5},
                     places.column()};
  for (const Waste& waste : found.first(std::min(most, found.size()))) {
    const std::string tokens =
        waste.tokens < 0 ? "" : (waste.is_estimated ? "~" : "") + show_count(waste.tokens);
    outline.lines.push_back({0,
                             Tone::plain,
                             {waste_title(scene, waste), waste.times, known(door.composed(tokens)),
                              waste.cost < 0 ? Cell() : cost_of(waste), known(waste.time),
                              door.say("{:.0f}%", waste.confidence * 100), places.of(waste.at())}});
    if (!with_advice) continue;
    outline.lines.push_back({1, Tone::quiet, {Door::own(advice_for(waste))}, true});
  }
  return outline;
}

}  // namespace xtrace
