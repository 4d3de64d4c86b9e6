#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <unordered_set>

#include "view/common/field.h"
#include "view/common/words.h"
#include "view/convert/convert.h"
#include "view/convert/span_ids.h"

namespace xtrace {

namespace {

/// What the span cannot express about its cause: which rule found it, and its confidence. The cause
/// itself is absent if only others may be the cause.
struct HopLinkRow {
  Cell span{}, trace{};
  Text method{};
  double confidence;
  bool is_rival = false;
};
constexpr Field<HopLinkRow> kHopLinks[] = {
    {{"span", ""}, member<&HopLinkRow::span>},
    {{"trace", ""}, member<&HopLinkRow::trace>},
    {{"method", ""}, [](const HopLinkRow& row) { return known(row.method); }},
    {{"confidence", ""}, member<&HopLinkRow::confidence>},
    {{"alternative", ""}, [](const HopLinkRow& row) { return if_true(row.is_rival); }},
};

/// The other observations of the hop.
struct ObservationRow {
  const HopScene& scene;
  const Span& seen;
};
constexpr Field<ObservationRow> kObservations[] = {
    {{"id", ""},
     [](const ObservationRow& row) {
       return Cell(row.scene.once(row.scene.question.graph.trace()[row.seen.shown_id()]));
     }},
    {{"start_ns", ""},
     [](const ObservationRow& row) {
       return row.seen.start == kNoTime ? Cell()
                                        : Cell(int64_t{row.seen.start.time_since_epoch().count()});
     }},
    {{"duration_ns", ""},
     [](const ObservationRow& row) {
       return row.seen.duration == kNoDuration ? Cell() : Cell(int64_t{row.seen.duration.count()});
     }},
    {{"inbound", ""}, [](const ObservationRow& row) { return if_true(row.seen.inbound); }},
    {{"error", ""},
     [](const ObservationRow& row) { return if_true(row.seen.outcome == Outcome::error); }},
};

constexpr TracedSpan::Kind kind_of(SpanKind kind) {
  switch (kind) {
    case SpanKind::client: return TracedSpan::Kind::client;
    case SpanKind::server: return TracedSpan::Kind::server;
    case SpanKind::producer: return TracedSpan::Kind::producer;
    case SpanKind::consumer: return TracedSpan::Kind::consumer;
    case SpanKind::internal:
    case SpanKind::unknown: break;
  }
  return TracedSpan::Kind::internal;
}

/// As many digits as a share is worth: those of a float.
double rounded(double share) {
  return std::strtod(fmt::format("{}", static_cast<float>(share)).c_str(), nullptr);
}

class HopSpans {
 public:
  explicit HopSpans(const HopScene& scene) : scene_(scene) {
    SpanKeys keys;
    for (const Run& run : scene.hops.runs)
      trace_of_.push_back(trace_key_of(scene.names.text(run.id).view()));
    size_t mark = door().composed_so_far();
    for (const Hop& hop : scene.hops.all) {
      key_of_.push_back(keys.give(trace_of_[hop.run], scene.once(trace()[hop.id]).view()));
      door().forget_composed(mark);
      represents_hop_.insert(hop.span.index);
    }
  }

  void write(const SpanStream::Write& write) {
    size_t mark = door().composed_so_far();
    for (const Run& run : scene_.hops.runs)
      for (HopId id : run.hops) {
        if (!scene_.selection.shows(id)) continue;
        if (Time start = scene_.hops[id].start; start != kNoTime)
          previous_ = std::max(start, Time{});
        Door::At at(door(), scene_.names.place(scene_.hops[id].at));
        write(span_of(id));
        arena_.clear();
        door().forget_composed(mark);
      }
  }

 private:
  Door& door() const { return scene_.question.door; }
  const Trace& trace() const { return scene_.question.graph.trace(); }
  Text name(StringId id) const { return scene_.names.text(id); }
  Text composed(std::string text) const { return door().composed(std::move(text)); }
  Text trace(const Hop& hop) const { return composed(hex(trace_of_[hop.run])); }
  Text key(HopId id) const { return composed(hex(key_of_[id.index])); }

