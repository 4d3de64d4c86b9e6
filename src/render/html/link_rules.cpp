#include "render/html/link_rules.h"

#include <utility>

namespace xtrace {

namespace {

constexpr std::pair<std::string_view, std::string_view> kRules[] = {
    {"tool_use_id", "the result names the tool use"},
    {"echoed_history", "the id was lost; the history of the next request has it"},
    {"messages_and_answer", "it begins with the other's messages and answer"},
    {"messages", "it begins with the other's messages; the answer is not on record"},
    {"transcript", "it follows in the transcript"},
    {"summary", "it goes on from a summary of the other"},
    {"truncated", "it ends with the other's last messages and answer; older ones went"},
    {"rewritten", "it ends with the other's last messages and answer; older ones were changed"},
    {"response_id", "it names the answer that it goes on from"},
    {"same_messages", "the same request after one that failed"},
    {"agent_id", "the log names what started the subagent"},
    {"prompt", "the subagent was told what the tool use says"},
    {"result_text", "the result is what the subagent said last"},
    {"tool_argument", "it asks about the command that the tool use ran"},
    {"type_and_time", "the next subagent of the type asked for"},
    {"time", "the next subagent, whatever it is"},
    {"shared_passage", "it says what the other's answer said first"},
    {"type_and_gap", "the next call of this type of agent"},
    {"parent", "the span names its parent"},
    {"follows_from", "the span names the one it follows"},
    {"only_one", "no other call into the caller was open"},
    {"call_pattern", "the likeliest by how this actor calls"},
    {"linked", "the links between model calls say so"},
    {"nearest", "the latest call into the caller before"},
    {"turn", "the user's words begin this turn"},
    {"trigger", "the record names what set it off"},
    {"task_order", "what ended last in the same task"},
    {"adjusted", "what lies between is hidden"},
    {"told", "the graph that was read has it"},
};

}  // namespace

std::string_view rule_in_words(std::string_view method) {
  for (const auto& [word, words] : kRules)
    if (word == method) return words;
  return {};
}

}  // namespace xtrace
