#include "view/calls/call_fields.h"

#include <set>

#include "base/text.h"
#include "redact/field_policy.h"
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

struct ToolUseRow {
  const CallRow& call;
  const Activity& done;
  size_t nth;
  Cell read_by;
};

std::string given_to(const ToolUseRow& row) {
  const std::string_view id = row.call.scene.graph.trace()[row.done.use->id];
  return std::string(arguments_of(row.call.payload.tool_arguments, id, row.nth));
}

/// In a line, as far as rows of pages show it.
Cell words_of_arguments(const ToolUseRow& row) {
  constexpr size_t kMost = 200;  // characters
  const Question& question = row.call.scene.question;
  if (!question.shows_payload()) return Cell();
  std::string words = fold_white_space(words_of_use(question.door, given_to(row), kMost).view());
  if (const size_t bytes = head_of_redacted(words, kMost); bytes < words.size())
    words = words.substr(0, bytes) + "…";
  return known(question.door.composed(std::move(words)));
}

constexpr Field<ToolUseRow> kToolUses[] = {
    {{"id", "tool use id", Role::id},
     [](const ToolUseRow& row) { return known(name(row.call, row.done.use->id)); }},
    {{"name", "name of the tool", Role::name},
     [](const ToolUseRow& row) { return known(name(row.call, row.done.use->name)); }},
    {{"target", "file or URL named in the arguments; the first if there are several", Role::target},
     [](const ToolUseRow& row) {
       const CallScene& scene = row.call.scene;
       return known(shown_target(scene.question.door, scene.names, *row.done.use));
     }},
    {kTargetsColumn,
     [](const ToolUseRow& row) {
       return several_targets(row.call.scene.graph.trace(), row.call.scene.names, *row.done.use,
                              row.call.arena);
     }},
    {{"subagent_type", "type of the subagent that it starts", CellKind::text},
     [](const ToolUseRow& row) { return known(name(row.call, row.done.use->subagent_type)); }},
    {{"agent_id", "id of the started subagent in the log", CellKind::text},
     [](const ToolUseRow& row) { return known(name(row.call, row.done.subagent)); }},
    {{"read_by", "calls that read its result: the first in each branch", CellKind::texts},
     member<&ToolUseRow::read_by>},
    {{"is_error", "true if the tool reported an error", Role::is_error},
     [](const ToolUseRow& row) { return if_true(row.done.outcome == Outcome::error); }},
    {{"error",
      "kind of its error, if known: not_found, invalid_arguments, execution, timeout, denied or "
      "cancelled",
      Role::error},
     [](const ToolUseRow& row) {
       const ToolError error = row.done.tool_error;
       return error == ToolError::other ? Cell() : known(Door::own(word(error)));
     }},
    {{"error_text", "what the tool reported when it failed, at level full", Role::error_text},
     [](const ToolUseRow& row) {
       constexpr size_t kMost = 100;  // bytes, where only first words may be seen
       if (row.call.errors == nullptr || row.done.outcome != Outcome::error) return Cell();
       return known(row.call.errors->of(row.call.id, *row.done.use, kMost));
     }},
    {{"status",
      "unanswered: no result is recorded; unfinished: it continued in the background, and no end "
      "is recorded",
      Role::status},
     [](const ToolUseRow& row) {
       return is_known(row.done.outcome) ? Cell() : Cell(Door::own(word(row.done.outcome)));
     }},
    {{"permission_ms",
      "wait, after the end of this call, for the user to approve or deny the tool use",
      Role::permission},
     [](const ToolUseRow& row) {
       return row.done.waited_for_leave > Duration{0} ? Cell(row.done.waited_for_leave) : Cell();
     }},
    {{"duration_ms",
      "time from the end of that wait until the result was available, or at most until the start "
      "of the first call that read the result",
      Role::duration},
     [](const ToolUseRow& row) { return known(row.done.duration); }},
    {{"arguments", "arguments as JSON, at level full", Role::arguments},
     [](const ToolUseRow& row) {
       return known(shown_arguments(row.call.scene.question.door, given_to(row)));
     }},
    {{"arguments_text",
      "the same as text shows it, at most 200 characters: $ make, or pattern: TODO, path: src",
      CellKind::text},
     words_of_arguments},
};

