#include "view/query/trace_fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "view/common/shown_arguments.h"
#include "view/common/shown_targets.h"

namespace xtrace {

namespace {

struct StepRow {
  const TraceScene& scene;
  const Step& step;
  size_t at;

  const StepRecord& record() const { return step.record; }
  Text text(const std::string& name) const { return scene.text(name); }
  Cell name(std::string_view called) const { return known(scene.names.text(called)); }
  bool is_withheld() const { return scene.withholds(step.record.sensitivity); }
  Cell payload(std::string_view name, const std::string& said) const {
    return is_withheld() ? Cell() : known(scene.question.door.field(name, scene.shown_text(said)));
  }
};
using Row = const StepRow&;

struct EvidenceRow {
  const TraceScene& scene;
  const EvidenceRef& ref;
  bool is_withheld;

  Cell name(const std::string& text) const {
    return is_withheld ? Cell() : known(scene.text(text));
  }
};
using Evidence = const EvidenceRow&;

constexpr Field<EvidenceRow> kEvidence[] = {
    {{"type", "document, av, tool_result, …", CellKind::text},
     [](Evidence e) -> Cell { return known(e.scene.text(e.ref.type)); }},
    {{"id", "the mark that stands for it in the answer, or the tool use that brought it",
      CellKind::text},
     [](Evidence e) { return e.name(e.ref.id); }},
    {{"doc_id", "", CellKind::text}, [](Evidence e) { return e.name(e.ref.doc_id); }},
    {{"unit_id", "", CellKind::text}, [](Evidence e) { return e.name(e.ref.unit_id); }},
    {{"community_id", "", CellKind::text}, [](Evidence e) { return e.name(e.ref.community_id); }},
    {{"page", "", CellKind::integer},
     [](Evidence e) -> Cell { return e.is_withheld ? Cell() : known(e.ref.page); }},
    {{"heading", "at level basic not of what is labelled confidential or more", CellKind::text},
     [](Evidence e) {
       return e.scene.shows_name(e.ref.sensitivity) ? e.name(e.ref.heading) : Cell();
     }},
    {{"time_range", "of a recording", CellKind::text},
     [](Evidence e) { return e.name(e.ref.time_range); }},
    {{"url", "", CellKind::text}, [](Evidence e) { return e.name(e.ref.url); }},
    {{"tool", "that brought it", CellKind::text}, [](Evidence e) { return e.name(e.ref.tool); }},
    {{"is_error", "the tool reported an error", CellKind::boolean},
     [](Evidence e) { return if_true(e.ref.is_error); }},
    {{"is_open", "the tool went on in the background, and no end is on record", CellKind::boolean},
     [](Evidence e) { return if_true(e.ref.is_open); }},
    {{"score", "how well it fits, in the retriever's own measure", CellKind::number},
     [](Evidence e) -> Cell {
       return e.is_withheld || !e.ref.score ? Cell() : Cell(*e.ref.score);
     }},
    {{"sensitivity", "its label", CellKind::text},
     [](Evidence e) -> Cell { return known(e.scene.text(e.ref.sensitivity)); }},
    {{"text", "at level full", CellKind::text},
     [](Evidence e) -> Cell {
       if (e.is_withheld) return {};
       return known(e.scene.question.door.payload(e.scene.shown_text(e.ref.text)));
     }},
    {{"withheld", "it is more sensitive than the clearance", CellKind::boolean},
     [](Evidence e) { return if_true(e.is_withheld); }},
};

void add_evidence(const TraceScene& scene, const EvidenceRef& ref, Table& table) {
  EvidenceRow row{scene, ref, scene.withholds(ref)};
  add_fields(kEvidence, row, table);
}

constexpr Column kNotCounted[] = {
    {"metric", "", CellKind::text, true},
    {"why",
     "within: its time is part of that step's; retried: that step is the next attempt; "
     "told_within: that step and others, parts of it, state the same; told_around: that step, of "
     "which it is a part, counts; told_elsewhere: a record of the same call counts that is no step "
     "of this query",
     CellKind::text, true},
    {"step", "which one", CellKind::integer},
    {"counts", "what of the figure is in the totals all the same: it exceeds those steps",
     CellKind::number},
};

/// A number may be that of a card, or of a person.
template <class Number>
bool is_plain(Number number, Door& door) {
  std::string digits = fmt::format("{}", number);
  return door.name_once(digits).view() == digits;
}

/// Numbers are no payload, unless their name says that they are secret.
Cell param_value(const Parameter& param, const TraceScene& scene) {
  Door& door = scene.question.door;
  return std::visit(
      [&](const auto& given) -> Cell {
        if constexpr (std::is_same_v<std::decay_t<decltype(given)>, std::string>)
          return known(door.field(param.name, scene.shown_text(given)));
        else if (door.shows_field(param.name) && is_plain(given, door))
          return given;
        else
          return known(door.field(param.name, fmt::format("{}", given)));
      },
      param.value);
}

Cell params(Row r) {
  Entries entries;
  if (!r.is_withheld())
    for (const Parameter& param : r.record().params) {
      Cell value = param_value(param, r.scene);
      // Names are as free as texts here, and may say as much: what is longer than any name of a
      // setting, or of several words, is shown as a text is.
      constexpr size_t kLongestName = 64;
      bool is_name = param.name.size() <= kLongestName && param.name.find(' ') == std::string::npos;
      if (!std::holds_alternative<std::monostate>(value) &&
          (is_name || r.scene.question.shows_payload()))
        entries.items.emplace_back(r.text(param.name), value);
    }
  return entries.items.empty() ? Cell() : Cell(r.scene.arena.keep(std::move(entries)));
}

constexpr Column kToolUses[] = {
    {"id", "the tool use id", CellKind::text},
    {"name", "the tool", CellKind::text},
    {"target", "the file or address its arguments name, of several the first", CellKind::text},
    kTargetsColumn,
    {"arguments", "what it is given, as JSON, at level full", CellKind::text},
};

Cell tool_uses(Row r) {
  if (!r.step.call) return {};
  Table table{{}, kToolUses};
  const Trace& trace = r.scene.question.graph.trace();
  size_t nth = 0;
  for (const ToolUse* use : r.scene.question.graph.tool_uses_of(r.step.call)) {
    for (StringId text : {use->id, use->name, use->target})
      table.cells.push_back(known(r.scene.names.text(text)));
    table.cells.push_back(several_targets(trace, r.scene.names, *use, r.scene.arena));
    std::string_view given = arguments_of(r.record().tool_arguments, trace[use->id], nth++);
    const std::string text = r.scene.shown_text(std::string(given));
    table.cells.push_back(r.is_withheld() ? Cell()
                                          : known(shown_arguments(r.scene.question.door, text)));
  }
  return some(std::move(table), r.scene.arena);
}

Cell not_counted(Row r) {
  Table table{{}, kNotCounted};
  for (const NotCounted& one : r.step.not_counted)
    table.add({Door::own(word(one.metric)), Door::own(word(one.why)),
               one.step == Step::kNone ? Cell() : Cell(TraceScene::order(one.step)),
               one.counts == 0              ? Cell()
               : one.metric == Metric::cost ? Cell(Dollars{one.counts})
                                            : Cell(one.counts)});
  return some(std::move(table), r.scene.arena);
}

Cell evidence(Row r) {
  Table table{{}, columns_of<kEvidence>()};
  for (const EvidenceRef* ref : r.scene.evidence_of(r.step)) add_evidence(r.scene, *ref, table);
  return some(std::move(table), r.scene.arena);
}

constexpr Column kDetails[] = {
    {"kind", "log_record, or exemplar: a measurement made in the span", CellKind::text, true},
    {"at", "where its record stands", CellKind::text, true},
    {"timestamp", "", CellKind::moment},
    {"severity", "as the log has it", CellKind::text},
    {"name", "of the event, or of what was measured", CellKind::text},
    {"value", "that was measured", CellKind::number},
    {"text", "at level full", CellKind::text},
};

Cell details(Row r) {
  Table table{{}, kDetails};
  for (const StepDetail& detail : r.record().details)
    table.add({r.text(detail.kind), r.scene.names.at(detail.at), known(detail.time),
               known(r.text(detail.severity)), known(r.text(detail.name)),
               detail.value && !r.is_withheld() ? Cell(*detail.value) : Cell(),
               r.payload("body", detail.text)});
  return some(std::move(table), r.scene.arena);
}

constexpr Field<StepRow> kSteps[] = {
    {{"order", "from 1", CellKind::integer, true},
     [](Row r) -> Cell { return TraceScene::order(r.at); }},
    {{"node", "what was done: a node of the pipeline, an operation, or the agent that asked",
      CellKind::text, true},
     [](Row r) -> Cell { return r.text(r.record().node); }},
    {{"id", "of the step, its span or its call", CellKind::text, true},
     [](Row r) -> Cell { return r.scene.id(r.step); }},
    {{"at", "where its record stands: file:line, or file@offset", CellKind::text, true},
     [](Row r) -> Cell { return r.scene.names.at(r.step.at); }},
    {{"timestamp", "when it began", CellKind::moment},
     [](Row r) -> Cell { return known(r.step.start); }},
    {{"status", "ok, error, unanswered, unfinished (no end is on record) or unknown",
      CellKind::text, true},
     [](Row r) -> Cell { return Door::own(word(r.step.outcome)); }},
    {{"error", "its class", CellKind::text},
     [](Row r) -> Cell { return known(r.text(r.record().error)); }},
    {{"parent", "the step it is a part of, or that led to it", CellKind::integer},
     [](Row r) -> Cell {
       return r.step.parent == Step::kNone ? Cell() : Cell(TraceScene::order(r.step.parent));
     }},
    {{"parents", "where several steps led to it: all of them", CellKind::integers},
     [](Row r) -> Cell {
       if (r.step.joins.empty()) return {};
       Integers all = {TraceScene::order(r.step.parent)};
       for (size_t joined : r.step.joins) all.push_back(TraceScene::order(joined));
       return r.scene.arena.keep(std::move(all));
     }},
    {{"method", "of a call: the rule by which it belongs to this query", CellKind::text},
     [](Row r) -> Cell {
       return r.step.cause == nullptr ? Cell() : Cell(Door::own(word(r.step.cause->rule)));
     }},
    {{"confidence", "that it does, 0 to 1", CellKind::number},
     [](Row r) -> Cell {
       return r.step.cause == nullptr ? Cell() : Cell(confidence(*r.step.cause));
     }},
    {{"attempt", "as the log numbers them", CellKind::integer},
     [](Row r) { return known(r.record().attempt); }},
    {{"retried_as", "the step that is the next attempt at the same", CellKind::integer},
     [](Row r) -> Cell {
       return r.step.retried_as == Step::kNone ? Cell()
                                               : Cell(TraceScene::order(r.step.retried_as));
     }},
    {{"records", "equal records of this step; it is counted once", CellKind::integer},
     [](Row r) -> Cell { return r.step.records > 1 ? Cell(r.step.records) : Cell(); }},
    {{"kind", "in the convention's own word: chat, retriever, execute_tool, …", CellKind::text},
     [](Row r) -> Cell { return known(r.text(r.record().kind)); }},
    {{"service", "that did it", CellKind::text}, [](Row r) { return r.name(r.step.service); }},
    {{"source", "who called, as its record has it", CellKind::text},
     [](Row r) { return r.name(r.step.from); }},
    {{"target", "who was called, as its record has it", CellKind::text},
     [](Row r) { return r.name(r.step.to); }},
    {{"agent", "", CellKind::text}, [](Row r) -> Cell { return known(r.text(r.record().agent)); }},
    {{"tool", "", CellKind::text}, [](Row r) -> Cell { return known(r.text(r.record().tool)); }},
    {{"tool_use_id", "", CellKind::text},
     [](Row r) -> Cell { return known(r.text(r.record().tool_call)); }},
    {{"tool_uses", "of a call: what its answer asks for", CellKind::rows, false, kToolUses},
     tool_uses},
    {{"params", "numbers and truths; texts at level full", CellKind::entries}, params},
    {{"metrics.latency_ms", "", CellKind::milliseconds}, [](Row r) { return known(r.step.took); }},
    {{"metrics.tokens_in", "without those read from or written to a cache", CellKind::integer},
     [](Row r) { return known(r.record().tokens.input); }},
    {{"metrics.tokens_out", "", CellKind::integer},
     [](Row r) { return known(r.record().tokens.output); }},
    {{"metrics.tokens_cache_read", "", CellKind::integer},
     [](Row r) { return known(r.record().tokens.cache_read); }},
    {{"metrics.tokens_cache_creation", "", CellKind::integer},
     [](Row r) { return known(r.record().tokens.cache_creation); }},
    {{"metrics.output_is_low",
      "the log kept the first count of a stream, and not the last: tokens_out and cost_usd are "
      "lower bounds",
      CellKind::boolean},
     [](Row r) { return if_true(r.step.output_is_low); }},
    {{"metrics.cost_usd", "", CellKind::number}, [](Row r) { return dollars(r.record().cost); }},
    {{"metrics.cost_from", "log: its record says so; table: the price of its tokens",
      CellKind::text},
     [](Row r) -> Cell {
       if (r.record().cost < 0) return {};
       return r.step.cost_from_table ? Text("table") : Text("log");
     }},
    {{"metrics.cost_is_partial", "it cost more: a fee, a price or a count is not known",
      CellKind::boolean},
     [](Row r) { return if_true(r.step.cost_is_partial); }},
    {{"metrics.provider", "", CellKind::text},
     [](Row r) -> Cell { return known(r.text(r.record().provider)); }},
    {{"metrics.model", "", CellKind::text},
     [](Row r) -> Cell { return known(r.text(r.record().model)); }},
    {{"metrics.requested_model", "if another one answered", CellKind::text},
     [](Row r) -> Cell { return known(r.text(r.record().asked_model)); }},
    {{"not_counted", "figures that the totals have from elsewhere", CellKind::rows, false,
      kNotCounted},
     not_counted},
    {{"sensitivity", "its label", CellKind::text},
     [](Row r) -> Cell { return known(r.text(r.record().sensitivity)); }},
    {{"withheld", "its texts are more sensitive than the clearance", CellKind::boolean},
     [](Row r) { return if_true(r.is_withheld()); }},
    {{"inputs", "at level full", CellKind::text},
     [](Row r) { return r.payload("inputs", r.record().inputs); }},
    {{"outputs", "at level full", CellKind::text},
     [](Row r) { return r.payload("outputs", r.record().outputs); }},
    {{"details", "what logs and measurements tell of it", CellKind::rows, false, kDetails},
     details},
    {{"evidenceRefs", "what it rests on", CellKind::rows, false, columns_of<kEvidence>()},
     evidence},
    {{"evidence_omitted", "references beyond --limit-evidence", CellKind::integer},
     [](Row r) { return some(r.scene.evidence_omitted(r.step)); }},
};

}  // namespace

Entries step_properties(const TraceScene& scene, size_t at) {
  Entries entries;
  for (const Field<StepRow>& field : kSteps) {
    std::string_view key = field.column.key;
    // What other steps and references are to it edges say.
    if (is_one_of(key, {"parent", "parents", "retried_as", "evidenceRefs"})) continue;
    Cell cell = field.get({scene, scene.trace.steps[at], at});
    if (std::holds_alternative<std::monostate>(cell)) continue;
    constexpr std::string_view kMetrics = "metrics.";
    if (key.starts_with(kMetrics)) key.remove_prefix(kMetrics.size());
    if (key == "id") key = "step_id";  // a node has an id and a kind already
    if (key == "kind") key = "step_kind";
    if (key == "timestamp") key = "started";
    if (key == "params")
      add_parts("params", *std::get<const Entries*>(cell), scene.question.door, entries);
    else
      entries.add(Door::own(key), cell);
  }
  return entries;
}

Entries evidence_properties(const TraceScene& scene, const EvidenceRef& ref) {
  Entries entries;
  EvidenceRow row{scene, ref, scene.withholds(ref)};
  for (const Field<EvidenceRow>& field : kEvidence)
    if (Cell cell = field.get(row); !std::holds_alternative<std::monostate>(cell))
      entries.add(field.column.key == "id" ? Text("reference_id") : Door::own(field.column.key),
                  cell);
  return entries;
}

Table step_table(const TraceScene& scene) {
  Table table{"steps", step_columns()};
  for (size_t i = 0; i < scene.trace.steps.size(); ++i) {
    Door::At at(scene.question.door, scene.names.place(scene.trace.steps[i].at));
    add_fields(kSteps, {scene, scene.trace.steps[i], i}, table);
  }
  return table;
}

Table citation_table(const TraceScene& scene) {
  Table table{"citations", columns_of<kEvidence>()};
  for (const EvidenceRef& ref : scene.trace.citations) add_evidence(scene, ref, table);
  return table;
}

std::span<const Column> step_columns() {
  return columns_of<kSteps>();
}
std::span<const Column> citation_columns() {
  return columns_of<kEvidence>();
}

}  // namespace xtrace
