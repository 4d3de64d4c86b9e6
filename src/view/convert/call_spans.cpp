#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "link/graph/queries.h"
#include "prices/model_name.h"
#include "view/calls/unplaced.h"
#include "view/common/shown_targets.h"
#include "view/common/words.h"
#include "view/convert/convert.h"
#include "view/convert/quoted_messages.h"
#include "view/convert/span_ids.h"

namespace xtrace {

namespace {

struct ConvertedUse {
  const CallScene& scene;
  const Activity& done;
  CellArena& arena;

  Cell name(StringId id) const { return known(scene.names.text(id)); }
  /// The link describes a result that a later call reads.
  bool is_unread() const { return !done.reader && done.outcome != Outcome::unanswered; }
};

Cell in_nanoseconds(Duration length) {
  return length == kNoDuration ? Cell() : Cell(int64_t{length.count()});
}

constexpr Field<ConvertedUse> kUses[] = {
    {{"id", ""}, [](const ConvertedUse& row) { return row.name(row.done.use->id); }},
    {{"name", ""}, [](const ConvertedUse& row) { return row.name(row.done.use->name); }},
    {{"target", ""},
     [](const ConvertedUse& row) {
       return known(shown_target(row.scene.question.door, row.scene.names, *row.done.use));
     }},
    {{"subagent_type", ""},
     [](const ConvertedUse& row) { return row.name(row.done.use->subagent_type); }},
    {{"skill", ""}, [](const ConvertedUse& row) { return row.name(row.done.use->skill); }},
    {{"agent_id", ""}, [](const ConvertedUse& row) { return row.name(row.done.subagent); }},
    {{"took_ns", ""},
     [](const ConvertedUse& row) {
       return in_nanoseconds(row.done.ran.is_measured ? row.done.ran.length : kNoDuration);
     }},
    {{"until_ns", ""}, [](const ConvertedUse& row) { return in_nanoseconds(row.done.ran.until); }},
    {{"in_answer", "", CellKind::boolean},
     [](const ConvertedUse& row) { return if_true(row.done.ran.is_inside); }},
    {{"timed", "", CellKind::boolean},
     [](const ConvertedUse& row) { return if_true(row.done.ran.is_timed); }},
    {{"outcome", ""},
     [](const ConvertedUse& row) {
       return row.is_unread() ? known(Door::own(word(row.done.outcome))) : Cell();
     }},
    {{"error", ""},
     [](const ConvertedUse& row) {
       return row.is_unread() && row.done.outcome == Outcome::error
                  ? known(Door::own(word(row.done.tool_error)))
                  : Cell();
     }},
    {{"targets", "", CellKind::texts},
     [](const ConvertedUse& row) {
       return several_targets(row.scene.graph.trace(), row.scene.names, *row.done.use, row.arena);
     }},
    {{"patches", "", CellKind::boolean},
     [](const ConvertedUse& row) { return if_true(row.done.use->patches); }},
};

/// Measurements of the session by its client.
struct ClientMeasurement {
  const Measurement& one;
  Text event;  ///< of a hook
};
constexpr Field<ClientMeasurement> kClientMeasurementFields[] = {
    {{"key", ""}, [](const ClientMeasurement& row) { return Cell(Door::own(row.one.key)); }},
    {{"time_ns", ""},
     [](const ClientMeasurement& row) {
       return Cell(int64_t{row.one.time.time_since_epoch().count()});
     }},
    {{"number", ""}, [](const ClientMeasurement& row) { return Cell(row.one.number); }},
    {{"event", ""}, [](const ClientMeasurement& row) { return known(row.event); }},
};

/// Tool results of which nobody knows who asked for them.
constexpr Field<Text> kOrphans[] = {
    {{"id", ""}, [](const Text& id) { return Cell(id); }},
};

/// A link of the call, or another one that would have fitted as well.
struct ConvertedLink {
  const CallScene& scene;
  CallId from;
  ToolUseId use;
  double confidence;
  const Link& link;  ///< of an alternative an empty one
  bool is_alternative = false;
};

Cell id_of_use(const ConvertedLink& row) {
  const Trace& trace = row.scene.graph.trace();
  return row.use ? known(row.scene.names.text(trace.tool_uses[row.use.index].id)) : Cell();
}

/// Of one without an id: its place among those of its answer, from 1.
Cell number_of_use(const ConvertedLink& row) {
  const std::vector<ToolUse>& uses = row.scene.graph.trace().tool_uses;
  if (!row.use || uses[row.use.index].id) return {};
  uint32_t first = row.use.index;
  while (first > 0 && uses[first - 1].message == uses[row.use.index].message) --first;
  return int64_t{row.use.index - first + 1};
}

/// Links of the call, each with those behind it that would have fitted as well.
constexpr Field<ConvertedLink> kLinks[] = {
    {{"from", ""}, [](const ConvertedLink& row) { return Cell(row.scene.names.id(row.from)); }},
    {{"type", ""},
     [](const ConvertedLink& row) {
       return row.is_alternative ? Cell() : Cell(Door::own(word(row.link.kind)));
     }},
    {{"method", ""},
     [](const ConvertedLink& row) {
       return row.is_alternative ? Cell() : Cell(Door::own(word(row.link.rule)));
     }},
    {{"confidence", ""}, member<&ConvertedLink::confidence>},
    {{"alternative", ""}, [](const ConvertedLink& row) { return if_true(row.is_alternative); }},
    {{"id", ""},
     [](const ConvertedLink& row) { return known(row.scene.names.text(row.link.key)); }},
    {{"tool_use", ""}, id_of_use},
    {{"is_error", ""}, [](const ConvertedLink& row) { return if_true(row.link.is_error); }},
    {{"resumed", ""}, [](const ConvertedLink& row) { return if_true(row.link.resumed); }},
    {{"rivals", ""}, [](const ConvertedLink& row) { return some(int64_t{row.link.rivals}); }},
    {{"attempt", ""}, [](const ConvertedLink& row) { return some(int64_t{row.link.attempt}); }},
    {{"shared", ""}, [](const ConvertedLink& row) { return some(int64_t{row.link.shared}); }},
    {{"repeats", ""}, [](const ConvertedLink& row) { return some(int64_t{row.link.repeats}); }},
    {{"error", ""},
     [](const ConvertedLink& row) {
       return row.link.is_error ? known(Door::own(word(row.link.error))) : Cell();
     }},
    {{"again", ""}, [](const ConvertedLink& row) { return if_true(row.link.is_again); }},
    {{"dropped", ""}, [](const ConvertedLink& row) { return some(int64_t{row.link.dropped}); }},
    {{"tool_use_number", ""}, number_of_use},
    {{"is_open", ""}, [](const ConvertedLink& row) { return if_true(row.link.is_open); }},
};

class CallSpans {
 public:
  explicit CallSpans(const CallScene& scene)
      : scene_(scene),
        client_measurements_(client_measurements_by_call(scene.graph)),
        trace_of_(scene.graph.sessions().size()),
        key_of_(scene.graph.trace().calls.size()) {
    for (const Session& session : scene.graph.sessions()) {
      TraceKey& trace = trace_of_[session.number - 1] = trace_of(session);
      for (CallId id : session.calls) {
        key_of_[id.index] = keys_.give(trace, scene.names.id(id).view());
        uint64_t& key = run_key_[run(id)];
        if (key == 0) key = keys_.give(trace, fmt::format("run of {}", scene.names.id(id).view()));
      }
    }
    for (const Orphan& orphan : scene.graph.orphans())
      orphans_[orphan.at].push_back(orphan.tool_use);
  }

