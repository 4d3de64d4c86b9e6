#include "render/html/link_rules.h"

#include <utility>

namespace xtrace {

namespace {

constexpr std::pair<std::string_view, std::string_view> kRules[] = {
    {"tool_use_id", "the result names the tool use"},
    {"echoed_history", "the ID was lost, but the history of the next request contains it"},
    {"messages_and_answer", "begins with the messages and reply of the source"},
    {"messages", "begins with the messages of the source; its reply is not recorded"},
    {"transcript", "follows in the transcript"},
    {"summary", "continues from a summary of the source"},
    {"truncated", "ends with the last messages and reply of the source; older ones were removed"},
    {"rewritten", "ends with the last messages and reply of the source; older ones were changed"},
    {"response_id", "names the reply that it continues"},
    {"same_messages", "same request after a failure"},
    {"agent_id", "the log names what started the subagent"},
    {"prompt", "the subagent's prompt is in the tool use"},
    {"result_text", "the result is the subagent's last reply"},
    {"tool_argument", "asks about the command of the tool use"},
    {"type_and_time", "next subagent of the requested type"},
    {"time", "next subagent of any type"},
    {"shared_passage", "shares a passage that is first in the source's reply"},
    {"type_and_gap", "next call of this agent type"},
    {"parent", "the span names its parent"},
    {"follows_from", "the span names the span it follows"},
    {"only_one", "no other call into the caller was open"},
    {"call_pattern", "most likely given how this actor calls"},
    {"linked", "from the links between model calls"},
    {"nearest", "latest earlier call into the caller"},
    {"turn", "the user's prompt begins this turn"},
    {"trigger", "the record names its trigger"},
    {"task_order", "ended last in the same task"},
    {"adjusted", "the calls between are hidden"},
    {"told", "stated by the graph in the input"},
};

}  // namespace

std::string_view rule_in_words(std::string_view method) {
  for (const auto& [word, words] : kRules)
    if (word == method) return words;
  return {};
}

}  // namespace xtrace
