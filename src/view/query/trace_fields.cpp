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
  bool is_withheld() const { return scene.withholds(step.record); }
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
    {{"id", "its citation mark in the reply, or the tool use that returned it", CellKind::text},
     [](Evidence e) { return e.name(e.ref.id); }},
    {{"doc_id", "", CellKind::text}, [](Evidence e) { return e.name(e.ref.doc_id); }},
    {{"unit_id", "", CellKind::text}, [](Evidence e) { return e.name(e.ref.unit_id); }},
    {{"community_id", "", CellKind::text}, [](Evidence e) { return e.name(e.ref.community_id); }},
    {{"page", "", CellKind::integer},
     [](Evidence e) -> Cell { return e.is_withheld ? Cell() : known(e.ref.page); }},
    {{"heading", "heading; at level basic omitted if labelled confidential or higher",
      CellKind::text},
     [](Evidence e) {
       return e.scene.shows_name(e.ref.sensitivity) ? e.name(e.ref.heading) : Cell();
     }},
    {{"time_range", "time range in a recording", CellKind::text},
     [](Evidence e) { return e.name(e.ref.time_range); }},
    {{"url", "", CellKind::text}, [](Evidence e) { return e.name(e.ref.url); }},
    {{"tool", "tool that returned it", CellKind::text},
     [](Evidence e) { return e.name(e.ref.tool); }},
    {{"is_error", "true if the tool reported an error", CellKind::boolean},
     [](Evidence e) { return if_true(e.ref.is_error); }},
    {{"is_open", "true if the tool continued in the background, and no end is recorded",
      CellKind::boolean},
     [](Evidence e) { return if_true(e.ref.is_open); }},
    {{"score", "relevance score of the retriever, in its own scale", CellKind::number},
     [](Evidence e) -> Cell {
       return e.is_withheld || !e.ref.score ? Cell() : Cell(*e.ref.score);
     }},
    {kSensitivityColumn, [](Evidence e) -> Cell { return known(e.scene.text(e.ref.sensitivity)); }},
    {kFullTextColumn,
     [](Evidence e) -> Cell {
       if (e.is_withheld) return {};
       return known(e.scene.question.door.payload(e.scene.shown_text(e.ref.text)));
     }},
    {kWithheldColumn, [](Evidence e) { return if_true(e.is_withheld); }},
};

void add_evidence(const TraceScene& scene, const EvidenceRef& ref, Table& table) {
  EvidenceRow row{scene, ref, scene.withholds(ref)};
  add_fields(kEvidence, row, table);
}