  void write(const SpanStream::Write& write) {
    size_t mark = door().composed_so_far();
    for (const Session& session : scene_.graph.sessions())
      for (CallId id : session.calls) {
        if (!scene_.selection.shows(id)) continue;
        Door::At at(door(), scene_.names.place(id));
        if (Time start = scene_.timeline()[id].start; start != kNoTime)
          previous_ = std::max(start, Time{});
        if (begun_.insert(run(id)).second) write(run_of(id));
        write(span_of(id));
        arena_.clear();
        door().forget_composed(mark);
      }
    for (const UnplacedRow& row : scene_.spending.unplaced()) {
      const bool is_of_session = row.usage.session > 0 || row.usage.session_id;
      if (row.usage.hop || !is_of_session) continue;  // spans have their own
      Door::At at(door(), scene_.names.place(row.usage.at));
      write(span_of(row.usage));
      door().forget_composed(mark);
    }
  }

 private:
  Door& door() const { return scene_.question.door; }
  Text name(StringId id) const { return scene_.names.text(id); }
  Text composed(std::string text) const { return door().composed(std::move(text)); }

  /// What an agent did in one session.
  using Run = std::pair<uint32_t, uint32_t>;
  Run run(CallId id) const {
    return {scene_.graph.session_of(id).number, scene_.graph.conversation_of(id).number};
  }

