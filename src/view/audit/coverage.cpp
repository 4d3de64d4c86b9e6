#include "view/audit/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "view/audit/event_kinds.h"
#include "view/common/field.h"
#include "view/common/names.h"
#include "view/common/preface.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

struct EventRow {
  const EventKind& kind;
  const SeenEvents& seen;
  const Names& names;

  Cell place(const Extent& at) const { return seen.count() == 0 ? Cell() : Cell(names.at(at)); }
};
constexpr Field<EventRow> kEvents[] = {
    {{"kind", "", CellKind::text, true}, [](const EventRow& row) { return Cell(row.kind.kind); }},
    {{"counted", "what the number counts", CellKind::text, true},
     [](const EventRow& row) { return Cell(row.kind.counted); }},
    {{"count", "number recorded, each once", CellKind::integer, true},
     [](const EventRow& row) { return Cell(row.seen.count()); }},
    {{"first", "location of the first", CellKind::text},
     [](const EventRow& row) { return row.place(row.seen.first()); }},
    {{"last", "location of the last", CellKind::text},
     [](const EventRow& row) { return row.place(row.seen.last()); }},
    {{"missing", "if there is none: what is not recorded, and what would record it",
      CellKind::text},
     [](const EventRow& row) { return row.seen.count() > 0 ? Cell() : Cell(row.kind.missing); }},
};

/// Longer pauses are listed: shorter ones are common while a person reads or a test runs.
constexpr std::chrono::minutes kLongestPause{10};

struct Gap {
  Moment from, to;
  Duration length;
  Text before, after;
};
constexpr Field<Gap> kGaps[] = {
    {{"from", "end of the last event before the gap", CellKind::moment, true}, member<&Gap::from>},
    {{"to", "start of the next event", CellKind::moment, true}, member<&Gap::to>},
    {{"gap_ms", "", CellKind::milliseconds, true}, member<&Gap::length>},
    {{"before", "location of the last event before the gap", CellKind::text, true},
     member<&Gap::before>},
    {{"after", "location of the next event", CellKind::text, true}, member<&Gap::after>},
};

/// What happened when, by start.
std::vector<const Activity*> timed_activities(const Graph& graph) {
  std::vector<const Activity*> timed;
  for (const Activity& one : graph.activities().all)
    if (one.start != kNoTime && one.is_recorded() && (one.call || one.hop)) timed.push_back(&one);
  std::stable_sort(timed.begin(), timed.end(),
                   [](const Activity* a, const Activity* b) { return a->start < b->start; });
  return timed;
}

/// Calls `each` with the last event before a long pause, and the first one after it.
template <class Each>
void each_gap(const std::vector<const Activity*>& timed, Each each) {
  const Activity* last = nullptr;  // the one that ended last
  for (const Activity* one : timed) {
    if (last != nullptr && one->start - last->end() > kLongestPause) each(*last, *one);
    if (last == nullptr || last->end() < one->end()) last = one;
  }
}

Table gaps_of(const RecordedEvents& record, const std::vector<const Activity*>& timed,
              const Names& names) {
  Table gaps = table_of<kGaps>("gaps");
  each_gap(timed, [&](const Activity& before, const Activity& after) {
    add_fields(kGaps,
               Gap{{before.end(), 3},
                   {after.start, 3},
                   after.start - before.end(),
                   names.at(record.place(before)),
                   names.at(record.place(after))},
               gaps);
  });
  return gaps;
}

struct Totals {
  Moment first, last;
  int64_t skipped = 0, orphans = 0, unanswered = 0, clock_warnings = 0;
};
constexpr Field<Totals> kTotals[] = {
    {{"span.first", "start of the first event", CellKind::moment},
     [](const Totals& row) { return known(row.first); }},
    {{"span.last", "end of the last event", CellKind::moment},
     [](const Totals& row) { return known(row.last); }},
    {{"skipped", "records that are damaged or of an unknown form", CellKind::integer, true},
     member<&Totals::skipped>},
    {{"orphans", "results of tools whose use is not recorded", CellKind::integer, true},
     member<&Totals::orphans>},
    {{"unanswered", "model calls and tool uses whose outcome is not recorded", CellKind::integer,
      true},
     member<&Totals::unanswered>},
    {{"clock_warnings", "events that start before their cause", CellKind::integer, true},
     member<&Totals::clock_warnings>},
};

Totals totals_of(const Graph& graph, const std::vector<const Activity*>& timed) {
  Totals totals;
  for (const Activity* one : timed) {
    if (totals.first.time == kNoTime) totals.first = {one->start, 3};
    if (totals.last.time == kNoTime || totals.last.time < one->end()) totals.last = {one->end(), 3};
  }
  for (const Source& source : graph.trace().sources)
    totals.skipped += static_cast<int64_t>(source.skipped);
  totals.orphans = static_cast<int64_t>(graph.orphans().size());
  for (const Activity& one : graph.activities().all) {
    const bool asks =
        one.kind == Activity::Kind::model_call || one.kind == Activity::Kind::tool_run;
    totals.unanswered += asks && !one.same_as && one.is_recorded() && !is_known(one.outcome);
  }
  for (const Link& link : graph.links()) totals.clock_warnings += graph.starts_before_cause(link);
  for (const Hop& hop : graph.hops().all)
    totals.clock_warnings += starts_before_cause(graph.hops(), hop);
  return totals;
}