  TracedSpan span_of(HopId id) const {
    const Hop& hop = scene_.hops[id];
    const Span& of = scene_.span(hop);
    TracedSpan span;
    Entries& out = span.attributes;
    span.trace = trace(hop);
    span.id = key(id);
    span.service = of.service ? name(of.service) : Text("unknown_service");
    span.kind = kind_of(of.kind);
    span.failed = hop.outcome == Outcome::error;
    set_name(name(of.operation), span);
    out.add("xtrace.node", Text("hop"));
    if (!is_known(hop.outcome)) out.add("xtrace.status", Door::own(word(hop.outcome)));
    if (Text own = scene_.once(trace()[hop.id]); own != span.id) out.add("xtrace.id", own);
    add_sides(hop, of, out);
    out.add("gen_ai.conversation.id", known(scene_.names.text(scene_.hops.runs[hop.run].session)));
    add_names(of, out);
    out.add("xtrace.tool", known(name(hop.tool)));
    out.add("gen_ai.agent.name",
            known(scene_.names.text(scene_.question.graph.activities().of(id).agent.recorded())));
    if (of.gen_ai) add_gen_ai(trace()[of.gen_ai], out);
    if (span.failed && of.gen_ai) add_error(trace()[of.gen_ai], out);
    span.start = previous_;
    set_times(hop.start, hop.duration, span);
    add_observations(hop, out);
    add_causes(id, span);
    if (scene_.question.shows_payload()) add_payload(of, span);
    return span;
  }

  /// Who called whom: in the words of the log, where it has any, else in ours.
  void add_sides(const Hop& hop, const Span& of, Entries& out) const {
    StringId from, to, kind, principal = of.principal;
    for (SpanId id : scene_.hops.observations_of(hop)) {
      const Span& seen = trace()[id];
      if (!from) from = seen.from;
      if (!to) to = seen.to;
      if (!kind) kind = seen.hop_kind;
      if (!principal) principal = seen.principal;
    }
    Text run = scene_.names.text(scene_.hops.runs[hop.run].id);
    if (of.run)
      out.add("trust.run_id", run);
    else if (run != composed(hex(trace_of_[hop.run])))
      out.add("xtrace.trace", run);
    out.add(from ? Text("trust.source") : Text("xtrace.source"), known(scene_.actor(hop.from)));
    out.add(to ? Text("trust.target") : Text("xtrace.target"), known(scene_.actor(hop.to)));
    out.add(kind ? Text("trust.hop_kind") : Text("xtrace.hop_kind"), known(scene_.kind(hop.kind)));
    out.add(of.run ? Text("trust.principal_id") : Text("user.id"), known(name(principal)));
  }

  void add_names(const Span& of, Entries& out) const {
    out.add("http.route", known(name(of.route)));
    out.add("peer.service", known(name(of.peer)));
    out.add("query.id", known(name(of.query)));
    out.add("project.id", known(name(of.project)));
    if (of.task_step) add_step(trace()[of.task_step], out);
  }

  /// What it is in the story of a task (facts/task_step.h).
  void add_step(const TaskStep& step, Entries& out) const {
    out.add("component", known(name(step.component)));
    out.add("request.id", known(name(step.request)));
    out.add("task.id", known(name(step.task)));
    out.add("trigger.id", known(name(step.trigger)));
    const std::vector<Remark>& remarks = trace().remarks;
    for (size_t i = step.first_remark; i < step.first_remark + step.remarks; ++i)
      out.add(Door::own(remarks[i].key), cell_of(remarks[i]));
  }

  Cell cell_of(const Remark& remark) const {
    if (remark.kind == Remark::Kind::name) return known(name(remark.text));
    if (remark.kind == Remark::Kind::payload)
      return scene_.question.shows_payload() ? known(door().payload(trace()[remark.text])) : Cell();
    constexpr double kExact = 9e15;  // doubles represent all whole numbers below it
    const bool is_whole =
        std::abs(remark.number) < kExact && std::trunc(remark.number) == remark.number;
    return is_whole ? Cell(static_cast<int64_t>(remark.number)) : Cell(remark.number);
  }

  void add_error(const GenAi& ai, Entries& out) const {
    bool is_class_known = ai.tool_error != ToolError::none && ai.tool_error != ToolError::other;
    Text error = name(ai.error);
    out.add("error.type",
            known(error.empty() && is_class_known ? Door::own(word(ai.tool_error)) : error));
  }

  void add_gen_ai(const GenAi& ai, Entries& out) const {
    constexpr Text kOperations[] = {{}, "invoke_agent", "execute_tool", "chat", "retrieval"};
    out.add("gen_ai.operation.name", known(kOperations[static_cast<size_t>(ai.role)]));
    out.add("gen_ai.tool.name", known(name(ai.tool)));
    out.add("gen_ai.tool.call.id", known(name(ai.tool_call)));
    out.add("gen_ai.provider.name", known(name(ai.provider)));
    out.add("gen_ai.response.model", known(name(ai.model)));
    out.add("gen_ai.data_source.id", known(name(ai.searched)));
    add_usage(ai.tokens, out);
    out.add("gen_ai.usage.cost", dollars(ai.cost));
    if (ai.retries > 0) out.add("xtrace.retries", int64_t{ai.retries});
  }

