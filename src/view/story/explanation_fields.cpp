#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "doc/colours.h"
#include "facts/row_or_empty.h"
#include "view/common/words.h"
#include "view/story/explanation.h"
#include "view/story/thought_tags.h"

namespace xtrace {

namespace {

using Row = const ExplanationRow&;
using Type = TaskStep::Type;

const Trace& trace_of(Row r) {
  return r.scene.graph.trace();
}
Text name(Row r, StringId id) {
  return r.scene.names.text(id);
}
const TaskStep& task_step_of_row(Row r) {
  return task_step_of(r.scene.graph, r.node);
}
const Span& span_of(Row r) {
  return span_of(r.scene.graph, r.node);
}
const Call* call_of(Row r) {
  return r.node.call && !r.node.is_query() ? &r.scene.graph.timeline()[r.node.call] : nullptr;
}

Cell number(double value) {
  bool is_whole = value == std::floor(value) && std::abs(value) < 9e15;
  return is_whole ? Cell(static_cast<int64_t>(value)) : Cell(value);
}

void add_notice(Row r, Entries& details) {
  if (!r.node.lacks_partner) return;
  details.add("notice",
              r.node.call
                  ? Text("missing correlation: no span names this request")
                  : Text("missing correlation: no model-call log names this span's request"));
}

void add_partner(Row r, Entries& details) {
  if (!r.node.call || r.node.is_query() || !r.node.hop) return;
  const Partners::Partner& partner = r.scene.graph.partners().of_call[r.node.call.index];
  details.add("spanId", r.scene.question.door.name_once(
                            r.scene.graph.hops().name_of(trace_of(r), r.node.hop)));
  Entries how;
  how.add("method", Door::own(word(partner.rule)));
  how.add("confidence", thousandths(static_cast<double>(partner.confidence)));
  details.add("correlation", r.arena.keep(std::move(how)));
}

void add_remarks(Row r, Entries& details) {
  const TaskStep& recorded = task_step_of_row(r);
  for (uint32_t i = recorded.first_remark; i < recorded.first_remark + recorded.remarks; ++i) {
    const Remark& remark = trace_of(r).remarks[i];
    Cell value;
    if (remark.kind == Remark::Kind::number) value = number(remark.number);
    if (remark.kind == Remark::Kind::name) value = known(name(r, remark.text));
    if (remark.kind == Remark::Kind::payload)
      value = known(r.scene.question.door.payload(trace_of(r)[remark.text]));
    if (!std::holds_alternative<std::monostate>(value)) details.add(Door::own(remark.key), value);
  }
}

/// The texts under the tags of a chain of thought that follows a template.
void add_tags(Row r, Entries& details) {
  if (call_of(r) == nullptr || !call_of(r)->is_thought) return;
  std::string text = said_in(r);
  for (const auto& [key, said] : tags_of_thought(text))
    details.add(Door::own(key), r.scene.question.door.payload(said));
}

/// What metrics say of it, and its own record does not.
void add_measured(Row r, Entries& details) {
  const std::vector<Remark>& all = r.scene.story.measured;
  for (const Remark& remark : std::span(all).subspan(r.node.first_measured, r.node.measured)) {
    auto is_told = [&](const auto& item) { return item.first.view() == remark.key; };
    if (std::none_of(details.items.begin(), details.items.end(), is_told))
      details.add(Door::own(remark.key), number(remark.number));
  }
}

void add_known(std::string_view key, Cell value, Entries& details) {
  if (!std::holds_alternative<std::monostate>(value)) details.add(Door::own(key), value);
}

void add_tools(Row r, Entries& details) {
  Texts tools;
  for (const ToolUse* use : r.scene.graph.tool_uses_of(r.node.call))
    tools.push_back(name(r, use->name));
  add_known("tools", some(std::move(tools), r.arena), details);
  add_known("toolErrors", some(r.scene.graph.activities().failed_tools_of(r.node.call)), details);
}

void add_copies(Row r, Entries& details) {
  auto found = r.scene.copies.find(r.node.call.index);
  if (found == r.scene.copies.end()) return;
  Texts places;
  for (const Extent& copy : found->second) places.push_back(r.scene.names.at(copy));
  details.add("alsoAt", r.arena.keep(std::move(places)));
}

void add_summary(Row r, Entries& details) {
  int64_t count = static_cast<int64_t>(r.shown.summary->members.size());
  details.add("summary", r.scene.question.door.composed(summary_words(r)));
  if (r.shown.summary->why == Summary::Why::truncated)
    details.add("notice",
                r.scene.question.door.say("Graph truncated: too many nodes; summarizing {}",
                                          plural(count, "step")));
  details.add("count", count);
  add_known("errors", some(r.errors), details);
  add_known("totalLatencyMs", known(r.total), details);
}

Cell details(Row r) {
  Entries details;
  add_notice(r, details);
  if (r.shown.summary != nullptr) {
    add_summary(r, details);
    return r.arena.keep(std::move(details));
  }
  if (!r.node.own_status.empty())
    details.add("originalStatus", r.scene.names.text(r.node.own_status));
  if (!r.node.call)
    add_known(task_step_of_row(r).is_event ? "event" : "operation",
              known(name(r, span_of(r).operation)), details);
  add_known("tool", known(name(r, row_or_empty(trace_of(r), span_of(r).gen_ai).tool)), details);
  add_remarks(r, details);
  add_tags(r, details);
  add_measured(r, details);
  if (r.node.cost_spike > 0 && std::isfinite(r.node.cost_spike))
    details.add("costSpike", thousandths(r.node.cost_spike));
  add_known("taskId", known(name(r, task_step_of_row(r).task)), details);
  add_known("triggeredBy", known(name(r, task_step_of_row(r).trigger)), details);
  add_known("component", known(name(r, task_step_of_row(r).component)), details);
  if (const Call* call = call_of(r)) {
    add_known("error", known(name(r, call->error)), details);
    add_known("sessionId", known(name(r, call->session)), details);
    add_known("stopReason", known(name(r, call->stop_reason)), details);
    add_known("cacheReadTokens", some(r.node.tokens.cache_read), details);
    add_tools(r, details);
    add_copies(r, details);
  }
  add_partner(r, details);
  return details.items.empty() ? Cell() : Cell(r.arena.keep(std::move(details)));
}

Cell prompt(Row r) {
  return known(r.scene.question.door.payload(said_in(r)));
}

}  // namespace

std::string said_in(const ExplanationRow& r) {
  const Question& question = r.scene.question;
  if (!question.shows_payload() || r.shown.summary != nullptr) return {};
  if (r.node.call) {
    Excerpt said = question.payloads->read(trace_of(r)[r.node.call]);
    // Of a log of thoughts there is the chain of thought alone.
    bool is_thought = call_of(r) != nullptr && call_of(r)->is_thought;
    return said.prompt.empty() && is_thought ? said.answer : said.prompt;
  }
  return r.node.type == Type::llm_call ? question.payloads->step(span_of(r)).inputs : std::string();
}

namespace {

struct NoteRow {
  const ExplanationScene& scene;
  const Annotation& note;

