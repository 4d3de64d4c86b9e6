#pragma once

#include <array>
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
  file_handoff,
  sequential
};

/// What one step of a story is to the next, the least telling first.
enum class Relation : uint8_t { other, next_step, user_action, triggered, escalated, reflected };
inline constexpr std::string_view kRelationWords[] = {"OTHER",     "NEXT_STEP", "USER_ACTION",
                                                      "TRIGGERED", "ESCALATED", "REFLECTED"};
constexpr std::string_view word(Relation relation) {
  return kRelationWords[static_cast<size_t>(relation)];
}

/// All that answers need to know of a kind of link, so that a new kind is a new row.
struct LinkKindRow {
  std::string_view word;         ///< in answers
  std::string_view in_database;  ///< in a graph database
  std::string_view meaning;      ///< of a link from a source to a target
  std::string_view deed;         ///< what the target did because of the source: `read the result`
  std::string_view label = {};   ///< in a picture; of a tool's result it is the name of the tool
  std::string_view remark = {};  ///< beside the target, before the line of the source; empty: none
  Relation in_story = Relation::other;
  /// How well it says what its target was made for, of all the links into that; -1: not at all.
  int purpose = -1;
  /// Of links in a row over calls that are hidden, the highest names the whole; 0: it ends the row.
  int over_hidden = 0;
  bool goes_on = false;      ///< both calls are of one conversation
  bool of_subagent = false;  ///< between a subagent and whoever started it
  bool through_use = false;  ///< the tool use of the source that it names led to the target
};
inline constexpr LinkKindRow kLinkKinds[] = {
    {.word = "tool_result",
     .in_database = "TOOL_RESULT",
     .meaning = "the target reads the result of a tool use of the source",
     .deed = "read the result",
     .in_story = Relation::next_step,
     .purpose = 0,
     .through_use = true},
    {.word = "subagent_spawn",
     .in_database = "SUBAGENT_SPAWN",
     .meaning = "the source started the subagent whose first call is the target",
     .deed = "was started",
     .label = "spawn",
     .in_story = Relation::triggered,
     .purpose = 3,
     .over_hidden = 2,
     .of_subagent = true,
     .through_use = true},
    {.word = "subagent_report",
     .in_database = "SUBAGENT_REPORT",
     .meaning = "the target reads the report of the subagent whose last call is the source",
     .deed = "read the report",
     .label = "report",
     .in_story = Relation::next_step,
     .over_hidden = 3,
     .of_subagent = true},
    {.word = "continuation",
     .in_database = "CONTINUATION",
     .meaning = "the target continues the conversation of the source",
     .deed = "continued the conversation",
     .in_story = Relation::next_step,
     .purpose = 1,
     .over_hidden = 1,
     .goes_on = true},
    {.word = "retry",
     .in_database = "RETRY",
     .meaning = "the target repeats the failed request of the source",
     .deed = "retried",
     .label = "retry",
     .in_story = Relation::reflected,
     .purpose = 2,
     .over_hidden = 1,
     .goes_on = true},
    {.word = "content_reuse",
     .in_database = "CONTENT_REUSE",
     .meaning = "the target receives text that first appeared in the reply of the source",
     .deed = "read its reply",
     .label = "reuse",
     .remark = "reuses"},
    {.word = "file_handoff",
     .in_database = "FILE_HANDOFF",
     .meaning = "the target reads a file as a tool use of the source wrote it",
     .deed = "read its file",
     .label = "file",
     .remark = "reads a file of",
     .through_use = true},
    {.word = "sequential",
     .in_database = "SEQUENTIAL",
     .meaning = "the target follows the source and has no other link",
     .deed = "came next",
     .label = "then",
     .remark = "after"},
};
static_assert(std::size(kLinkKinds) == static_cast<size_t>(LinkKind::sequential) + 1);
constexpr const LinkKindRow& row_of(LinkKind kind) {
  return kLinkKinds[static_cast<size_t>(kind)];
}
constexpr std::string_view word(LinkKind kind) {
  return row_of(kind).word;
}
inline constexpr std::array kLinkWords = [] {
  std::array<std::string_view, std::size(kLinkKinds)> words;
  for (size_t i = 0; i < words.size(); ++i) words[i] = kLinkKinds[i].word;
  return words;
}();

/// The argument by which two things were found to belong together, in answers the `method`: of
/// links between calls, of causes of hops, of records that record one call, and of what else joins
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
  rewritten,            ///< the same, and what precedes them was changed
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
  content,         ///< the tool reads the text that the other one wrote into the file
  path,            ///< the tool reads the file that the other one wrote
  type_and_gap,    ///< the next call of the same type of agent
  // Of causes of hops:
  parent,        ///< the span names its parent
  follows_from,  ///< the span names one that it comes after
  only_one,      ///< no other call into the caller was open
  call_pattern,  ///< of those open, the likeliest by how this actor calls
  linked,        ///< the links between model calls say so
  nearest,       ///< the latest call into the caller that began before
  // Of records that record one call:
  request_id,   ///< both name the request
  span_id,      ///< the call names the span
  parent_span,  ///< the only call to a model inside the span that the call names as its parent
  // Of a story alone:
  turn,        ///< the user's words begin the turn that the call opens
  trigger,     ///< the record names what set it off
  task_order,  ///< what ended last in the same task
  adjusted,    ///< what lies between is hidden
  told,        ///< the graph that was read has the edge
  // Of what set calls off, to which their cost is attributed:
  stamp,           ///< the record of the call names it
  until_turn_end,  ///< the turn in which it began has not ended
};
inline constexpr std::string_view kRuleWords[] = {
    "tool_use_id",   "echoed_history", "messages_and_answer",
    "messages",      "transcript",     "summary",
    "truncated",     "rewritten",      "response_id",
    "same_messages", "agent_id",       "prompt",
    "result_text",   "tool_argument",  "type_and_time",
    "time",          "shared_passage", "content",
    "path",          "type_and_gap",   "parent",
    "follows_from",  "only_one",       "call_pattern",
    "linked",        "nearest",        "request_id",
    "span_id",       "parent_span",    "turn",
    "trigger",       "task_order",     "adjusted",
    "told",          "stamp",          "until_turn_end"};
static_assert(std::size(kRuleWords) == static_cast<size_t>(Rule::until_turn_end) + 1);
constexpr std::string_view word(Rule rule) {
  return kRuleWords[static_cast<size_t>(rule)];
}

/// An edge that ids state and the clock denies is at most so sure: one of the two is wrong.
inline constexpr double kMostAgainstTheClock = 0.99;

/// Of a link between calls: is it about what is likely, not about an id or a text that both ends
/// share?
constexpr bool is_guess(Rule rule) {
  return rule == Rule::type_and_time || rule == Rule::time || rule == Rule::shared_passage ||
         rule == Rule::path || rule == Rule::type_and_gap;
}

}  // namespace xtrace