constexpr Field<NotCounted> kNotCounted[] = {
    {{"metric", "", CellKind::text, true},
     [](const NotCounted& one) -> Cell { return Door::own(word(one.metric)); }},
    {{"why",
      "within: its time is part of the other step's time; retried: the other step is the next "
      "attempt; told_within: steps within this one, such as the other step, record the same "
      "figure; told_around: the other step contains this one and its figure counts instead; "
      "told_elsewhere: another record of the same call, which is not a step of this query, counts "
      "instead",
      CellKind::text, true},
     [](const NotCounted& one) -> Cell { return Door::own(word(one.why)); }},
    {{"step", "number of the other step", CellKind::integer},
     [](const NotCounted& one) {
       return one.step == Step::kNone ? Cell() : Cell(TraceScene::order(one.step));
     }},
    {{"counts",
      "part of the figure that the totals include, because it exceeds the figures of those steps",
      CellKind::number},
     [](const NotCounted& one) -> Cell {
       if (one.counts == 0) return {};
       return one.metric == Metric::cost ? Cell(Dollars{one.counts}) : Cell(one.counts);
     }},
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

struct ToolUseRow {
  Row by;
  const ToolUse& use;
  size_t nth;  ///< of those of its call

  Cell name(StringId id) const { return known(by.scene.names.text(id)); }
};
using Use = const ToolUseRow&;

constexpr Field<ToolUseRow> kToolUses[] = {
    {{"id", "tool use id", CellKind::text}, [](Use u) { return u.name(u.use.id); }},
    {{"name", "name of the tool", CellKind::text}, [](Use u) { return u.name(u.use.name); }},
    {{"target", "file or URL named in the arguments; the first if there are several",
      CellKind::text},
     [](Use u) {
       const TraceScene& scene = u.by.scene;
       return known(shown_target(scene.question.door, scene.names, u.use));
     }},
    {kTargetsColumn,
     [](Use u) {
       const TraceScene& scene = u.by.scene;
       return several_targets(scene.question.graph.trace(), scene.names, u.use, scene.arena);
     }},
    {{"arguments", "arguments as JSON, at level full", CellKind::text},
     [](Use u) {
       if (u.by.is_withheld()) return Cell();
       const Question& question = u.by.scene.question;
       std::string_view given =
           arguments_of(u.by.record().tool_arguments, question.graph.trace()[u.use.id], u.nth);
       return known(shown_arguments(question.door, u.by.scene.shown_text(std::string(given))));
     }},
};

Cell tool_uses(Row r) {
  if (!r.step.call) return {};
  Table table = table_of<kToolUses>({});
  size_t nth = 0;
  for (const ToolUse* use : r.scene.question.graph.tool_uses_of(r.step.call))
    add_fields(kToolUses, {r, *use, nth++}, table);
  return some(std::move(table), r.scene.arena);
}

Cell not_counted(Row r) {
  Table table = table_of<kNotCounted>({});
  for (const NotCounted& one : r.step.not_counted) add_fields(kNotCounted, one, table);
  return some(std::move(table), r.scene.arena);
}

Cell evidence(Row r) {
  Table table = table_of<kEvidence>({});
  for (const EvidenceRef* ref : r.scene.evidence_of(r.step)) add_evidence(r.scene, *ref, table);
  return some(std::move(table), r.scene.arena);
}

struct DetailRow {
  Row of;
  const StepDetail& detail;
};

constexpr Field<DetailRow> kDetails[] = {
    {{"kind", "log_record, or exemplar: a measurement taken during the span", CellKind::text, true},
     [](const DetailRow& d) -> Cell { return d.of.text(d.detail.kind); }},
    {{"at", "location of its record", CellKind::text, true},
     [](const DetailRow& d) -> Cell { return d.of.scene.names.at(d.detail.at); }},
    {{"timestamp", "", CellKind::moment}, [](const DetailRow& d) { return known(d.detail.time); }},
    {{"severity", "severity as recorded", CellKind::text},
     [](const DetailRow& d) { return known(d.of.text(d.detail.severity)); }},
    {{"name", "name of the event or of the measured quantity", CellKind::text},
     [](const DetailRow& d) { return known(d.of.text(d.detail.name)); }},
    {{"value", "measured value", CellKind::number},
     [](const DetailRow& d) {
       return d.detail.value && !d.of.is_withheld() ? Cell(*d.detail.value) : Cell();
     }},
    {kFullTextColumn, [](const DetailRow& d) { return d.of.payload("body", d.detail.text); }},
};

Cell details(Row r) {
  Table table = table_of<kDetails>({});
  for (const StepDetail& detail : r.record().details) add_fields(kDetails, {r, detail}, table);
  return some(std::move(table), r.scene.arena);
}

constexpr Field<StepRow> kSteps[] = {
    {{"order", "position, from 1", CellKind::integer, true},
     [](Row r) -> Cell { return TraceScene::order(r.at); }},
    {{"node", "a node of the pipeline, an operation, or the agent that received the query",
      CellKind::text, true},
     [](Row r) -> Cell { return r.text(r.step.node); }},
    {{"id", "id of the step, its span or its call", Role::node, true},
     [](Row r) -> Cell { return r.scene.id(r.step); }},
    {{"at", "location of the record: file:line, or file@offset (in bytes)", CellKind::text, true},
     [](Row r) -> Cell { return r.scene.names.at(r.step.at); }},
    {{"timestamp", "start of the step", CellKind::moment},
     [](Row r) -> Cell { return known(r.step.start); }},
    {{"status", "ok, error, unanswered, unfinished (no end is recorded) or unknown", Role::status,
      true},
     [](Row r) -> Cell { return Door::own(word(r.step.outcome)); }},
    {{"error", "error class", CellKind::text},
     [](Row r) -> Cell { return known(r.text(r.record().error)); }},
    {{"parent", "step that contains it or caused it", CellKind::integer},
     [](Row r) -> Cell {
       return r.step.parent == Step::kNone ? Cell() : Cell(TraceScene::order(r.step.parent));
     }},
    {{"parents", "all steps that caused it, if there are several", CellKind::integers},
     [](Row r) -> Cell {
       if (r.step.joins.empty()) return {};
       Integers all = {TraceScene::order(r.step.parent)};
       for (size_t joined : r.step.joins) all.push_back(TraceScene::order(joined));
       return r.scene.arena.keep(std::move(all));
     }},
    {{"method", "for a call: rule by which it belongs to this query", CellKind::text},
     [](Row r) -> Cell {
       return r.step.cause == nullptr ? Cell() : Cell(Door::own(word(r.step.cause->rule)));
     }},
    {{"confidence", "confidence that it belongs to this query, 0 to 1", CellKind::number},
     [](Row r) -> Cell {
       return r.step.cause == nullptr ? Cell() : Cell(confidence(*r.step.cause));
     }},
    {{"attempt", "number of the attempt, as recorded", CellKind::integer},
     [](Row r) { return known(r.record().attempt); }},
    {{"retried_as", "step that is the next attempt", CellKind::integer},
     [](Row r) -> Cell {
       return r.step.retried_as == Step::kNone ? Cell()
                                               : Cell(TraceScene::order(r.step.retried_as));
     }},
    {{"records", "number of equal records of this step; they count once", CellKind::integer},
     [](Row r) -> Cell { return r.step.records > 1 ? Cell(r.step.records) : Cell(); }},
    {{"kind", "kind of operation, as named in the log: chat, retriever, execute_tool, …",
      CellKind::text},
     [](Row r) -> Cell { return known(r.text(r.record().kind)); }},
    {{"service", "service that ran the step", CellKind::text},
     [](Row r) { return r.name(r.step.service); }},
    {{"source", "the caller, as recorded", CellKind::text},
     [](Row r) { return r.name(r.step.from); }},
    {{"target", "the actor called, as recorded", CellKind::text},
     [](Row r) { return r.name(r.step.to); }},
    {{"agent", "", CellKind::text}, [](Row r) -> Cell { return known(r.text(r.record().agent)); }},
    {{"tool", "", CellKind::text}, [](Row r) -> Cell { return known(r.text(r.record().tool)); }},
    {{"tool_use_id", "", CellKind::text},
     [](Row r) -> Cell { return known(r.text(r.record().tool_call)); }},
    {{"tool_uses", "for a call: the tool uses in its reply", CellKind::rows, false,
      columns_of<kToolUses>()},
     tool_uses},
    {{"params", "numbers and booleans; texts only at level full", CellKind::entries}, params},
    {{"metrics.latency_ms", "", CellKind::milliseconds}, [](Row r) { return known(r.step.took); }},
    {{"metrics.tokens_in", "uncached input tokens: neither read from nor written to a cache",
      CellKind::integer},
     [](Row r) { return known(r.step.tokens.input); }},
    {{"metrics.tokens_out", "", CellKind::integer},
     [](Row r) { return known(r.step.tokens.output); }},
    {{"metrics.tokens_cache_read", "", CellKind::integer},
     [](Row r) { return known(r.step.tokens.cache_read); }},
    {{"metrics.tokens_cache_creation", "", CellKind::integer},
     [](Row r) { return known(r.step.tokens.cache_creation); }},
    {{"metrics.output_is_low",
      "true if the log kept only the output count written when the reply began: tokens_out and "
      "cost_usd are lower bounds",
      CellKind::boolean},
     [](Row r) { return if_true(r.step.output_is_low); }},
    {{"metrics.cost_usd", "", CellKind::number}, [](Row r) { return dollars(r.step.cost); }},
    {{"metrics.cost_from", "log: recorded; table: computed from tokens and the price list",
      CellKind::text},
     [](Row r) -> Cell {
       if (r.step.cost < 0) return {};
       return r.step.cost_from_table ? Text("table") : Text("log");
     }},
    {{"metrics.cost_is_partial",
      "true if the real cost is higher, because a fee, a price or a count is unknown",
      CellKind::boolean},
     [](Row r) { return if_true(r.step.cost_is_partial); }},
    {{"metrics.provider", "", CellKind::text}, [](Row r) { return r.name(r.step.provider); }},
    {{"metrics.model", "", CellKind::text}, [](Row r) { return r.name(r.step.model); }},
    {{"metrics.requested_model", "requested model, if another model replied", CellKind::text},
     [](Row r) -> Cell { return known(r.text(r.record().asked_model)); }},
    {{"not_counted", "figures of this step that the totals take from other steps or records",
      CellKind::rows, false, columns_of<kNotCounted>()},
     not_counted},
    {kSensitivityColumn, [](Row r) -> Cell { return known(r.text(r.record().sensitivity)); }},
    {{"withheld", "true if its texts are more sensitive than the clearance", CellKind::boolean},
     [](Row r) { return if_true(r.is_withheld()); }},
    {{"inputs", "inputs, at level full", CellKind::text},
     [](Row r) { return r.payload("inputs", r.record().inputs); }},
    {{"outputs", "outputs, at level full", CellKind::text},
     [](Row r) { return r.payload("outputs", r.record().outputs); }},
    {{"details", "log records and measurements of the step", CellKind::rows, false,
      columns_of<kDetails>()},
     details},
    {{"evidenceRefs", "evidence that the step relies on", CellKind::rows, false,
      columns_of<kEvidence>()},
     evidence},
    {kEvidenceOmittedColumn, [](Row r) { return some(r.scene.evidence_omitted(r.step)); }},
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
  Table table = table_of<kSteps>("steps");
  for (size_t i = 0; i < scene.trace.steps.size(); ++i) {
    Door::At at(scene.question.door, scene.names.place(scene.trace.steps[i].at));
    add_fields(kSteps, {scene, scene.trace.steps[i], i}, table);
  }
  return table;
}

Table citation_table(const TraceScene& scene) {
  Table table = table_of<kEvidence>("citations");
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