  Text text(std::string_view field) const { return scene.names.text(field); }
};
constexpr Field<NoteRow> kAnnotations[] = {
    {{"node", "node to which the note belongs; may be a member of a summary", CellKind::text},
     [](const NoteRow& row) { return known(row.text(row.note.node)); }},
    {{"kind", "comment, question or approval", CellKind::text, true},
     [](const NoteRow& row) -> Cell { return row.text(row.note.kind); }},
    {{"author", "", CellKind::text},
     [](const NoteRow& row) { return known(row.text(row.note.author)); }},
    {{"time", "", CellKind::text},
     [](const NoteRow& row) { return known(row.text(row.note.time)); }},
    {{"note", "text of the note, at level full", CellKind::text},
     [](const NoteRow& row) { return known(row.scene.question.door.payload(row.note.note)); }},
};

constexpr Column kAnnotationsColumn{"annotations", "notes given with --annotations", CellKind::rows,
                                    false, columns_of<kAnnotations>()};

Cell annotation_cell(const std::vector<Annotation>& all, const ExplanationScene& scene,
                     CellArena& arena) {
  Table table = table_of<kAnnotations>({});
  for (const Annotation& one : all) add_fields(kAnnotations, {scene, one}, table);
  return some(std::move(table), arena);
}

// --- hints ------------------------------------------------------------------------------------

/// That of a picture's border.
Text color(Row r) {
  if (r.node.status == StepStatus::error) return "red";
  if (r.node.status == StepStatus::warning) return "orange";
  return r.scene.question.door.composed(colours_of(word(r.node.type)).border);
}

/// What took long is large: 20 to 60, ten more for ten times as long from a tenth of a second on.
int64_t size(const StoryNode& node) {
  if (node.latency == kNoDuration) return 20;
  double tenths = std::chrono::duration<double, std::deci>(node.latency).count();
  return std::clamp<int64_t>(20 + std::llround(10 * std::log10(std::max(tenths, 1.0))), 20, 60);
}

Cell turn(Row r) {
  if (!r.node.call || r.shown.summary != nullptr) return {};
  return some(static_cast<int64_t>(r.scene.graph.call_turns()[r.node.call.index].number));
}

std::string code_place_of(Row r) {
  if (r.shown.summary != nullptr) return {};
  std::string file, line;
  const TaskStep& recorded = task_step_of_row(r);
  for (uint32_t i = recorded.first_remark; i < recorded.first_remark + recorded.remarks; ++i) {
    const Remark& remark = trace_of(r).remarks[i];
    if (remark.key == "file" && remark.kind == Remark::Kind::name)
      file = name(r, remark.text).view();
    if (remark.key == "line" && remark.kind == Remark::Kind::number)
      line = fmt::format(":{}", remark.number);
  }
  return file.empty() ? file : file + line;
}

Text tooltip(Row r) {
  std::string text(r.scene.names.text(r.scene.story.agent(r.node)).view());
  if (r.node.latency != kNoDuration) text += " · " + format_span(r.node.latency);
  if (r.node.cost >= 0) text += " · " + show_dollars({r.node.cost});
  text = fmt::format("{} · {}", text, r.scene.place_of(r.shown.node).view());
  if (std::string code = code_place_of(r); !code.empty()) text += " · " + code;
  return r.scene.question.door.composed(std::move(text));
}

Cell if_hinted(Row r, Cell (*hint)(Row)) {
  return r.scene.hints ? hint(r) : Cell();
}

constexpr Field<ExplanationRow> kFields[] = {
    {{"id", "id of the call, span or event; `summary-ID` for a folded group", Role::id, true},
     [](Row r) -> Cell { return r.scene.id(r.shown); }},
    {{"timestamp", "", Role::start},
     [](Row r) -> Cell { return known(r.scene.start_of(r.shown.node)); }},
    {{"agent", "agent that ran the step, as far as recorded; user: a message of the user",
      Role::agent, true},
     [](Row r) -> Cell { return r.scene.names.text(r.scene.story.agent(r.node)); }},
    {{"type",
      "LLM_CALL, STATIC_ANALYSIS, TEST_RUN, MODEL_SWITCH, REFLEXION_ACTION, USER_QUERY or OTHER",
      Role::type, true},
     [](Row r) -> Cell { return Door::own(word(r.node.type)); }},
    {{"model", "", Role::model}, [](Row r) -> Cell { return known(r.scene.names.text(r.model)); }},
    {{"promptSummary", "start of the prompt, or of the chain of thought", CellKind::text}, prompt},
    {{"tokensIn", "input tokens sent, cached or not", Role::input},
     [](Row r) -> Cell { return known(tokens_sent(r.node.tokens)); }},
    {{"tokensOut", "", Role::output}, [](Row r) -> Cell { return known(r.node.tokens.output); }},
    {{"latencyMs", "", Role::duration}, [](Row r) -> Cell { return known(r.node.latency); }},
    {{"costUsd", "", Role::cost}, [](Row r) -> Cell { return r.cost(); }},
    {{"status",
      "OK, ERROR, WARNING or SKIPPED; any other status in the log is in details.originalStatus",
      Role::status, true},
     [](Row r) -> Cell { return Door::own(word(r.node.status)); }},
    {{"task", "task that it belongs to; the run or session if the log names no task", Role::task},
     [](Row r) -> Cell { return known(r.scene.names.text(r.scene.story.task(r.node))); }},
    {{"at", "location of the record", Role::place, true},
     [](Row r) -> Cell { return r.scene.place_of(r.shown.node); }},
    {{"details",
      "fields of its type (ruleId, severity, file, line; testSuite, coverage; oldModel, newModel, "
      "reason); costSpike (its cost as a multiple of the median of its task, if unusual); how it "
      "was correlated; for a summary, its contents",
      CellKind::entries,
      false,
      {},
      Role::detail},
     details},
    {kAnnotationsColumn,
     [](Row r) { return annotation_cell(annotations_of(r), r.scene, r.arena); }},
    {{"label", "the step in few words: the tools, the test, the rule, the models", Role::name},
     [](Row r) -> Cell { return r.scene.question.door.composed(words_of(r)); }},
    {{"note", "its own word for the status, a missing counterpart, a cost spike", Role::error},
     [](Row r) { return known(r.scene.question.door.composed(notes_of(r))); }},
    {{"turn", "with --hints: number of the user's turn that the call belongs to",
      CellKind::integer},
     [](Row r) -> Cell { return if_hinted(r, turn); }},
    {{"color", "with --hints: CSS color", CellKind::text},
     [](Row r) -> Cell { return if_hinted(r, [](Row of) -> Cell { return color(of); }); }},
    {{"tooltip", "with --hints: tooltip", CellKind::text},
     [](Row r) -> Cell { return if_hinted(r, [](Row of) -> Cell { return tooltip(of); }); }},
    {{"size", "with --hints: 20 to 60, by latency", CellKind::integer},
     [](Row r) -> Cell { return if_hinted(r, [](Row of) -> Cell { return size(of.node); }); }},
};

/// A field of nodes, by its key.
consteval Field<ExplanationRow> field_of(std::string_view key) {
  for (const Field<ExplanationRow>& field : kFields)
    if (field.column.key == key) return field;
  throw "no field has this key";
}
constexpr Field<ExplanationRow> kMembers[] = {
    field_of("id"),        field_of("label"),   field_of("agent"),  field_of("timestamp"),
    field_of("latencyMs"), field_of("costUsd"), field_of("status"), field_of("at")};

struct SummaryRow {
  const ExplanationScene& scene;
  const Summary& summary;
  CellArena& arena;
};

Cell members(const SummaryRow& row) {
  Texts members;
  for (uint32_t member : row.summary.members) members.push_back(row.scene.id({member, nullptr}));
  return row.arena.keep(std::move(members));
}

Cell steps(const SummaryRow& row) {
  constexpr size_t kMost = 100;  // as many as somebody looks through
  Table table = table_of<kMembers>({});
  for (size_t i = 0; i < row.summary.members.size() && i < kMost; ++i)
    add_fields(kMembers, ExplanationRow(row.scene, {row.summary.members[i], nullptr}, row.arena),
               table);
  return row.arena.keep(std::move(table));
}

constexpr Field<SummaryRow> kSummaries[] = {
    {{"id", "id of the summary node", Role::id, true},
     [](const SummaryRow& row) -> Cell {
       return row.scene.id({row.summary.first, &row.summary});
     }},
    {{"members", "ids of the nodes that --expand ID shows instead", Role::members, true}, members},
    {{"steps", "the first 100 members, as --expand ID shows them", CellKind::rows, true,
      columns_of<kMembers>()},
     steps},
};

// --- edges ------------------------------------------------------------------------------------

using EdgeRow = const StoryEdgeRow&;

struct StoryAlternative {
  const StoryNames& names;
  const Rival<uint32_t>& rival;
};
constexpr Field<StoryAlternative> kAlternatives[] = {
    {{"source", "alternative source: another node that would have fitted", Role::source, true},
     [](const StoryAlternative& row) -> Cell { return row.names.id_of(row.rival.from); }},
    {{"confidence", "", Role::confidence, true},
     [](const StoryAlternative& row) -> Cell { return thousandths(row.rival.confidence); }},
};

Cell alternatives(EdgeRow r) {
  Table table = table_of<kAlternatives>({});
  for (const Rival<uint32_t>& other : r.edge.rivals)
    add_fields(kAlternatives, {r.names, other}, table);
  return some(std::move(table), r.arena);
}

constexpr Field<StoryEdgeRow> kEdgeFields[] = {
    {{"from", "the earlier node", Role::source, true},
     [](EdgeRow r) -> Cell { return r.names.id_of(r.edge.from); }},
    {{"to", "the later node", Role::target, true},
     [](EdgeRow r) -> Cell { return r.names.id_of(r.edge.to); }},
    {always(kRelationColumn), [](EdgeRow r) -> Cell { return Door::own(word(r.edge.relation)); }},
    {{"confidence", "share of edges with this evidence that are right, 0 to 1", Role::confidence,
      true},
     [](EdgeRow r) -> Cell { return thousandths(r.edge.confidence); }},
    {{"method",
      "rule by which the edge was found; trigger: the event names its trigger; task_order: next in "
      "its task, without any other cause; told: recorded in the graph that was read; adjusted: "
      "passes through nodes that are not shown",
      Role::method, true},
     [](EdgeRow r) -> Cell { return Door::own(word(r.edge.rule)); }},
    {{"hidden", "number of nodes on the way that are not shown", CellKind::integer},
     [](EdgeRow r) -> Cell { return some(static_cast<int64_t>(r.edge.hidden)); }},
    {{"evidence.id", "id that both ends share", Role::evidence},
     [](EdgeRow r) -> Cell { return known(r.names.key_of(r.edge)); }},
    {{"evidence.at", "locations of both ends", CellKind::texts, true},
     [](EdgeRow r) -> Cell {
       return r.arena.keep(Texts{r.names.place_of(r.edge.from), r.names.place_of(r.edge.to)});
     }},
    {kAnnotationsColumn, [](EdgeRow r) { return r.names.notes_of(r.edge, r.arena); }},
    {{"alternatives", "other nodes that would have fitted", CellKind::rows, false,
      columns_of<kAlternatives>(), Role::alternatives},
     alternatives},
};

}  // namespace

Cell ExplanationScene::notes_of(const StoryEdge& edge, CellArena& arena) const {
  if (annotations.empty()) return {};
  auto name = [&](uint32_t at) { return name_of(graph, story.nodes[at]); };
  auto found = annotations.find(name(edge.from) + ' ' + name(edge.to));
  return found == annotations.end() ? Cell() : annotation_cell(found->second, *this, arena);
}

std::string code_place(const ExplanationRow& row) {
  return code_place_of(row);
}

std::span<const Field<ExplanationRow>> explanation_fields() {
  return kFields;
}
std::span<const Column> explanation_columns() {
  return columns_of<kFields>();
}
std::span<const Column> summary_columns() {
  return columns_of<kSummaries>();
}
void write_summaries(const ExplanationScene& scene, const Stream::Write& write) {
  Rows<SummaryRow> rows(kSummaries, scene.question.door, write);
  for (const Summary& summary : scene.folded.summaries) rows.write({scene, summary, rows.arena()});
}
std::span<const Field<StoryEdgeRow>> story_edge_fields() {
  return kEdgeFields;
}
std::span<const Column> story_edge_columns() {
  return columns_of<kEdgeFields>();
}

}  // namespace xtrace