  TraceKey trace_of(const Session& session) const {
    Text named = scene_.names.session(session);
    if (session.id) return trace_key_of(named.view());
    // s1 is the first session of many a log.
    CallId first = session.calls.front();
    return trace_key_of(fmt::format("{} from {} at {}", named.view(), scene_.names.id(first).view(),
                                    session.start.time_since_epoch().count()));
  }

  Text trace(CallId id) const {
    return composed(hex(trace_of_[scene_.graph.session_of(id).number - 1]));
  }
  Text key(CallId id) const { return composed(hex(key_of_[id.index])); }

  bool shows(uint32_t link) const {
    const std::vector<uint32_t>& shown = scene_.selection.links;
    return std::binary_search(shown.begin(), shown.end(), link);
  }

  /// What all spans of an agent bear.
  void add_agent(CallId id, Entries& out) const {
    const Agent& agent = scene_.graph.agent_of(id);
    out.add("gen_ai.agent.id", scene_.names.agent(agent));
    out.add("gen_ai.agent.name", scene_.names.text(agent.type));
    out.add("gen_ai.conversation.id", scene_.names.session(scene_.graph.session_of(id)));
  }

  /// The run of an agent, from its first call to the end of its last.
  TracedSpan run_of(CallId first) const {
    TracedSpan span;
    const Agent& agent = scene_.graph.agent_of(first);
    span.trace = trace(first);
    span.id = composed(hex(run_key_.at(run(first))));
    span.service = scene_.names.text(agent.type);
    span.name = door().say("invoke_agent {}", span.service.view());
    span.attributes.add("gen_ai.operation.name", Text("invoke_agent"));
    add_agent(first, span.attributes);
    span.attributes.add("xtrace.node", Text("agent"));
    const Session& session = scene_.graph.session_of(first);
    span.attributes.add("xtrace.project", known(scene_.names.project(session)));
    span.start = previous_;
    for (CallId id : scene_.graph.conversation_of(first).calls) {
      if (!scene_.selection.shows(id) || run(id) != run(first)) continue;
      Duration took = elapsed(span.start, scene_.timeline()[id].end());
      if (took != kNoDuration) span.duration = std::max(span.duration, took);
      for (uint32_t i : scene_.graph.causes_of(id)) add_spawn(i, first, span);
    }
    return span;
  }

  /// Who is surely the spawner is the parent of the run; who may be is linked.
  void add_spawn(uint32_t i, CallId first, TracedSpan& span) const {
    const Link& link = scene_.links()[i];
    if (link.kind != LinkKind::subagent_spawn || !shows(i)) return;
    bool is_parent = span.parent.empty() && link.to == first && is_sure(confidence(link)) &&
                     scene_.timeline().before(link.from, link.to) &&
                     &scene_.graph.session_of(link.from) == &scene_.graph.session_of(first);
    if (is_parent)
      span.parent = key(link.from);
    else
      span.links.push_back({trace(link.from), key(link.from), words_of(link)});
  }

  static Entries words_of(const Link& link) {
    Entries words;
    words.add("xtrace.link.type", Door::own(word(link.kind)));
    words.add("xtrace.link.method", Door::own(word(link.rule)));
    words.add("xtrace.link.confidence", confidence(link));
    return words;
  }

  TracedSpan span_of(CallId id) const {
    const Call& call = scene_.timeline()[id];
    TracedSpan span;
    span.start = previous_;
    span.trace = trace(id);
    span.id = key(id);
    span.parent = composed(hex(run_key_.at(run(id))));
    span.service = scene_.names.text(scene_.graph.agent_of(id).type);
    span.kind = TracedSpan::Kind::client;
    Text model = name(call.model);
    span.name = model.empty() ? Text("chat") : door().say("chat {}", model.view());
    span.failed = call.outcome == Outcome::error;
    Entries& out = span.attributes;
    out.add("gen_ai.operation.name", Text("chat"));
    add_agent(id, out);
    add_model(id, call, out);
    add_own(id, call, out);
    set_times(call.start, call.duration, span);
    if (call.decimals != 3) out.add("xtrace.decimals", int64_t{call.decimals});
    if (scene_.question.shows_payload()) add_payload(call, span);
    add_uses(id, out);
    add_links(id, span);
    return span;
  }

