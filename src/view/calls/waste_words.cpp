#include "view/calls/waste_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/count.h"
#include "view/calls/advice.h"
#include "view/calls/tree_frame.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

constexpr size_t kMostTools = 8;  // in a line; --paste and -f json name all of them

/// Of a finding, or of the sum of several.
template <class Wasted>
Dollars cost_of(const Wasted& wasted) {
  return {wasted.cost, wasted.is_estimated ? Dollars::Bound::estimated : Dollars::Bound::exact};
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
  const Text command = command_words(scene, waste);
  return scene.question.door.composed(title_words(scene, waste) + (command.empty() ? "" : ": ") +
                                      std::string(command.view()));
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
    auto add = [&](std::string_view label, Text text) {
      if (!text.empty())
        outline.lines.push_back({1, Tone::quiet, {door.say("{}{}", label, text.view())}, true});
    };
    add("", Door::own(advice_for(waste).words));
    add("already tried: ", tried_words(scene, waste));
    add("for CLAUDE.md or AGENTS.md: ", instruction_for(scene, waste));
    add("setting: ", setting_for(scene, waste, kMostTools));
  }
  return outline;
}

}  // namespace xtrace
