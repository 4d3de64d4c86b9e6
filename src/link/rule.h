#pragma once

#include <cstdint>
#include <iterator>
#include <string_view>

namespace xtrace {

/// What a link between model calls says: the later one exists, or goes on, because of the earlier
/// one.
enum class LinkKind : uint8_t {
  tool_result,
  subagent_spawn,
  subagent_report,
  continuation,
  retry,
  content_reuse,
  sequential
};

inline constexpr std::string_view kLinkWords[] = {
    "tool_result", "subagent_spawn", "subagent_report", "continuation",
    "retry",       "content_reuse",  "sequential"};
/// In a graph database.
inline constexpr std::string_view kLinkRelations[] = {
    "TOOL_RESULT", "SUBAGENT_SPAWN", "SUBAGENT_REPORT", "CONTINUATION",
    "RETRY",       "CONTENT_REUSE",  "SEQUENTIAL"};
/// What a link from a source to a target means, as answers tell it.
inline constexpr std::string_view kLinkMeanings[] = {
    "the target reads the output of a tool the source asked for",
    "the source started the agent whose first call the target is",
    "the target reads what the agent that ends with the source was started to find out",
    "the target goes on with the source's conversation",
    "the target asks the same again after the source failed",
    "the target is told what the source's answer said first",
    "the target comes after the source, and nothing else leads to it"};
static_assert(std::size(kLinkWords) == std::size(kLinkRelations) &&
              std::size(kLinkWords) == std::size(kLinkMeanings));
constexpr std::string_view word(LinkKind kind) {
  return kLinkWords[static_cast<size_t>(kind)];
}

/// The argument by which two things were found to belong together, in answers the `method`: of
/// links between calls, of causes of hops, of records that tell of one call, and of what else joins
/// a story. How sure each is, the linker says.
enum class Rule : uint8_t {
  // Of links between calls:
  tool_use_id,          ///< the result names the tool use
  echoed_history,       ///< the use lost its id; the next request's history still has it
  messages_and_answer,  ///< the request begins with the other's messages and its answer
  messages,             ///< with its messages; the answer is not on record, or not whole
  transcript,           ///< the transcript has it behind the other
  summary,              ///< it goes on, with a summary of what was said in between
  truncated,            ///< it ends with the other's last messages and its answer; others went
  rewritten,            ///< the same, and what stands before them was changed
  response_id,          ///< the request names the other's answer as what it goes on from
  same_messages,        ///< the very same request after one that failed
  agent_id,             ///< the log names the subagent or the tool use that started it
  prompt,               ///< the subagent was told what the tool use says
  result_text,          ///< what the subagent said last is the tool use's result
  tool_argument,        ///< a helper call asks about the command that the tool use ran
  type_and_time,        ///< the next subagent of the type the tool use asks for
  /// The next subagent, whatever it is; the log does not say of which type. Of two records: the
  /// only ones at that time that fit each other by model and tokens.
  time,
  shared_passage,  ///< the request says what the answer said first
  type_and_gap,    ///< the next call of the same type of agent
  // Of causes of hops:
  parent,        ///< the span names its parent
  follows_from,  ///< the span names one that it comes after
  only_one,      ///< no other call into the caller was open
  call_pattern,  ///< of those open, the likeliest by how this actor calls
  linked,        ///< the links between model calls say so
  nearest,       ///< the latest call into the caller that began before
  // Of records that tell of one call:
  request_id,   ///< both name the request
  span_id,      ///< the call names the span
  parent_span,  ///< the only call to a model inside the span that the call names as its parent
  // Of a story alone:
  turn,        ///< the user's words begin the turn that the call opens
  trigger,     ///< the record names what set it off
  task_order,  ///< what ended last in the same task
  adjusted,    ///< what lies between is hidden
  told,        ///< the graph that was read has the edge
};
inline constexpr std::string_view kRuleWords[] = {"tool_use_id",
                                                  "echoed_history",
                                                  "messages_and_answer",
                                                  "messages",
                                                  "transcript",
                                                  "summary",
                                                  "truncated",
                                                  "rewritten",
                                                  "response_id",
                                                  "same_messages",
                                                  "agent_id",
                                                  "prompt",
                                                  "result_text",
                                                  "tool_argument",
                                                  "type_and_time",
                                                  "time",
                                                  "shared_passage",
                                                  "type_and_gap",
                                                  "parent",
                                                  "follows_from",
                                                  "only_one",
                                                  "call_pattern",
                                                  "linked",
                                                  "nearest",
                                                  "request_id",
                                                  "span_id",
                                                  "parent_span",
                                                  "turn",
                                                  "trigger",
                                                  "task_order",
                                                  "adjusted",
                                                  "told"};
static_assert(std::size(kRuleWords) == static_cast<size_t>(Rule::told) + 1);
constexpr std::string_view word(Rule rule) {
  return kRuleWords[static_cast<size_t>(rule)];
}

/// Of a link between calls: is it about what is likely, not about an id or a text that both ends
/// share?
constexpr bool is_guess(Rule rule) {
  return rule == Rule::type_and_time || rule == Rule::time || rule == Rule::shared_passage ||
         rule == Rule::type_and_gap;
}

}  // namespace xtrace
