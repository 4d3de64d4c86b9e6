#include "render/html/link_rules.h"

#include <utility>

namespace xtrace {

namespace {

constexpr std::pair<std::string_view, std::string_view> kRules[] = {
    {"tool_use_id", "the result names the tool use"},
    {"echoed_history",
     "the result has no ID, but the next request's history contains the tool use"},
    {"messages_and_answer", "begins with the messages and reply of the source"},
    {"messages", "begins with the messages of the source; its reply is not recorded"},
    {"transcript", "is next in the transcript"},
    {"summary", "continues from a summary of the source"},
    {"truncated", "ends with the last messages and reply of the source; older ones were removed"},
    {"rewritten", "ends with the last messages and reply of the source; older ones were changed"},
    {"response_id", "names the reply of the source"},
    {"same_messages", "repeats the request of the source, which failed"},
    {"agent_id", "the log names what started the subagent"},
    {"prompt", "the subagent's prompt is in the tool use"},
    {"result_text", "the result is the subagent's last reply"},
    {"tool_argument", "asks about the command that the tool use ran"},
    {"type_and_time", "next subagent of the requested type"},
    {"time", "next subagent of any type"},
    {"shared_passage", "shares a passage that first appeared in the reply of the source"},
    {"type_and_gap", "next call of this agent type"},
    {"parent", "the span names its parent"},
    {"follows_from", "the span names the span it follows"},
    {"only_one", "only one call to the caller was open at that time"},
    {"call_pattern", "most likely cause, given how this actor usually calls others"},
    {"linked", "derived from a link between model calls"},
    {"nearest", "most recent call to the caller"},
    {"turn", "the user's prompt begins this turn"},
    {"trigger", "the record names its trigger"},
    {"task_order", "the last step to end before it in the same task"},
    {"adjusted", "the calls in between are hidden"},
    {"told", "recorded in the graph that was read"},
};

}  // namespace

std::string_view rule_in_words(std::string_view method) {
  for (const auto& [word, words] : kRules)
    if (word == method) return words;
  return {};
}

}  // namespace xtrace