Cell tool_uses(const CallRow& row) {
  Table table = table_of<kToolUses>({});
  std::unordered_map<uint32_t, Texts> read_by = readers(row);
  size_t nth = 0;
  for (const Activity& done : row.scene.graph.activities().tools_of(row.id)) {
    Texts& by = read_by[row.scene.timeline().id_of(*done.use).index];
    add_fields(kToolUses, {row, done, nth++, some(std::move(by), row.arena)}, table);
  }
  return some(std::move(table), row.arena);
}

struct ToolResultRow {
  const CallRow& call;
  const Link& link;
};
constexpr Field<ToolResultRow> kToolResults[] = {
    {{"id", "tool use id", Role::id, true},
     [](const ToolResultRow& row) { return Cell(name(row.call, row.link.key)); }},
    {{"source", "the call that requested it", CellKind::text, true},
     [](const ToolResultRow& row) { return Cell(row.call.scene.names.id(row.link.from)); }},
    {{"is_error", "true if the tool reported an error", Role::is_error, true},
     [](const ToolResultRow& row) { return Cell(row.link.is_error); }},
};

Cell tool_results(const CallRow& row) {
  Table table = table_of<kToolResults>({});
  for (uint32_t i : row.scene.graph.results_read_by(row.id)) {
    const Link& link = row.scene.links()[i];
    if (row.scene.selection.shows(link.from)) add_fields(kToolResults, {row, link}, table);
  }
  return some(std::move(table), row.arena);
}

struct MessageRow {
  Door& door;
  const Quote& said;
  const Excerpt& payload;  ///< of the call
  bool is_error;
};

/// The field of the call that has the text as well, which is then not repeated; empty: none.
Text field_with_text(const MessageRow& row) {
  const Quote& said = row.said;
  if (said.kind == Quote::Kind::tool_use) return "tool_uses";
  if (said.text.empty() || said.kind == Quote::Kind::thought) return {};
  if (said.is_answer) return said.text == row.payload.answer ? Text("answer") : Text();
  return said.text == row.payload.prompt ? Text("prompt") : Text();
}

Text kind_of(const Quote& said) {
  switch (said.kind) {
    case Quote::Kind::text: return said.is_answer ? Text("reply") : Text("prompt");
    case Quote::Kind::tool_use: return "tool_use";
    case Quote::Kind::tool_result: return "tool_result";
    case Quote::Kind::thought: return "thinking";
  }
  return {};
}

/// An image is as many bytes as text of as many tokens would be (Quote::image_bytes).
constexpr size_t kBytesPerToken = 4;

constexpr Field<MessageRow> kMessages[] = {
    {{"kind", "prompt, thinking, reply, tool_use or tool_result", CellKind::text, true},
     [](const MessageRow& row) { return Cell(kind_of(row.said)); }},
    {{"tool_use_id", "id of the tool use, or of the one that the result is for", CellKind::text},
     [](const MessageRow& row) { return known(row.door.name_once(row.said.tool_use)); }},
    {{"is_error", "true if the tool reported an error", CellKind::boolean},
     [](const MessageRow& row) { return if_true(row.is_error); }},
    {{"image_tokens", "estimated tokens of its images, whose data is not shown", CellKind::integer},
     [](const MessageRow& row) {
       return some(static_cast<int64_t>(row.said.image_bytes / kBytesPerToken));
     }},
    {{"text", "", CellKind::text},
     [](const MessageRow& row) {
       return field_with_text(row).empty() ? known(row.door.payload(row.said.text)) : Cell();
     }},
    {{"text_in", "field of the call with the text: prompt, answer or tool_uses", CellKind::text},
     [](const MessageRow& row) { return known(field_with_text(row)); }},
};

