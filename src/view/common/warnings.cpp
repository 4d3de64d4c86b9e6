#include "view/common/warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/dollars.h"
#include "link/activities/asked_tools.h"
#include "link/hops/begun_early.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

constexpr size_t kMostShown = 50;  // of each kind; the numbers are in inputs and metrics

Text code(Complaint::Kind kind) {
  switch (kind) {
    case Complaint::Kind::damaged: return "damaged";
    case Complaint::Kind::unknown_record: return "unknown_record";
    case Complaint::Kind::repaired: return "repaired";
    case Complaint::Kind::parent: return "parent";
    case Complaint::Kind::unfinished: return "unfinished";
    case Complaint::Kind::field: break;
  }
  return "field";
}

/// `2 files skipped (not JSON): notes.txt, photo.png`
Text words_of(const Unread& unread, const Names& names, Door& door) {
  constexpr size_t kNamed = 3;  // enough to see which files are meant
  std::string what = fmt::format(
      "{} skipped ({}): ", plural(static_cast<int64_t>(unread.files), "file"), unread.why);
  size_t named = std::min(unread.paths.size(), kNamed);
  for (size_t i = 0; i < named; ++i)
    what += fmt::format("{}{}", i > 0 ? ", " : "", names.text(unread.paths[i]).view());
  if (unread.files > named) what += fmt::format(" and {} more", unread.files - named);
  return door.composed(std::move(what));
}

void add_part_warnings(const Graph& graph, bool asks_for_texts, Door& door, Warnings& warnings) {
  const Trace& trace = graph.trace();
  if (trace.parts && !trace.parts->missing.empty())
    warnings.add(
        {Text("missing"),
         door.say("{} of the inputs {} missing from the given parts ({} bytes); the output covers "
                  "only the parts that were read",
                  trace.parts->missing.size() == 1
                      ? "a section"
                      : fmt::format("{} sections", trace.parts->missing.size()),
                  trace.parts->missing.size() == 1 ? "is" : "are", trace.parts->bytes_missing),
         {}});
  int64_t read_elsewhere = 0, away = 0;
  for (const Source& source : trace.sources) {
    read_elsewhere += source.from_part ? 1 : 0;
    away += source.from_part && !source.seekable ? 1 : 0;
  }
  if ((asks_for_texts || door.level() == Door::Level::full) && away > 0)
    warnings.add({Text("payload"),
                  door.say("{} of {} files cannot be read, so texts and their "
                           "lengths are missing; parts do not contain them",
                           away, read_elsewhere),
                  {}});
}

/// Nothing where all are.
Text spans_not_shown(const Graph& graph, Covers covers, Door& door) {
  if (covers == Covers::all || graph.hops().runs.empty()) return {};
  if (covers == Covers::calls)
    return Text(
        "the input contains model calls, so spans are not shown; dag --view explanation shows "
        "both");
  const int64_t covered = std::ranges::count(graph.partners().covers_run, true);
  if (covered == 0) return {};
  return door.say(
      "{} of spans {} covered by model calls and not shown again; dag --view "
      "explanation shows both",
      plural(covered, "run"), covered == 1 ? "is" : "are");
}

/// Ids and amounts that contradict each other where both are on record.
void add_contradictions(const Graph& graph, const Names& names, Door& door, Warnings& warnings) {
  const std::vector<Twin>& twins = graph.twins();
  for (size_t i = 0; i < std::min(twins.size(), kMostShown); ++i)
    warnings.add({Text("twin"),
                  door.say("another result for tool use '{}'; both are counted",
                           names.text(twins[i].tool_use).view()),
                  names.at(twins[i].at)});
  const std::vector<MoneyDisagreement>& amounts = graph.activities().ledger.disagreements;
  for (size_t i = 0; i < std::min(amounts.size(), kMostShown); ++i)
    warnings.add({Text("cost"),
                  door.say("the log states {}, but the prices of the same calls add "
                           "up to {}; the stated amount is used",
                           show_dollars({amounts[i].stated}), show_dollars({amounts[i].computed})),
                  names.at(amounts[i].at)});
}

}  // namespace

Text tools_without_spans(const Question& question) {
  if (question.payloads == nullptr) return {};
  const auto count =
      static_cast<int64_t>(find_asked_tools(question.graph, *question.payloads).size());
  if (count == 0) return {};
  return question.door.say("{} in the replies that spans record {} no span and {} not counted",
                           plural(count, "tool use"), count == 1 ? "has" : "have",
                           count == 1 ? "is" : "are");
}

void add_warnings(const Graph& graph, const Names& names, bool asks_for_texts, Door& door,
                  Covers covers, Warnings& warnings) {
  auto add = [&](std::span<const Complaint> complaints) {
    for (const Complaint& complaint : complaints.first(std::min(complaints.size(), kMostShown)))
      warnings.add({code(complaint.kind), door.composed(complaint.what), names.at(complaint.at)});
  };
  add(graph.trace().complaints);
  for (const Unread& unread : graph.trace().unread)
    warnings.add({Text("file"), words_of(unread, names, door), {}});
  add_part_warnings(graph, asks_for_texts, door, warnings);
  add(graph.hops().complaints);
  if (Text hidden = spans_not_shown(graph, covers, door); !hidden.empty())
    warnings.add({Text("field"), hidden, names.at(graph.trace().spans.front().source)});
  size_t shown = 0;
  std::set<std::pair<CallId, CallId>> reported;  // several links may join the same two
  for (const Link& link : graph.links()) {
    if (!graph.starts_before_cause(link) || !reported.emplace(link.from, link.to).second) continue;
    if (++shown > kMostShown) break;
    warnings.add({Text("clock"),
                  Text("starts before the call that, according to its ids, led to it"),
                  names.at(link.to)});
  }
  shown = 0;
  for (const Hop& hop : graph.hops().all) {
    if (!starts_before_cause(graph.hops(), hop)) continue;
    if (++shown > kMostShown) break;
    warnings.add({Text("clock"),
                  is_recorded(hop) ? Text("starts before its parent; their clocks differ")
                                   : Text("starts before its inferred cause; their clocks differ"),
                  names.at(hop.at)});
  }
  const std::vector<HopId> early = find_begun_early(graph.hops());
  for (HopId id : std::span(early).first(std::min(early.size(), kMostShown)))
    warnings.add(
        {Text("clock"),
         Text("starts before any recorded call to its agent; clocks differ, or the call that "
              "led to it is not in the input"),
         names.at(graph.hops()[id].at)});
  shown = 0;
  for (const Orphan& orphan : graph.orphans()) {
    if (++shown > kMostShown) break;
    if (!orphan.tool_use) {
      warnings.add({Text("orphan"),
                    Text("tool result without the id of the tool use that requested it"),
                    names.at(orphan.at)});
      continue;
    }
    std::string what = fmt::format("result of '{}', which no call in the input requested",
                                   names.text(orphan.tool_use).view());
    warnings.add({Text("orphan"), door.composed(std::move(what)), names.at(orphan.at)});
  }
  add_contradictions(graph, names, door, warnings);
}

}  // namespace xtrace
