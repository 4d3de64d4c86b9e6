#include "view/calls/tree_frame.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "view/calls/costs.h"
#include "view/calls/groups.h"
#include "view/calls/session_uses.h"
#include "view/common/preface.h"
#include "view/common/words.h"

namespace xtrace {

std::vector<Text> head_lines(const CallScene& scene) {
  Door& door = scene.question.door;
  std::vector<CallId> all = scene.selection.shown(scene.timeline().in_order());
  Sum sum = sum_of(scene, all);
  // Names of sessions, settings and the like stand in files of their own.
  const std::vector<Source>& sources = scene.graph.trace().sources;
  std::vector<bool> holds_calls(sources.size());
  for (const Call& call : scene.graph.trace().calls) holds_calls[call.source.file] = true;
  if (std::ranges::find(holds_calls, true) == holds_calls.end()) holds_calls.flip();
  Texts paths;
  for (size_t i = 0; i < sources.size(); ++i)
    if (holds_calls[i]) paths.push_back(door.path(sources[i].path));
  std::string files =
      paths.size() > 3 ? plural(static_cast<int64_t>(paths.size()), "file") : joined(paths, ", ");
  std::string text = fmt::format("{}: {}", files, plural(sum.calls, "call"));
  if (sum.time.start != kNoTime) {
    const Zone& zone = door.zone();
    const std::string day = zone.day(sum.time.start), last = zone.day(sum.time.end);
    text += fmt::format(", {} {} to {}{} {}", day, zone.clock(sum.time.start),
                        last == day ? "" : last + " ", zone.clock(sum.time.end),
                        zone.name(sum.time.end));
  }
  if (sum.errors > 0) text += fmt::format(", {} failed", sum.errors);
  // Also of what is told of agents without being shown.
  if (sum.usage.cost >= 0) text += ", " + cost_words(scene.spending.total());
  return {door.composed(std::move(text))};
}

void yield_quoted(Outline::Line& line, size_t tree, size_t until, size_t least) {
  constexpr std::string_view kOpen = "“", kClose = "”";
  const std::string_view words = std::get<Text>(line.cells[tree]).view().substr(0, until);
  const size_t open = words.find(kOpen), close = words.rfind(kClose);
  if (open == std::string::npos || close == std::string::npos || close < open) return;
  const std::string_view quoted = words.substr(open + kOpen.size(), close - open - kOpen.size());
  line.yields_from = static_cast<uint32_t>(open + kOpen.size() + head(quoted, least).size());
  line.yields_to = static_cast<uint32_t>(close);
}

CallPlaces::CallPlaces(const CallScene& scene) : scene_(scene) {
  const Trace& trace = scene.graph.trace();
  are_lines_ = std::all_of(trace.calls.begin(), trace.calls.end(), [&](const Call& call) {
    return scene.names.has_own_line(call.source) &&
           call.source.file == trace.calls.front().source.file;
  });
}

Outline::Column CallPlaces::column(Text at, Text line) const {
  constexpr uint8_t kSpare = 3;  // what a call cost and why says nothing if nobody finds the call
  if (are_lines_) return {line, true, false, kSpare};
  return {at, false, false, 1, true};
}

Text CallPlaces::of(CallId call) const {
  if (!are_lines_) return scene_.names.shown_at(call);
  return scene_.question.door.say("{}", scene_.graph.trace()[call].source.line);
}

void add_foot(const CallScene& scene, int64_t folded, Outline& outline) {
  Door& door = scene.question.door;
  std::vector<Text>& lines = outline.foot;
  const Metrics& metrics = scene.metrics;
  int64_t guesses = std::count_if(scene.selection.links.begin(), scene.selection.links.end(),
                                  [&](uint32_t i) { return is_guess(scene.links()[i].rule); });
  std::string text = fmt::format(
      "{}, {} read, {} spawned; longest chain {}",
      plural(static_cast<int64_t>(scene.selection.links.size() + scene.selection.adjusted.size()),
             "link"),
      plural(metrics.tool_results, "tool result"), plural(metrics.spawns, "subagent"),
      plural(metrics.depth, "link"));
  if (metrics.path.took() > Duration{0})
    text += fmt::format(", critical path {} in {}{}",
                        plural(metrics.path.steps(scene.graph.trace()), "call"),
                        format_span(metrics.path.took()),
                        scene.selection.hidden.nodes > 0 ? ", including hidden ones" : "");
  lines.push_back(door.composed(std::move(text)));
  if (guesses > 0)
    lines.push_back(
        door.say("{}; --min-confidence 0.99 hides them", plural(guesses, "heuristic link")));
  if (const auto orphans = static_cast<int64_t>(scene.graph.orphans().size()); orphans > 0)
    lines.push_back(door.composed(plural(orphans, "tool result") +
                                  " without the call that requested " +
                                  (orphans == 1 ? "it" : "them")));
  add_hidden(scene.selection.hidden, "call", "link", door, lines);
  // Whoever asks for what failed may mean these too, if not asked for already.
  const bool is_asked_for = std::ranges::any_of(scene.selection.hidden.by, [](const HiddenBy& by) {
    return by.filter == "--status tool_error";
  });
  int64_t tool_errors = 0;
  for (CallId id : scene.timeline().in_order())
    if (!scene.selection.shows(id)) tool_errors += scene.graph.activities().failed_tools_of(id);
  if (tool_errors > 0 && !is_asked_for)
    lines.push_back(door.say("{} in hidden calls; --status tool_error shows {}",
                             plural(tool_errors, "tool error"), tool_errors == 1 ? "it" : "them"));
  if (int64_t over = static_cast<int64_t>(scene.selection.adjusted.size()); over > 0)
    lines.push_back(door.say("{} {} through hidden calls", plural(over, "link"),
                             over == 1 ? "passes" : "pass"));
  if (folded > 0)
    lines.push_back(
        door.say("{} folded into lines marked ⋯; --unfold shows them", plural(folded, "call")));
  outline.legends.push_back({"in", "tokens sent, including cached ones", lines.size()});
  for (const Text& line : {costs_line(scene), session_uses_line(scene)})
    if (!line.empty()) lines.push_back(line);
}

}  // namespace xtrace