  /// What a total of the session has beyond its calls.
  TracedSpan span_of(const UnplacedUsage& usage) {
    TracedSpan span;
    // A session may have no call in the input.
    const bool has_calls = usage.session > 0;
    const Text session = has_calls
                             ? scene_.names.session(scene_.graph.sessions()[usage.session - 1])
                             : name(usage.session_id);
    const TraceKey trace = has_calls ? trace_of_[usage.session - 1] : trace_key_of(session.view());
    span.trace = composed(hex(trace));
    span.id = composed(hex(keys_.give(trace, fmt::format("usage {}", usage.at.offset))));
    span.service = Text("usage");
    span.name = Text("usage beyond calls");
    span.start = previous_;
    set_times(usage.time, kNoDuration, span);
    Entries& out = span.attributes;
    out.add("xtrace.node", Text("usage"));
    out.add("xtrace.stated_by", Door::own(kStatedByWords[static_cast<size_t>(usage.stated_by)]));
    out.add("gen_ai.conversation.id", session);
    out.add("xtrace.agent", known(scene_.names.text(usage.agent)));
    out.add("gen_ai.response.model", known(scene_.names.text(usage.model)));
    add_usage(usage.tokens, out);
    out.add("gen_ai.usage.cost", dollars(usage.cost));
    if (usage.cost >= 0)
      out.add("xtrace.cost_from", usage.cost_is_recorded ? Text("log") : Text("table"));
    out.add("xtrace.unpriced", if_true(usage.is_unpriced));
    out.add("xtrace.uncharged", some(usage.uncharged));
    out.add("xtrace.settles_unpriced", some(usage.settles_unpriced));
    out.add("xtrace.cost_is_partial", if_true(usage.cost_is_partial));
    out.add("xtrace.settles_partly", some(usage.settles_partly));
    out.add("xtrace.settles_low", some(usage.settles_low));
    return span;
  }

  void add_model(CallId id, const Call& call, Entries& out) const {
    bool answered = scene_.timeline()[id].outcome == Outcome::ok || call.asked_model != call.model;
    out.add("gen_ai.provider.name",
            known(scene_.names.text(scene_.graph.activities().of(id).provider)));
    out.add("gen_ai.request.model", known(name(call.asked_model)));
    if (answered || !call.asked_model) out.add("gen_ai.response.model", known(name(call.model)));
    if (call.temperature >= 0) out.add("gen_ai.request.temperature", call.temperature);
    out.add("gen_ai.request.max_tokens", known(call.max_tokens));
    if (call.stop_reason)
      out.add("gen_ai.response.finish_reasons", arena_.keep(Texts{name(call.stop_reason)}));
    const Activity& done = scene_.graph.activities().of(id);  // with what its span knows
    add_usage(done.tokens, out);
    out.add("xtrace.output_is_low", if_true(call.output_is_low));
    out.add("xtrace.cache_creation_1h", known(done.tokens.cache_creation_1h));
    if (done.cost_is_partial) {  // what reads it back finds out the rest as well
      out.add("xtrace.cost_at_least", dollars(done.cost));
    } else if (Cell cost = dollars(scene_.spending.own(id).cost);
               !std::holds_alternative<std::monostate>(cost)) {
      out.add("gen_ai.usage.cost", cost);
      out.add("xtrace.cost_from", done.cost_is_recorded ? Text("log") : Text("table"));
    }
    out.add("error.type", known(name(call.error)));
    out.add("user.id", known(name(call.user)));
  }

  void add_own(CallId id, const Call& call, Entries& out) const {
    out.add("xtrace.node", Text("call"));
    out.add("xtrace.id", scene_.names.id(id));
    out.add("xtrace.at", scene_.names.at(id));
    out.add("xtrace.status", Door::own(word(call.outcome)));
    out.add("xtrace.stop_reason", known(name(call.stop_reason)));
    out.add("xtrace.system_prompt_hash", known(name(call.system_prompt)));
    out.add("xtrace.message_count", int64_t{call.message_count});
    // A vendor's system message is no part of the conversation.
    if (call.request && scene_.timeline()[call.request].depth != call.message_count)
      out.add("xtrace.depth", int64_t{scene_.timeline()[call.request].depth});
    out.add("xtrace.agent", known(name(call.agent)));
    out.add("xtrace.agent_type", known(name(call.agent_type)));
    out.add("xtrace.agent_label", known(name(call.agent_label)));
    out.add("xtrace.agent_color", known(name(call.agent_color)));
    out.add("xtrace.skill", known(name(call.skill)));
    out.add("xtrace.in_subagent", if_true(call.in_subagent));
    out.add("xtrace.offers_tools", if_true(call.tools != 0));
    out.add("xtrace.is_compacted", if_true(call.is_compacted));
    out.add("xtrace.is_pruned", if_true(call.is_pruned));
    out.add("xtrace.sums_up", if_true(call.sums_up));
    out.add("xtrace.is_dispatch", if_true(call.is_dispatch));
    out.add("xtrace.begins_turn", if_true(begins_query(id)));
    out.add("xtrace.without_results", if_true(begins_turn(scene_.graph, id)));
    out.add("xtrace.answers_user", if_true(answers_a_user(scene_.graph, id)));
    out.add("xtrace.brings_notice", if_true(brings_notice(scene_.graph, id)));
    Table orphans = table_of<kOrphans>({});
    if (auto found = orphans_.find(id); found != orphans_.end())
      for (StringId use : found->second) add_fields(kOrphans, name(use), orphans);
    out.add("xtrace.orphans", some(std::move(orphans), arena_));
    Table rows = table_of<kClientMeasurementFields>({});
    const std::vector<Measurement>& measurements = scene_.graph.trace().measurements;
    for (uint32_t i : client_measurements_[id.index])
      add_fields(kClientMeasurementFields, {measurements[i], name(measurements[i].component)},
                 rows);
    out.add("xtrace.client_told", some(std::move(rows), arena_));
  }

