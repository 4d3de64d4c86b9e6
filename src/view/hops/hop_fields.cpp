#include "view/hops/hop_fields.h"

#include "view/hops/hop_words.h"
#include "view/hops/span_texts.h"

namespace xtrace {

namespace {

using Row = const HopRow&;

/// What the text of a timestamp in microseconds can tell.
Cell moment(Time time) {
  return known(Moment{time, 6});
}

Cell name(Row r, StringId id) {
  return known(r.scene.names.text(id));
}

struct HopAlternative {
  const HopScene& scene;
  const Rival<HopId>& rival;
};
constexpr Field<HopAlternative> kAlternatives[] = {
    {{"source", "alternative source: another hop that would have fitted", Role::source, true},
     [](const HopAlternative& row) -> Cell { return row.scene.name(row.rival.from); }},
    {{"confidence", "", Role::confidence, true},
     [](const HopAlternative& row) -> Cell { return thousandths(row.rival.confidence); }},
};

Cell alternatives(const HopScene& scene, const Hop& hop, CellArena& arena) {
  if (hop.alternatives == 0) return {};
  Table table = table_of<kAlternatives>({});
  for (const Rival<HopId>& other : scene.hops.alternatives_of(hop))
    add_fields(kAlternatives, {scene, other}, table);
  return arena.keep(std::move(table));
}

Cell more_alternatives(const Hop& hop) {
  return hop.more_alternatives > 0 ? Cell(int64_t{hop.more_alternatives}) : Cell();
}

Cell observations(Row r) {
  if (r.hop.observations < 2) return {};
  Texts places;
  for (SpanId id : r.scene.hops.observations_of(r.hop))
    places.push_back(r.scene.names.at(r.scene.question.graph.trace()[id].source));
  return r.arena.keep(std::move(places));
}

Cell observation_ids(Row r) {
  const Trace& trace = r.scene.question.graph.trace();
  Texts ids;
  bool differ = false;
  for (SpanId id : r.scene.hops.observations_of(r.hop)) {
    differ |= trace[id].shown_id() != r.hop.id;
    ids.push_back(r.scene.once(trace[trace[id].shown_id()]));
  }
  return differ ? Cell(r.arena.keep(std::move(ids))) : Cell();
}

Cell children(Row r) {
  Texts ids;
  for (HopId effect : r.effects) ids.push_back(r.scene.name(effect));
  return some(std::move(ids), r.arena);
}

Cell more_causes(Row r) {
  Texts ids;
  for (const HopEdge& edge : r.scene.hops.more_edges_into(r.id))
    ids.push_back(r.scene.name(edge.from));
  return some(std::move(ids), r.arena);
}

const Activity& activity(Row r) {
  return r.scene.question.graph.activities().of(r.id);
}
const GenAi& told(Row r) {
  return told_by(r.scene, r.hop);
}

Cell details(Row r, SpanDetail::Kind kind) {
  const Trace& trace = r.scene.question.graph.trace();
  int64_t count = 0;
  for (const Detail& detail : r.scene.hops.details_of(r.id))
    count += trace.span_details[detail.at].kind == kind;
  return some(count);
}

Cell span_words_in(Row r, SpanText which) {
  return r.hop.span ? known(span_text(r.scene.question, r.scene.span(r.hop), which)) : Cell();
}

constexpr Field<HopRow> kFields[] = {
    {{"id", "span id; `~2` marks a second span with the same id", Role::id, true},
     [](Row r) -> Cell { return r.scene.name(r.id); }},
    {{"type", "hop: a span in which one actor calls another; span: work inside one actor",
      Role::type, true},
     [](Row r) -> Cell { return r.hop.is_call() ? Text("hop") : Text("span"); }},
    {{"at", "location of the span: file@offset (in bytes), or file:line", Role::place, true},
     [](Row r) -> Cell { return r.scene.at(r.hop); }},
    {{"run", "run id, or the trace id if there is none", Role::session, true},
     [](Row r) -> Cell { return r.scene.names.text(r.scene.hops.runs[r.hop.run].id); }},
    {{"name", "name of the operation", Role::name},
     [](Row r) -> Cell { return name(r, r.scene.span(r.hop).operation); }},
    {{"service", "service that reported the span", Role::service},
     [](Row r) -> Cell { return name(r, r.scene.span(r.hop).service); }},
    {{"source", "the caller", Role::source},
     [](Row r) -> Cell { return known(r.scene.actor(r.hop.from)); }},
    {{"target", "the actor called", Role::target},
     [](Row r) -> Cell { return known(r.scene.actor(r.hop.to)); }},
    {{"hop_kind", "", Role::kind}, [](Row r) -> Cell { return known(r.scene.kind(r.hop.kind)); }},
    {{"timestamp", "start of the hop, as recorded by the actor called", Role::start},
     [](Row r) -> Cell { return moment(r.hop.start); }},
    {{"duration_ms", "", Role::duration}, [](Row r) -> Cell { return known(r.hop.duration); }},
    {{"status", "ok or error; unfinished: no end is recorded; unknown: no outcome is recorded",
      Role::status, true},
     [](Row r) -> Cell { return Door::own(word(r.hop.outcome)); }},
    {{"agent.name", "agent that runs in this span, or that does the work", Role::agent},
     [](Row r) -> Cell {
       const Activity& done = r.scene.question.graph.activities().of(r.id);
       return known(r.scene.names.text(done.agent.recorded()));
     }},
    {{"tool.name", "", CellKind::text}, [](Row r) { return name(r, told(r).tool); }},
    {{"tool.call_id", "tool use id", CellKind::text},
     [](Row r) { return name(r, told(r).tool_call); }},
    {{"model", "model that replied; if not recorded, the requested model", Role::model},
     [](Row r) { return name(r, told(r).model); }},
    {{"tokens.input",
      "uncached input tokens; a call recorded by several spans counts once; for a span that "
      "encloses calls, only the excess over those calls",
      Role::input},
     [](Row r) { return known(usage_at(r.scene, r.id).tokens.input); }},
    {{"tokens.output", "", Role::output},
     [](Row r) { return known(usage_at(r.scene, r.id).tokens.output); }},
    {{"tokens.total", "the sum of all four token counts", Role::tokens},
     [](Row r) { return known(total_of(usage_at(r.scene, r.id).tokens)); }},
    {{"tokens.cache_read", "", Role::cache_read},
     [](Row r) { return known(usage_at(r.scene, r.id).tokens.cache_read); }},
    {{"tokens.cache_creation", "", Role::cache_write},
     [](Row r) { return known(usage_at(r.scene, r.id).tokens.cache_creation); }},
    {{"cost_usd",
      "cost of these tokens, or the cost that the span states beyond the calls below it",
      Role::cost},
     [](Row r) -> Cell { return dollars(usage_at(r.scene, r.id).cost); }},
    {{"cost_from", "log: recorded by the span; table: computed from tokens and the price list",
      CellKind::text},
     [](Row r) -> Cell {
       if (usage_at(r.scene, r.id).cost < 0) return {};
       const UnplacedUsage* row = r.scene.question.graph.activities().ledger.of(r.id);
       const bool is_recorded =
           row == nullptr ? activity(r).cost_is_recorded : row->cost_is_recorded;
       return is_recorded ? Text("log") : Text("table");
     }},
    {{"cost_is_partial",
      "true if the real cost is higher, because a fee, a price or a count is unknown",
      Role::cost_is_partial},
     [](Row r) -> Cell {
       return if_true(r.scene.question.graph.activities().counted_at(r.id).cost_is_partial);
     }},
    {{"log_records", "number of log records about the span", CellKind::integer},
     [](Row r) { return details(r, SpanDetail::Kind::log_record); }},
    {{"exemplars", "number of measurements taken during the span", CellKind::integer},
     [](Row r) { return details(r, SpanDetail::Kind::exemplar); }},
    {{"parent", "hop that caused it", Role::parent},
     [](Row r) -> Cell {
       return r.scene.selection.shows_cause_of(r.id) ? Cell(r.scene.name(r.hop.cause)) : Cell();
     }},
    {{"children", "hops that it caused", Role::children}, children},
    {{"also_caused_by", "further hops that the span records as causes", CellKind::texts},
     more_causes},
    {{"alternatives",
      "hops that could be the cause; only if the most likely cause is not in the input",
      CellKind::rows, false, columns_of<kAlternatives>()},
     [](Row r) -> Cell { return r.hop.cause ? Cell() : alternatives(r.scene, r.hop, r.arena); }},
    {{"observations", "ids of all observations of the hop, if they differ", CellKind::texts},
     observation_ids},
    {{"observed_at", "locations of all observations of the hop, if there are several",
      CellKind::texts},
     observations},
    {{"more_alternatives", "how many more alternatives there are, less likely and not listed",
      CellKind::integer},
     [](Row r) -> Cell { return r.hop.cause ? Cell() : more_alternatives(r.hop); }},
    {kSpanPrompt, [](Row r) { return span_words_in(r, SpanText::prompt); }},
    {kSpanAnswer, [](Row r) { return span_words_in(r, SpanText::answer); }},
    {kSpanArguments, [](Row r) { return span_words_in(r, SpanText::arguments); }},
    {kSpanResult, [](Row r) { return span_words_in(r, SpanText::result); }},
};

using EdgeRow = const HopEdgeRow&;

constexpr Field<HopEdgeRow> kEdgeFields[] = {
    {{"source", "the cause", Role::source, true},
     [](EdgeRow r) -> Cell { return r.scene.name(r.edge.from); }},
    {{"target", "the effect", Role::target, true},
     [](EdgeRow r) -> Cell { return r.scene.name(r.edge.to); }},
    {{"type", "parent: recorded; causal: inferred from time", Role::type, true},
     [](EdgeRow r) -> Cell { return Door::own(cause_word(r.edge)); }},
    {{"confidence", "share of edges with this evidence that are right, 0 to 1", Role::confidence,
      true},
     [](EdgeRow r) -> Cell { return thousandths(r.edge.confidence); }},
    {{"method", "rule by which the edge was found", Role::method, true},
     [](EdgeRow r) -> Cell { return Door::own(word(r.edge.rule)); }},
    {{"evidence.at", "locations of both ends", CellKind::texts, true},
     [](EdgeRow r) -> Cell {
       return r.arena.keep(Texts{r.scene.at(r.scene.hops[r.edge.from]), r.scene.at(r.hop())});
     }},
    {{"alternatives", "other causes that would have fitted", CellKind::rows, false,
      columns_of<kAlternatives>(), Role::alternatives},
     [](EdgeRow r) -> Cell {
       return r.is_from_cause() ? alternatives(r.scene, r.hop(), r.arena) : Cell();
     }},
    {{"missing_parent",
      "parent named by the span, but not in the input; the source was inferred from time",
      CellKind::text},
     [](EdgeRow r) -> Cell {
       const StringId missing = r.hop().missing_parent;
       return missing && r.is_from_cause()
                  ? Cell(r.scene.once(r.scene.question.graph.trace()[missing]))
                  : Cell();
     }},
    {{"more_alternatives", "how many more alternatives there are, less likely and not listed",
      CellKind::integer},
     [](EdgeRow r) -> Cell { return r.is_from_cause() ? more_alternatives(r.hop()) : Cell(); }},
};

}  // namespace

std::span<const Field<HopRow>> hop_fields() {
  return kFields;
}
std::span<const Column> hop_columns() {
  return columns_of<kFields>();
}
std::span<const Field<HopEdgeRow>> hop_edge_fields() {
  return kEdgeFields;
}
std::span<const Column> hop_edge_columns() {
  return columns_of<kEdgeFields>();
}

}  // namespace xtrace