Cell messages(const CallRow& row) {
  std::set<std::string_view> failed;
  for (uint32_t i : row.scene.graph.results_read_by(row.id))
    if (const Link& link = row.scene.links()[i]; link.is_error)
      failed.insert(row.scene.graph.trace()[link.key]);
  Table table = table_of<kMessages>({});
  for (const Quote& said : row.added) {
    const bool is_result = said.kind == Quote::Kind::tool_result;
    add_fields(
        kMessages,
        {row.scene.question.door, said, row.payload, is_result && failed.contains(said.tool_use)},
        table);
  }
  return some(std::move(table), row.arena);
}

Cell subtree_duration(const CallRow& row) {
  return known(elapsed(row.call.start, row.scene.metrics.of[row.id.index].last_end));
}

struct DeclaredToolRow {
  Door& door;
  const DeclaredTool& tool;
};
constexpr Field<DeclaredToolRow> kDeclaredTools[] = {
    {{"name", "", Role::name},
     [](const DeclaredToolRow& row) { return known(row.door.name_once(row.tool.name)); }},
    {{"description", "description of the tool that the model receives", CellKind::text},
     [](const DeclaredToolRow& row) { return known(row.door.payload(row.tool.description)); }},
};

Cell declared_tools(const CallRow& row) {
  Table table = table_of<kDeclaredTools>({});
  for (const DeclaredTool& tool : row.instructions.tools)
    add_fields(kDeclaredTools, {row.scene.question.door, tool}, table);
  return some(std::move(table), row.arena);
}

using Row = const CallRow&;