  /// Those that are no hop of their own, as the calling half of a call between services is.
  void add_observations(const Hop& hop, Entries& out) const {
    Table table = table_of<kObservations>({});
    for (SpanId id : scene_.hops.observations_of(hop)) {
      if (id == hop.span || represents_hop_.contains(id.index)) continue;
      add_fields(kObservations, {scene_, trace()[id]}, table);
    }
    out.add("xtrace.observations", some(std::move(table), arena_));
  }

  /// A parent where that is recorded or sure; else links, each with how sure it is, as for whatever
  /// else led to it. Rows say by which rule, that of the cause first, unless a parent says it all.
  void add_causes(HopId id, TracedSpan& span) const {
    const Hop& hop = scene_.hops[id];
    Table table = table_of<kHopLinks>({});
    bool has_row = false;
    if (scene_.selection.shows_cause_of(id)) {
      const HopEdge main{{hop.cause, id, hop.rule}, hop.confidence};
      const bool is_parent = hop.rule != Rule::follows_from &&
                             scene_.hops[hop.cause].run == hop.run && is_sure(hop.confidence);
      if (is_parent)
        span.parent = key(hop.cause);
      else
        add_link(main, false, span);
      has_row = hop.rule != Rule::parent || !is_parent || hop.confidence < 1;
      const bool has_more = !scene_.hops.more_edges_into(id).empty();
      if (has_row || has_more) add_row(main, false, table);
    } else if (!hop.cause && hop.alternatives > 0) {
      has_row = true;
      add_fields(kHopLinks,
                 {.method = Door::own(word(hop.rule)), .confidence = rounded(hop.confidence)},
                 table);
    }
    for (const HopEdge& more : scene_.hops.more_edges_into(id)) {
      if (!scene_.shows(more)) continue;
      add_link(more, false, span);
      add_row(more, false, table);
    }
    for (const Rival<HopId>& other : scene_.hops.alternatives_of(hop)) {
      if (!has_row || !scene_.selection.shows(other.from)) continue;
      const HopEdge rival{{other.from, id, hop.rule}, other.confidence};
      add_link(rival, true, span);
      add_row(rival, true, table);
    }
    span.attributes.add("xtrace.links", some(std::move(table), arena_));
    if (!has_row || !hop.cause) return;
    span.attributes.add("xtrace.cause.method", Door::own(word(hop.rule)));
    span.attributes.add("xtrace.cause.confidence", rounded(hop.confidence));
  }

  void add_row(const HopEdge& edge, bool is_rival, Table& table) const {
    const Hop &from = scene_.hops[edge.from], &to = scene_.hops[edge.to];
    add_fields(kHopLinks,
               {.span = key(edge.from),
                .trace = from.run == to.run ? Cell() : Cell(trace(from)),
                .method = is_rival ? Text() : Door::own(word(edge.rule)),
                .confidence = rounded(edge.confidence),
                .is_rival = is_rival},
               table);
  }

  void add_link(const HopEdge& edge, bool is_rival, TracedSpan& span) const {
    TracedSpan::Link link{trace(scene_.hops[edge.from]), key(edge.from), {}};
    link.attributes.add("xtrace.link.type", Door::own(cause_word(edge)));
    link.attributes.add("xtrace.link.method", Door::own(word(edge.rule)));
    link.attributes.add("xtrace.link.confidence", rounded(edge.confidence));
    link.attributes.add("xtrace.link.alternative", if_true(is_rival));
    span.links.push_back(std::move(link));
  }

  void add_payload(const Span& of, TracedSpan& span) const {
    StepRecord step = scene_.question.payloads->step(of);
    span.attributes.add("input.value", known(door().field("inputs", step.inputs)));
    span.attributes.add("output.value", known(door().field("outputs", step.outputs)));
  }

  const HopScene& scene_;
  mutable CellArena arena_;
  std::vector<TraceKey> trace_of_;  ///< by run
  std::vector<uint64_t> key_of_;    ///< by hop
  std::unordered_set<uint32_t> represents_hop_;
  Time previous_{};  ///< when the last hop began of which that is known
};

}  // namespace

SpanStream spans_of_hops(std::shared_ptr<const HopScene> scene) {
  return {[scene = std::move(scene)](const SpanStream::Write& write) {
    HopSpans(*scene).write(write);
  }};
}

}  // namespace xtrace
