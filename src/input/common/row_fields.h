#pragma once

#include <tuple>
#include <type_traits>

#include "facts/rows.h"
#include "input/common/raw_trace.h"

namespace xtrace {

// The fields of every row that a shard holds, so that one list serves merging shards, writing rows
// and reading them back. A field that is missing here does not compile: see kHasAllFields.

/// A hash of what somebody said.
struct TextHash {
  uint64_t& of;
};
/// One in hex, kept as a text.
struct TextHashName {
  StringId& of;
};
/// The key of a message, which mostly follows from the one before it and from what it says itself.
struct PathKey {
  Message& of;
};
/// The hash of a message by itself, which follows from the ids of tools where it has nothing else.
struct OwnHash {
  Message& of;
};
/// Payload: it is in no part.
struct PayloadText {
  StringId& of;
};

inline auto fields_of(Tokens& row) {
  return std::tie(row.input, row.output, row.cache_read, row.cache_creation, row.cache_creation_1h,
                  row.most_sent, row.server_tools, row.terms);
}

inline auto fields_of(Terms& row) {
  return std::tie(row.tier, row.residency);
}

inline auto fields_of(ServerToolUses& row) {
  return std::apply([](auto&... count) { return std::tie(count...); }, row.counts);
}

inline auto fields_of(Call& row) {
  return std::tuple_cat(
      std::tie(row.start, row.duration, row.source, row.id),
      std::tuple(TextHash{row.digest}, TextHash{row.tools}),
      std::tie(row.outcome, row.decimals, row.request, row.answer, row.model, row.asked_model,
               row.provider, row.previous, row.agent, row.session, row.user, row.agent_type,
               row.agent_label, row.agent_color, row.skill, row.parent_agent, row.response,
               row.follows, row.spawned_by, row.system_prompt, row.stop_reason, row.error,
               row.tokens, row.cost, row.temperature, row.max_tokens, row.context_limit,
               row.message_count, row.first_place, row.places, row.task_step, row.rivals,
               row.in_transcript, row.in_subagent, row.is_compacted, row.is_pruned,
               row.output_is_low, row.is_converted, row.begins_turn, row.answers_user,
               row.answer_is_lossy, row.is_thought, row.asked_to_wait, row.sums_up,
               row.is_dispatch));
}

inline auto fields_of(Message& row) {
  return std::tuple_cat(std::tie(row.before, row.depth, row.role),
                        std::tuple(OwnHash{row}, TextHash{row.said}, PathKey{row}));
}

inline auto fields_of(ToolUse& row) {
  return std::tuple_cat(
      std::tie(row.message, row.id, row.name, row.target),
      std::tuple(TextHashName{row.command}, TextHash{row.arguments}), std::tie(row.subagent_type),
      std::tuple(TextHashName{row.type_key}, TextHashName{row.prompt}),
      std::tie(row.resume, row.agent, row.skill, row.patches, row.server_tool, row.given_words));
}

inline auto fields_of(ToolTarget& row) {
  return std::tie(row.message, row.use, row.name);
}

inline auto fields_of(ToolResult& row) {
  return std::tuple_cat(std::tie(row.message, row.tool_use, row.agent, row.is_error, row.error),
                        std::tuple(TextHash{row.said}),
                        std::tie(row.took, row.came, row.in_answer, row.is_timed, row.goes_on,
                                 row.has_ended, row.task));
}

inline auto fields_of(BackgroundEnd& row) {
  return std::tie(row.message, row.tool_use, row.task, row.is_error, row.error);
}

inline auto fields_of(Prompt& row) {
  return std::tuple_cat(std::tie(row.message),
                        std::tuple(TextHashName{row.hash}, TextHashName{row.command}),
                        std::tie(row.is_beginning, row.slash_command, row.is_command_output));
}

inline auto fields_of(MessageText& row) {
  return std::tuple_cat(std::tie(row.message), std::tuple(PayloadText{row.text}));
}

inline auto fields_of(Argument& row) {
  return std::tie(row.message, row.use, row.name, row.value);  // as it was sealed
}

inline auto fields_of(Span& row) {
  return std::tie(row.start, row.duration, row.source, row.id, row.trace, row.service,
                  row.operation, row.from, row.to, row.hop_kind, row.run, row.session,
                  row.principal, row.route, row.peer, row.query, row.project, row.first_parent,
                  row.parents, row.gen_ai, row.task_step, row.converted, row.own_id, row.kind,
                  row.outcome, row.inbound, row.is_of_query, row.part);
}

inline auto fields_of(SpanParent& row) {
  return std::tie(row.span, row.trace, row.follows, row.is_alternative, row.confidence);
}

inline auto fields_of(GenAi& row) {
  return std::tie(row.agent, row.caller, row.tool, row.tool_call, row.hands_to, row.model,
                  row.provider, row.searched, row.tokens, row.cost, row.context_limit, row.role,
                  row.retries, row.token_rule, row.output_is_low, row.tool_error, row.error);
}

inline auto fields_of(SpanDetail& row) {
  return std::tie(row.source, row.span, row.trace, row.time, row.kind);
}

inline auto fields_of(Measurement& row) {
  return std::tie(row.source, row.time, row.component, row.service, row.key, row.number);
}

inline auto fields_of(TaskStep& row) {
  return std::tie(row.type, row.request, row.span, row.parent, row.trace, row.task, row.trigger,
                  row.component, row.status, row.first_remark, row.remarks, row.is_event,
                  row.is_graph_node, row.is_adapter);
}

inline auto fields_of(Remark& row) {
  return std::tie(row.key, row.text, row.number, row.kind);
}

inline auto fields_of(GraphEdge& row) {
  return std::tie(row.source, row.from, row.to, row.relation, row.confidence);
}

inline auto fields_of(ConvertedHop& row) {
  return std::tie(row.run, row.from, row.to, row.kind, row.tool, row.method, row.confidence);
}

inline auto fields_of(ConvertedLink& row) {
  return std::tie(row.from, row.to, row.from_id, row.kind, row.method, row.key, row.tool_use,
                  row.error, row.confidence, row.shared, row.repeats, row.dropped, row.rivals,
                  row.attempt, row.tool_use_number, row.is_error, row.is_open, row.is_again,
                  row.resumed, row.is_alternative, row.is_orphan);
}

inline auto fields_of(UsageStatement& row) {
  return std::tie(row.source, row.since, row.session, row.agent, row.model, row.tokens, row.cost,
                  row.credits, row.calls, row.time, row.scope, row.form, row.set_aside,
                  row.uncharged, row.settles_unpriced, row.settles_partly, row.settles_low,
                  row.is_unpriced, row.cost_is_partial, row.cost_is_computed);
}

inline auto fields_of(SessionNote& row) {
  return std::tie(row.kind, row.source, row.session, row.ends_with, row.text);
}

inline auto fields_of(BlockSize& row) {
  return std::tie(row.kind, row.is_last, row.bytes, row.tool_use);
}

inline auto fields_of(UsageTerms& row) {
  return std::tie(row.scope, row.form, row.place, row.unit, row.run, row.calls);
}

inline auto fields_of(Utterance& row) {
  return std::tuple_cat(
      std::tie(row.kind, row.in_subagent, row.is_chained, row.form, row.way, row.version,
               row.is_complete, row.is_owed, row.begins_step, row.is_of_client, row.is_ambiguous,
               row.output_is_low, row.usage, row.decimals, row.rivals, row.outcome, row.time,
               row.place, row.again_at, row.took, row.source, row.message, row.sizes, row.id,
               row.after, row.forked_from, row.session, row.agent, row.answer, row.request,
               row.agent_type, row.tool_use, row.item),
      std::tuple(TextHashName{row.prompt}),
      std::tie(row.model, row.provider, row.stop_reason, row.error, row.tokens, row.system_prompt,
               row.task_step, row.cost, row.context_limit, row.turns, row.copied_lines, row.skill));
}

inline auto fields_of(AgentRelation& row) {
  return std::tuple_cat(
      std::tie(row.kind, row.decimals, row.outcome, row.time, row.took, row.source, row.session,
               row.agent, row.agent_type, row.tool_use, row.path),
      std::tuple(TextHashName{row.prompt}),
      std::tie(row.said_with, row.error, row.tokens, row.cost));
}

inline auto fields_of(ToolRun& row) {
  return std::tie(row.source, row.tool_use, row.at_work, row.took, row.error,
                  row.ends_before_output);
}

inline auto fields_of(Thought& row) {
  return std::tuple_cat(
      std::tie(row.source, row.time, row.latency, row.request, row.session, row.model, row.agent,
               row.task_step, row.tokens, row.cost, row.pieces),
      std::tuple(TextHash{row.digest}),
      std::tie(row.error, row.outcome, row.decimals, row.is_unsure));
}

inline auto fields_of(TraceSession& row) {
  return std::tie(row.source, row.trace, row.session, row.user);
}

/// Calls `each` with a field, or its own fields, if it leads to a row of another table.
template <class Each, class Field>
void visit_reference(Each& each, Field&& field) {
  if constexpr (requires { each(field); })
    each(field);
  else if constexpr (requires { each(field.of); })
    each(field.of);
  else if constexpr (requires { fields_of(field); })
    for_each_reference(field, each);
}

/// Calls `each` with all that leads from a row to rows of other tables.
template <class Row, class Each>
void for_each_reference(Row& row, Each& each) {
  std::apply([&](auto&&... field) { (visit_reference(each, field), ...); }, fields_of(row));
  if constexpr (std::is_same_v<Row, Span>) each(RowIndex<SpanParent>{row.first_parent});
  if constexpr (std::is_same_v<Row, TaskStep>) each(RowIndex<Remark>{row.first_remark});
}

/// Anything, of which an aggregate may be made, to count what it is made of.
struct AnyField {
  template <class Field>
  constexpr operator Field() const;  // NOLINT(google-explicit-constructor)
};

/// Can the row be made of that many fields?
template <class Row, size_t... kEach>
constexpr bool is_made_of(std::index_sequence<kEach...>) {
  return requires {
    Row{((void)kEach, AnyField{})...};
  };
}

template <class Row>
using FieldsOf = decltype(fields_of(std::declval<Row&>()));

/// Does fields_of() name every field there is? Of one more the row cannot be made.
template <class Row>
inline constexpr bool kHasAllFields =
    is_made_of<Row>(std::make_index_sequence<std::tuple_size_v<FieldsOf<Row>>>()) &&
    !is_made_of<Row>(std::make_index_sequence<std::tuple_size_v<FieldsOf<Row>> + 1>());

}  // namespace xtrace