  bool begins_query(CallId id) const {
    std::span<const uint32_t> causes = scene_.graph.causes_of(id);
    bool goes_on = std::any_of(causes.begin(), causes.end(), [&](uint32_t i) {
      return scene_.links()[i].kind == LinkKind::continuation;
    });
    return goes_on && cause_in_turn(scene_.graph, id) == nullptr;
  }

  void add_payload(const Call& call, TracedSpan& span) const {
    const std::vector<Quote> quotes = scene_.question.payloads->quotes(call);
    span.attributes.add("gen_ai.input.messages", quoted_messages(quotes, false, door(), arena_));
    span.attributes.add("gen_ai.output.messages", quoted_messages(quotes, true, door(), arena_));
    if (call.outcome == Outcome::error)
      span.error = door().payload(scene_.question.payloads->read(call).error);
  }

  void add_uses(CallId id, Entries& out) const {
    Table table = table_of<kUses>({});
    for (const Activity& done : scene_.graph.activities().tools_of(id))
      add_fields(kUses, {scene_, done, arena_}, table);
    out.add("xtrace.tool_uses", some(std::move(table), arena_));
  }

  /// All that lead to it. Those of a spawn lead to the run of its agent as well, or instead.
  void add_links(CallId id, TracedSpan& span) const {
    Table table = table_of<kLinks>({});
    for (uint32_t i : scene_.graph.causes_of(id)) {
      if (!shows(i)) continue;
      const Link& link = scene_.links()[i];
      add_fields(kLinks, {scene_, link.from, link.tool_use, confidence(link), link}, table);
      if (link.kind != LinkKind::subagent_spawn)
        span.links.push_back({trace(link.from), key(link.from), words_of(link)});
      for (const Alternative& other : scene_.graph.alternatives(link)) {
        if (!scene_.selection.shows(other.from)) continue;
        add_fields(kLinks,
                   {.scene = scene_,
                    .from = other.from,
                    .use = other.tool_use,
                    .confidence = other.confidence,
                    .link = Link(),
                    .is_alternative = true},
                   table);
        TracedSpan::Link may_be{trace(other.from), key(other.from), {}};
        may_be.attributes.add("xtrace.link.type", Door::own(word(link.kind)));
        may_be.attributes.add("xtrace.link.alternative", true);
        may_be.attributes.add("xtrace.link.confidence", other.confidence);
        span.links.push_back(std::move(may_be));
      }
    }
    span.attributes.add("xtrace.links", some(std::move(table), arena_));
  }

  const CallScene& scene_;
  SpanKeys keys_;
  mutable CellArena arena_;
  std::vector<std::vector<uint32_t>> client_measurements_;  ///< by call, those of its client
  std::vector<TraceKey> trace_of_;                          ///< by session
  std::vector<uint64_t> key_of_;                            ///< by call
  std::map<Run, uint64_t> run_key_;
  std::set<Run> begun_;  ///< those that are written
  std::map<CallId, std::vector<StringId>> orphans_;
  Time previous_{};  ///< when the last call began of which that is known
};

}  // namespace

SpanStream spans_of_calls(std::shared_ptr<const CallScene> scene) {
  return {[scene = std::move(scene)](const SpanStream::Write& write) {
    CallSpans(*scene).write(write);
  }};
}

}  // namespace xtrace