constexpr Field<CallRow> kFields[] = {
    {{"id",
      "id or request id of the record, else id of the reply, else computed from time and content; "
      "`~2` marks a second record with the same id",
      Role::id, true},
     [](Row r) -> Cell { return r.scene.names.id(r.id); }},
    {{"type", "kind of event", Role::type, true}, [](Row) -> Cell { return Text("inference"); }},
    {{"at", "location of the record: file:line, or file@offset (in bytes)", Role::place, true},
     [](Row r) -> Cell { return r.scene.names.at(r.id); }},
    {{"log_index", "position among all valid records in input order, from 0", CellKind::integer,
      true},
     [](Row r) -> Cell { return static_cast<int64_t>(r.id.index); }},
    {{"session", "session id from the log, or s1, s2, … in order of time", Role::session, true},
     [](Row r) -> Cell { return r.scene.names.session(r.scene.graph.session_of(r.id)); }},
    {{"conversation", "number of the conversation; its calls share the number", CellKind::integer,
      true},
     [](Row r) -> Cell {
       return static_cast<int64_t>(r.scene.graph.conversation_of(r.id).number);
     }},
    {{"timestamp", "when the request was sent", Role::start},
     [](Row r) -> Cell {
       return known(Moment{r.call.start, r.call.decimals});
     }},
    {{"duration_ms", "from the request to the end of the reply", Role::duration},
     [](Row r) -> Cell { return known(r.call.duration); }},
    {{"turn", "number of the turn that the call belongs to, from 1", Role::turn},
     [](Row r) -> Cell { return some(int64_t{r.scene.graph.call_turns()[r.id.index].number}); }},
    {{"waited_ms", "wait before the call during which no model was running", Role::waited},
     [](Row r) -> Cell {
       const Waited& waited = r.waited;
       return waited.length > Duration{0} ? Cell(waited.length) : Cell();
     }},
    {{"waited_for",
      "main reason for that wait: tool, permission, retry_wait, background, person, unexplained",
      Role::waited_for},
     [](Row r) -> Cell {
       if (r.waited.length <= Duration{0}) return {};
       return Door::own(word(r.waited.part));
     }},
    {{"agent.id", "the agent instance: its type, with #n if the session has several of that type",
      Role::agent, true},
     [](Row r) -> Cell { return r.scene.names.agent(agent_of(r)); }},
    {{"agent.type", "", Role::agent_type, true},
     [](Row r) -> Cell { return r.scene.names.text(agent_of(r).type); }},
    {{"agent.name", "agent type that the log records for this call", CellKind::text},
     [](Row r) -> Cell { return known(name(r, r.call.agent_type)); }},
    {{"agent.log_id", "id of this instance in the log", CellKind::text},
     [](Row r) -> Cell { return known(name(r, agent_of(r).id)); }},
    {{"agent.parent_log_id", "id, in the log, of the instance that started it", CellKind::text},
     [](Row r) -> Cell { return known(name(r, agent_of(r).parent)); }},
    {{"agent.label", "", CellKind::text},
     [](Row r) -> Cell { return known(name(r, agent_of(r).label)); }},
    {{"agent.color", "", Role::agent_colour},
     [](Row r) -> Cell { return known(name(r, agent_of(r).color)); }},
    {{"agent.type_from",
      "source of the type; log: recorded; spawn: requested by the tool use; system_prompt: derived "
      "from the system prompt (a known type, otherwise its hash); main: the conversation with "
      "tools",
      CellKind::text, true},
     [](Row r) -> Cell { return Door::own(word(agent_of(r).type_from)); }},
    {{"model", "model that replied; without a reply, the requested model", Role::model},
     [](Row r) -> Cell { return known(name(r, r.call.model)); }},
    {{"requested_model", "requested model, if another model replied", Role::detail},
     [](Row r) -> Cell {
       return r.call.asked_model == r.call.model ? Cell() : known(name(r, r.call.asked_model));
     }},
    {{"system_prompt_hash", "hash; equal for equal system prompts", CellKind::text},
     [](Row r) -> Cell { return known(name(r, r.call.system_prompt)); }},
    {{"system_prompt", "system prompt, at level full; only on the first call with this prompt",
      Role::detail},
     [](Row r) -> Cell {
       return known(r.scene.question.door.payload(r.instructions.system_prompt));
     }},
    {{"declared_tools",
      "tools offered by the request, at level full; only on the first call with these tools and "
      "this system prompt",
      CellKind::rows, false, columns_of<kDeclaredTools>(), Role::detail},
     declared_tools},
    {{"status",
      "ok, error, unanswered, or not_recorded: the subagent is known only from its report",
      Role::status, true},
     [](Row r) -> Cell { return Door::own(word(r.call.outcome)); }},
    {{"stop_reason", "reason why the model stopped, in the vendor's terms", Role::detail},
     [](Row r) -> Cell { return known(name(r, r.call.stop_reason)); }},
    {{"error", "error class", Role::error},
     [](Row r) -> Cell { return known(name(r, r.call.error)); }},
    {{"error_text", "error text, at level full", Role::detail},
     [](Row r) -> Cell { return known(r.scene.question.door.payload(r.payload.error)); }},
    {{"tokens.input", "uncached input tokens: neither read from nor written to a cache",
      Role::input},
     [](Row r) -> Cell { return known(activity_of(r).tokens.input); }},
    {{"tokens.output", "", Role::output},
     [](Row r) -> Cell { return known(activity_of(r).tokens.output); }},
    {{"tokens.output_is_low",
      "true if the log kept only the output count written when the reply began; the real count is "
      "higher",
      Role::output_is_low},
     [](Row r) -> Cell { return r.call.output_is_low ? Cell(true) : Cell(); }},
    {{"tokens.total", "the sum of all four token counts", Role::tokens},
     [](Row r) -> Cell { return known(total_of(activity_of(r).tokens)); }},
    {{"tokens.cache_read", "", Role::cache_read},
     [](Row r) -> Cell { return known(activity_of(r).tokens.cache_read); }},
    {{"tokens.cache_creation", "", Role::cache_write},
     [](Row r) -> Cell { return known(activity_of(r).tokens.cache_creation); }},
    {{"tokens.cache_creation_1h", "tokens written to the one-hour cache; part of cache_creation",
      CellKind::integer},
     [](Row r) -> Cell { return known(activity_of(r).tokens.cache_creation_1h); }},
    {{"tokens.service_tier", "batch, flex, priority or fast, if the tier has a separate price",
      CellKind::text},
     [](Row r) -> Cell { return known(Door::own(unusual_tier(activity_of(r).tokens.terms))); }},
    {{"cost_usd", "cost of this call without its subagents", Role::cost},
     [](Row r) -> Cell { return dollars(r.scene.spending.own(r.id).cost); }},
    {{"cost_from", "log: recorded; table: computed from tokens and the price list", CellKind::text},
     [](Row r) -> Cell {
       if (r.scene.spending.own(r.id).cost < 0) return {};
       return activity_of(r).cost_is_recorded ? Text("log") : Text("table");
     }},
    {{"cost_is_partial",
      "true if the real cost is higher, because a fee, a price or a count is unknown",
      Role::cost_is_partial},
     [](Row r) -> Cell { return if_true(activity_of(r).cost_is_partial); }},
    {{"temperature", "", CellKind::number},
     [](Row r) -> Cell { return r.call.temperature < 0 ? Cell() : Cell(r.call.temperature); }},
    {{"max_tokens", "", CellKind::integer}, [](Row r) -> Cell { return known(r.call.max_tokens); }},
    {{"message_count", "number of messages in the request", CellKind::integer, true},
     [](Row r) -> Cell { return static_cast<int64_t>(r.call.message_count); }},
    {{"prompt", "last message of the request, at level full", Role::prompt},
     [](Row r) -> Cell { return known(r.scene.question.door.payload(r.payload.prompt)); }},
    {{"answer", "text of the reply, at level full", Role::reply},
     [](Row r) -> Cell { return known(r.scene.question.door.payload(r.payload.answer)); }},
    {{"messages",
      "what the call adds to the conversation, in order, at level full: messages that are new in "
      "its request, then its reply; a request that repeats an earlier one adds none",
      CellKind::rows, false, columns_of<kMessages>(), Role::detail},
     messages},
    {{"parent", "the call that spawned this agent", Role::parent},
     [](Row r) -> Cell {
       return first_of(r, r.scene.graph.causes_of(r.id), &Link::from, {LinkKind::subagent_spawn});
     }},
    {{"children", "first calls of the subagents that this call spawned", Role::children},
     [](Row r) -> Cell {
       return ids_of(r, r.scene.graph.effects_of(r.id), &Link::to, LinkKind::subagent_spawn);
     }},
    {{"previous", "previous call in the conversation", Role::previous},
     [](Row r) -> Cell {
       return first_of(r, r.scene.graph.causes_of(r.id), &Link::from,
                       {LinkKind::continuation, LinkKind::retry});
     }},
    {{"next", "next call in the conversation", CellKind::text},
     [](Row r) -> Cell {
       return first_of(r, r.scene.graph.effects_of(r.id), &Link::to,
                       {LinkKind::continuation, LinkKind::retry});
     }},
    {{"tool_uses", "tool uses in the reply", CellKind::rows, false, columns_of<kToolUses>(),
      Role::tool_uses},
     tool_uses},
    {{"tool_results", "tool results that are new in this request", CellKind::rows, false,
      columns_of<kToolResults>()},
     tool_results},
    {{"in_degree", "number of incoming links", CellKind::integer, true},
     [](Row r) -> Cell { return r.scene.metrics.of[r.id.index].in_degree; }},
    {{"out_degree", "number of outgoing links", CellKind::integer, true},
     [](Row r) -> Cell { return r.scene.metrics.of[r.id.index].out_degree; }},
    {{"descendants", "number of subagents spawned below it", CellKind::integer, true},
     [](Row r) -> Cell { return r.scene.metrics.of[r.id.index].descendants; }},
    {{"on_critical_path", "true if the call is on the critical path of the longest session",
      Role::on_critical_path, true},
     [](Row r) -> Cell { return static_cast<bool>(r.scene.metrics.path.is_on_path[r.id.index]); }},
    {{"subtree_duration_ms",
      "from its start until everything it spawned, directly or indirectly, had ended",
      CellKind::milliseconds},
     subtree_duration},
    {{"subtree_cost_usd", "cost of the call and everything it spawned", Role::subtree_cost},
     [](Row r) -> Cell { return dollars(r.in_all().cost); }},
    {{"subtree_unpriced_calls",
      "calls without a known cost, which subtree_cost_usd does not include",
      Role::subtree_unpriced},
     [](Row r) -> Cell { return some(r.in_all().unpriced); }},
    {{"subtree_partly_priced_calls",
      "calls whose cost is only partly known; the known part is included", Role::subtree_partial},
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