struct ChainRow {
  const HashChain& chain;
  const Graph& graph;
  const Names& names;

  Cell place(const Extent& at) const { return at.line == 0 ? Cell() : Cell(names.at(at)); }
};
constexpr Field<ChainRow> kChains[] = {
    {{"input", "", CellKind::text, true},
     [](const ChainRow& row) {
       return Cell(row.names.text(row.graph.trace().sources[row.chain.source].path));
     }},
    {{"digest", "key of a record's own digest; absent: the digest is that of its line",
      CellKind::text},
     [](const ChainRow& row) { return known(row.names.text(row.chain.digest)); }},
    {{"previous", "key of the digest of the record before", CellKind::text, true},
     [](const ChainRow& row) { return Cell(row.names.text(row.chain.previous)); }},
    {{"records", "records with these keys", CellKind::integer, true},
     [](const ChainRow& row) { return Cell(row.chain.records); }},
    {{"linked", "records that name the digest of the record before them", CellKind::integer, true},
     [](const ChainRow& row) { return Cell(row.chain.linked); }},
    {{"broken_at", "location of the first record that names another digest", CellKind::text},
     [](const ChainRow& row) { return row.place(row.chain.broken); }},
    {{"made_of",
      "what the digests are computed from; absent: unknown, so that only the links were checked",
      CellKind::text},
     [](const ChainRow& row) { return known(Door::own(row.chain.made_of)); }},
    {{"recomputed", "records whose digest was computed again and is equal", CellKind::integer},
     [](const ChainRow& row) {
       return row.chain.made_of.empty() ? Cell() : Cell(row.chain.recomputed);
     }},
    {{"altered_at", "location of the first record whose digest is not equal", CellKind::text},
     [](const ChainRow& row) { return row.place(row.chain.altered); }},
    {{"holds", "true if no record was found changed, removed or put in", CellKind::boolean, true},
     [](const ChainRow& row) { return Cell(row.chain.holds()); }},
};

/// `2 damaged or unknown records skipped, 1 start before its cause`
std::string totals_words(const Totals& totals) {
  const struct {
    int64_t number;
    std::string_view what, rest;
  } all[] = {{totals.skipped, "damaged or unknown record", "skipped"},
             {totals.orphans, "tool result", "without its tool use"},
             {totals.unanswered, "step", "without an outcome"},
             {totals.clock_warnings, "start", "before its cause"}};
  std::string words;
  for (const auto& [number, what, rest] : all)
    if (number > 0)
      words += fmt::format("{}{} {}", words.empty() ? "" : ", ", plural(number, what), rest);
  return words.empty() ? "nothing" : words;
}

}  // namespace

Outline coverage_outline(const Question& question) {
  const Names names(question.graph, question.door);
  Door& door = question.door;
  const RecordedEvents record{question};
  const std::vector<const Activity*> timed = timed_activities(question.graph);
  const Totals totals = totals_of(question.graph, timed);
  Outline page;
  page.head.push_back(
      totals.first.time == kNoTime
          ? Text("No event has a time.")
          : door.composed(fmt::format("The events begin at {} and end at {}.",
                                      format_time(totals.first), format_time(totals.last))));
  page.head.push_back(door.composed("Damaged or incomplete: " + totals_words(totals)));
  page.columns = {{"recorded", false, true}, {"count", true}, {"first"}, {"last"}};
  std::vector<Text> missing;
  for (const EventKind& kind : event_kinds()) {
    SeenEvents seen;
    kind.count(record, seen);
    if (seen.count() == 0)
      missing.push_back(door.say("{}: {}", kind.kind.view(), kind.missing.view()));
    else
      page.lines.push_back({0,
                            Tone::plain,
                            {door.say("{}: {}", kind.kind.view(), kind.counted.view()),
                             seen.count(), names.at(seen.first()), names.at(seen.last())}});
  }
  if (!missing.empty()) page.foot.push_back(Text("Not recorded:"));
  page.foot.insert(page.foot.end(), missing.begin(), missing.end());
  std::vector<Text> pauses;
  each_gap(timed, [&](const Activity& before, const Activity& after) {
    pauses.push_back(door.say("{} between {} and {}", format_span(after.start - before.end()),
                              names.at(record.place(before)).view(),
                              names.at(record.place(after)).view()));
  });
  if (!pauses.empty()) page.foot.push_back(Text("Pauses of more than 10 minutes:"));
  page.foot.insert(page.foot.end(), pauses.begin(), pauses.end());
  return page;
}

Document coverage_of(const Question& question, std::span<const HashChain> chains) {
  const Names names(question.graph, question.door);
  const RecordedEvents record{question};
  Document document("audit");
  add_preface("xtrace.coverage/1", question, names, Hidden(), document, Meanings::always);
  const std::vector<const Activity*> timed = timed_activities(question.graph);
  document.add(record_of<kTotals>({}, totals_of(question.graph, timed)));
  Table events = table_of<kEvents>("events");
  for (const EventKind& kind : event_kinds()) {
    SeenEvents seen;
    kind.count(record, seen);
    add_fields(kEvents, EventRow{kind, seen, names}, events);
  }
  document.add(std::move(events));
  document.add(gaps_of(record, timed, names));
  Table table = table_of<kChains>("hash_chains");
  for (const HashChain& chain : chains)
    add_fields(kChains, ChainRow{chain, question.graph, names}, table);
  document.add(std::move(table));
  return document;
}

}  // namespace xtrace
