#include "view/calls/call_fields.h"

#include "view/common/shown_arguments.h"
#include "view/common/shown_targets.h"

namespace xtrace {

namespace {

Cell ids_of(const CallRow& row, std::span<const uint32_t> links, CallId Link::*end, LinkKind kind) {
  Texts ids;
  for (uint32_t i : links) {
    const Link& link = row.scene.links()[i];
    if (link.kind == kind && row.scene.selection.shows(link.*end))
      ids.push_back(row.scene.names.id(link.*end));
  }
  return some(std::move(ids), row.arena);
}

Cell first_of(const CallRow& row, std::span<const uint32_t> links, CallId Link::*end,
              std::initializer_list<LinkKind> kinds) {
  for (LinkKind kind : kinds)
    for (uint32_t i : links) {
      const Link& link = row.scene.links()[i];
      if (link.kind == kind && row.scene.selection.shows(link.*end))
        return row.scene.names.id(link.*end);
    }
  return {};
}

const Agent& agent_of(const CallRow& row) {
  return row.scene.graph.agent_of(row.id);
}
/// With what the span of the call knows of it.
const Activity& activity_of(const CallRow& row) {
  return row.scene.graph.activities().of(row.id);
}
Text name(const CallRow& row, StringId id) {
  return row.scene.names.text(id);
}

constexpr Column kToolUseColumns[] = {
    {"id", "tool use id", CellKind::text},
    {"name", "name of the tool", CellKind::text},
    {"target", "file or URL named in the arguments; the first if there are several",
     CellKind::text},
    kTargetsColumn,
    {"subagent_type", "type of the subagent that it starts", CellKind::text},
    {"agent_id", "id of the started subagent in the log", CellKind::text},
    {"read_by", "calls that read its result: the first in each branch", CellKind::texts},
    {"is_error", "true if the tool reported an error", CellKind::boolean},
    {"status",
     "unanswered: no result is recorded; unfinished: it continued in the background, and no end is "
     "recorded",
     CellKind::text},
    {"permission_ms",
     "wait, after the end of this call, for the user to approve or deny the tool use",
     CellKind::milliseconds},
    {"duration_ms",
     "time from the end of that wait until the result was available, or at most until the start of "
     "the first call that read the result",
     CellKind::milliseconds},
    {"arguments", "arguments as JSON, at level full", CellKind::text},
};

/// Who reads the results, by tool use, of which an answer may have thousands.
std::unordered_map<uint32_t, Texts> readers(const CallRow& row) {
  std::unordered_map<uint32_t, Texts> ids;
  for (uint32_t i : row.scene.graph.effects_of(row.id)) {
    const Link& link = row.scene.links()[i];
    bool reads = link.kind == LinkKind::tool_result && link.tool_use;
    if (reads && row.scene.selection.shows(link.to))
      ids[link.tool_use.index].push_back(row.scene.names.id(link.to));
  }
  return ids;
}

Cell arguments(const CallRow& row, const ToolUse& use, size_t nth) {
  std::string_view id = row.scene.graph.trace()[use.id];
  return known(shown_arguments(row.scene.question.door,
                               std::string(arguments_of(row.payload.tool_arguments, id, nth))));
}

Cell tool_uses(const CallRow& row) {
  Table table{{}, kToolUseColumns};
  std::unordered_map<uint32_t, Texts> read_by = readers(row);
  size_t nth = 0;
  for (const Activity& done : row.scene.graph.activities().tools_of(row.id)) {
    for (StringId text : {done.use->id, done.use->name, done.use->target})
      table.cells.push_back(known(name(row, text)));
    table.cells.insert(
        table.cells.end(),
        {several_targets(row.scene.graph.trace(), row.scene.names, *done.use, row.arena),
         known(name(row, done.use->subagent_type)), known(name(row, done.subagent)),
         some(std::move(read_by[row.scene.timeline().id_of(*done.use).index]), row.arena),
         if_true(done.outcome == Outcome::error),
         is_known(done.outcome) ? Cell() : Cell(Door::own(word(done.outcome))),
         done.waited_for_leave > Duration{0} ? Cell(done.waited_for_leave) : Cell(),
         known(done.duration), arguments(row, *done.use, nth++)});
  }
  return some(std::move(table), row.arena);
}

constexpr Column kToolResultColumns[] = {
    {"id", "tool use id", CellKind::text, true},
    {"source", "the call that requested it", CellKind::text, true},
    {"is_error", "true if the tool reported an error", CellKind::boolean, true},
};

Cell tool_results(const CallRow& row) {
  Table table{{}, kToolResultColumns};
  for (uint32_t i : row.scene.graph.results_read_by(row.id)) {
    const Link& link = row.scene.links()[i];
    if (!row.scene.selection.shows(link.from)) continue;
    table.add({name(row, link.key), row.scene.names.id(link.from), link.is_error});
  }
  return some(std::move(table), row.arena);
}

Cell subtree_duration(const CallRow& row) {
  return known(elapsed(row.call.start, row.scene.metrics.of[row.id.index].last_end));
}

constexpr Column kDeclaredToolColumns[] = {
    {"name", "", CellKind::text},
    {"description", "description of the tool that the model receives", CellKind::text},
};

Cell declared_tools(const CallRow& row) {
  Table table{{}, kDeclaredToolColumns};
  for (const DeclaredTool& tool : row.instructions.tools)
    table.add({known(row.scene.question.door.name_once(tool.name)),
               known(row.scene.question.door.payload(tool.description))});
  return some(std::move(table), row.arena);
}

using Row = const CallRow&;

constexpr Field<CallRow> kFields[] = {
    {{"id",
      "id or request id of the record, else id of the reply, else computed from time and content; "
      "`~2` marks a second record with the same id",
      CellKind::text, true},
     [](Row r) -> Cell { return r.scene.names.id(r.id); }},
    {{"type", "kind of event", CellKind::text, true},
     [](Row) -> Cell { return Text("inference"); }},
    {{"at", "location of the record: file:line, or file@offset (in bytes)", CellKind::text, true},
     [](Row r) -> Cell { return r.scene.names.at(r.id); }},
    {{"log_index", "position among all valid records in input order, from 0", CellKind::integer,
      true},
     [](Row r) -> Cell { return static_cast<int64_t>(r.id.index); }},
    {{"session", "session id from the log, or s1, s2, … in order of time", CellKind::text, true},
     [](Row r) -> Cell { return r.scene.names.session(r.scene.graph.session_of(r.id)); }},
    {{"conversation", "number of the conversation; its calls share the number", CellKind::integer,
      true},
     [](Row r) -> Cell {
       return static_cast<int64_t>(r.scene.graph.conversation_of(r.id).number);
     }},
    {{"timestamp", "when the request was sent", CellKind::moment},
     [](Row r) -> Cell {
       return known(Moment{r.call.start, r.call.decimals});
     }},
    {{"duration_ms", "from the request to the end of the reply", CellKind::milliseconds},
     [](Row r) -> Cell { return known(r.call.duration); }},
    {{"turn", "number of the turn that the call belongs to, from 1", CellKind::integer},
     [](Row r) -> Cell { return some(int64_t{r.scene.graph.call_turns()[r.id.index].number}); }},
    {{"waited_ms", "wait before the call during which no model was running",
      CellKind::milliseconds},
     [](Row r) -> Cell {
       const Waited& waited = r.waited;
       return waited.length > Duration{0} ? Cell(waited.length) : Cell();
     }},
    {{"waited_for",
      "main reason for that wait: tool, permission, retry_wait, background, person, unexplained",
      CellKind::text},
     [](Row r) -> Cell {
       if (r.waited.length <= Duration{0}) return {};
       return Door::own(word(r.waited.part));
     }},
    {{"agent.id", "the agent instance: its type, with #n if the session has several of that type",
      CellKind::text, true},
     [](Row r) -> Cell { return r.scene.names.agent(agent_of(r)); }},
    {{"agent.type", "", CellKind::text, true},
     [](Row r) -> Cell { return r.scene.names.text(agent_of(r).type); }},
    {{"agent.name", "agent type that the log records for this call", CellKind::text},
     [](Row r) -> Cell { return known(name(r, r.call.agent_type)); }},
    {{"agent.log_id", "id of this instance in the log", CellKind::text},
     [](Row r) -> Cell { return known(name(r, agent_of(r).id)); }},
    {{"agent.parent_log_id", "id, in the log, of the instance that started it", CellKind::text},
     [](Row r) -> Cell { return known(name(r, agent_of(r).parent)); }},
    {{"agent.label", "", CellKind::text},
     [](Row r) -> Cell { return known(name(r, agent_of(r).label)); }},
    {{"agent.color", "", CellKind::text},
     [](Row r) -> Cell { return known(name(r, agent_of(r).color)); }},
    {{"agent.type_from",
      "source of the type; log: recorded; spawn: requested by the tool use; system_prompt: derived "
      "from the system prompt (a known type, otherwise its hash); main: the conversation with "
      "tools",
      CellKind::text, true},
     [](Row r) -> Cell { return Door::own(word(agent_of(r).type_from)); }},
    {{"model", "model that replied; without a reply, the requested model", CellKind::text},
     [](Row r) -> Cell { return known(name(r, r.call.model)); }},
    {{"requested_model", "requested model, if another model replied", CellKind::text},
     [](Row r) -> Cell {
       return r.call.asked_model == r.call.model ? Cell() : known(name(r, r.call.asked_model));
     }},
    {{"system_prompt_hash", "hash; equal for equal system prompts", CellKind::text},
     [](Row r) -> Cell { return known(name(r, r.call.system_prompt)); }},
    {{"system_prompt", "system prompt, at level full; only on the first call with this prompt",
      CellKind::text},
     [](Row r) -> Cell {
       return known(r.scene.question.door.payload(r.instructions.system_prompt));
     }},
    {{"declared_tools",
      "tools offered by the request, at level full; only on the first call with these tools and "
      "this system prompt",
      CellKind::rows, false, kDeclaredToolColumns},
     declared_tools},
    {{"status",
      "ok, error, unanswered, or not_recorded: the subagent is known only from its report",
      CellKind::text, true},
     [](Row r) -> Cell { return Door::own(word(r.call.outcome)); }},
    {{"stop_reason", "reason why the model stopped, in the vendor's terms", CellKind::text},
     [](Row r) -> Cell { return known(name(r, r.call.stop_reason)); }},
    {{"error", "error class", CellKind::text},
     [](Row r) -> Cell { return known(name(r, r.call.error)); }},
    {{"error_text", "error text, at level full", CellKind::text},
     [](Row r) -> Cell { return known(r.scene.question.door.payload(r.payload.error)); }},
    {{"tokens.input", "uncached input tokens: neither read from nor written to a cache",
      CellKind::integer},
     [](Row r) -> Cell { return known(activity_of(r).tokens.input); }},
    {{"tokens.output", "", CellKind::integer},
     [](Row r) -> Cell { return known(activity_of(r).tokens.output); }},
    {{"tokens.output_is_low",
      "true if the log kept only the output count from the start of the reply; the real count is "
      "higher",
      CellKind::boolean},
     [](Row r) -> Cell { return r.call.output_is_low ? Cell(true) : Cell(); }},
    {{"tokens.total", "the sum of all four token counts", CellKind::integer},
     [](Row r) -> Cell { return known(total_of(activity_of(r).tokens)); }},
    {{"tokens.cache_read", "", CellKind::integer},
     [](Row r) -> Cell { return known(activity_of(r).tokens.cache_read); }},
    {{"tokens.cache_creation", "", CellKind::integer},
     [](Row r) -> Cell { return known(activity_of(r).tokens.cache_creation); }},
    {{"tokens.cache_creation_1h", "tokens written to the one-hour cache; part of cache_creation",
      CellKind::integer},
     [](Row r) -> Cell { return known(activity_of(r).tokens.cache_creation_1h); }},
    {{"tokens.service_tier", "batch, flex, priority or fast, if the tier has a separate price",
      CellKind::text},
     [](Row r) -> Cell { return known(Door::own(unusual_tier(activity_of(r).tokens.terms))); }},
    {{"cost_usd", "cost of this call without its subagents", CellKind::number},
     [](Row r) -> Cell { return dollars(r.scene.spending.own(r.id).cost); }},
    {{"cost_from", "log: recorded; table: computed from tokens and the price list", CellKind::text},
     [](Row r) -> Cell {
       if (r.scene.spending.own(r.id).cost < 0) return {};
       return activity_of(r).cost_is_recorded ? Text("log") : Text("table");
     }},
    {{"cost_is_partial",
      "true if the real cost is higher, because a fee, a price or a count is unknown",
      CellKind::boolean},
     [](Row r) -> Cell { return if_true(activity_of(r).cost_is_partial); }},
    {{"temperature", "", CellKind::number},
     [](Row r) -> Cell { return r.call.temperature < 0 ? Cell() : Cell(r.call.temperature); }},
    {{"max_tokens", "", CellKind::integer}, [](Row r) -> Cell { return known(r.call.max_tokens); }},
    {{"message_count", "number of messages in the request", CellKind::integer, true},
     [](Row r) -> Cell { return static_cast<int64_t>(r.call.message_count); }},
    {{"prompt", "last message of the request, at level full", CellKind::text},
     [](Row r) -> Cell { return known(r.scene.question.door.payload(r.payload.prompt)); }},
    {{"answer", "text of the reply, at level full", CellKind::text},
     [](Row r) -> Cell { return known(r.scene.question.door.payload(r.payload.answer)); }},
    {{"parent", "the call that spawned this agent", CellKind::text},
     [](Row r) -> Cell {
       return first_of(r, r.scene.graph.causes_of(r.id), &Link::from, {LinkKind::subagent_spawn});
     }},
    {{"children", "first calls of the subagents that this call spawned", CellKind::texts},
     [](Row r) -> Cell {
       return ids_of(r, r.scene.graph.effects_of(r.id), &Link::to, LinkKind::subagent_spawn);
     }},
    {{"previous", "previous call in the conversation", CellKind::text},
     [](Row r) -> Cell {
       return first_of(r, r.scene.graph.causes_of(r.id), &Link::from,
                       {LinkKind::continuation, LinkKind::retry});
     }},
    {{"next", "next call in the conversation", CellKind::text},
     [](Row r) -> Cell {
       return first_of(r, r.scene.graph.effects_of(r.id), &Link::to,
                       {LinkKind::continuation, LinkKind::retry});
     }},
    {{"tool_uses", "tool uses in the reply", CellKind::rows, false, kToolUseColumns}, tool_uses},
    {{"tool_results", "tool results that are new in this request", CellKind::rows, false,
      kToolResultColumns},
     tool_results},
    {{"in_degree", "number of incoming links", CellKind::integer, true},
     [](Row r) -> Cell { return r.scene.metrics.of[r.id.index].in_degree; }},
    {{"out_degree", "number of outgoing links", CellKind::integer, true},
     [](Row r) -> Cell { return r.scene.metrics.of[r.id.index].out_degree; }},
    {{"descendants", "number of subagents spawned below it", CellKind::integer, true},
     [](Row r) -> Cell { return r.scene.metrics.of[r.id.index].descendants; }},
    {{"on_critical_path", "true if the call is on the critical path of the longest session",
      CellKind::boolean, true},
     [](Row r) -> Cell { return static_cast<bool>(r.scene.metrics.path.is_on_path[r.id.index]); }},
    {{"subtree_duration_ms",
      "from its start until everything it spawned, directly or indirectly, had ended",
      CellKind::milliseconds},
     subtree_duration},
    {{"subtree_cost_usd", "cost of the call and everything it spawned", CellKind::number},
     [](Row r) -> Cell { return dollars(r.in_all().cost); }},
    {{"subtree_unpriced_calls",
      "calls without a known cost, which subtree_cost_usd does not include", CellKind::integer},
     [](Row r) -> Cell { return some(r.in_all().unpriced); }},
    {{"subtree_partly_priced_calls",
      "calls whose cost is only partly known; the known part is included", CellKind::integer},
     [](Row r) -> Cell { return some(r.in_all().partly); }},
    {{"subtree_tokens.input", "input tokens of the call and everything it spawned",
      CellKind::integer},
     [](Row r) -> Cell { return known(r.in_all().tokens.input); }},
    {{"subtree_tokens.output", "", CellKind::integer},
     [](Row r) -> Cell { return known(r.in_all().tokens.output); }},
    {{"subtree_tokens.total", "the sum of all four token counts", CellKind::integer},
     [](Row r) -> Cell { return known(total_of(r.in_all().tokens)); }},
    {{"subtree_tokens.cache_read", "", CellKind::integer},
     [](Row r) -> Cell { return known(r.in_all().tokens.cache_read); }},
    {{"subtree_tokens.cache_creation", "", CellKind::integer},
     [](Row r) -> Cell { return known(r.in_all().tokens.cache_creation); }},
};

}  // namespace

std::span<const Field<CallRow>> call_fields() {
  return kFields;
}

std::span<const Column> call_columns() {
  return columns_of<kFields>();
}

}  // namespace xtrace
