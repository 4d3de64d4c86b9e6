#include "input/calls/server_tool.h"

#include <utility>

#include "input/common/json_path.h"

namespace xtrace {

namespace {

using Tool = ServerTool;

// https://developers.openai.com/api/docs/guides/tools; others take these types over.
constexpr std::pair<std::string_view, Tool> kItems[] = {
    {"web_search_call", Tool::web_search},   {"x_search_call", Tool::x_search},
    {"file_search_call", Tool::file_search}, {"code_interpreter_call", Tool::code_execution},
    {"shell_call", Tool::code_execution},    {"image_generation_call", Tool::image_generation},
};

// https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview
constexpr std::pair<std::string_view, Tool> kNames[] = {
    {"web_search", Tool::web_search},
    {"web_fetch", Tool::web_fetch},
    {"code_execution", Tool::code_execution},
    {"bash_code_execution", Tool::code_execution},
    {"text_editor_code_execution", Tool::code_execution},
};

constexpr std::pair<json::Path, Tool> kCounts[] = {
    // Of Anthropic's `usage`, and of those that speak its words.
    {"server_tool_use/web_search_requests", Tool::web_search},
    {"server_tool_use/web_fetch_requests", Tool::web_fetch},
    {"server_tool_use/code_execution_requests", Tool::code_execution},
    {"webSearchRequests", Tool::web_search},  // Claude Code's sums by model
    // Next to OpenAI's `usage`.
    {"tool_usage/web_search/num_requests", Tool::web_search},
    {"tool_usage/file_search/num_requests", Tool::file_search},
    // Of xAI's `usage`, https://docs.x.ai/developers/tools/tool-usage-details.
    {"server_side_tool_usage_details/web_search_calls", Tool::web_search},
    {"server_side_tool_usage_details/x_search_calls", Tool::x_search},
    {"server_side_tool_usage_details/code_interpreter_calls", Tool::code_execution},
    {"server_side_tool_usage_details/file_search_calls", Tool::file_search},
};

template <size_t kRows>
Tool tool_at(const std::pair<std::string_view, Tool> (&rows)[kRows], std::string_view name) {
  for (const auto& [known, tool] : rows)
    if (known == name) return tool;
  return Tool::none;
}

}  // namespace

ServerTool server_tool_of_item(json::element item) {
  const Tool tool = tool_at(kItems, json::text_at(item, "type"));
  const std::string action = json::text_on(item, "action/type");
  const bool is_look = tool == Tool::web_search && !action.empty() && action != "search";
  return is_look ? Tool::none : tool;
}

ServerTool server_tool_named(std::string_view name) {
  return tool_at(kNames, name);
}

void read_server_tools(json::element counts, ServerToolUses& uses) {
  uint32_t begun = 0;  // rows whose path begins with a key that is there: mostly none
  json::fields(counts, [&](std::string_view key, json::element) {
    for (size_t row = 0; row < std::size(kCounts); ++row)
      if (const json::Path path = kCounts[row].first;
          !key.empty() && path.front() == key.front() && path.starts_with(key))
        begun |= uint32_t{1} << row;
  });
  for (size_t row = 0; begun >> row != 0; ++row) {
    if ((begun >> row & 1) == 0) continue;
    const auto& [path, tool] = kCounts[row];
    const int64_t count = json::count_on(counts, path, -1);
    if (count >= 0) uses[tool] = static_cast<int32_t>(std::min<int64_t>(count, INT32_MAX));
  }
}

ServerToolUses server_tools_in(const Draft& answer) {
  ServerToolUses uses;
  for (const Block& block : answer.blocks)
    if (block.server_tool != Tool::none)
      uses[block.server_tool] = std::max(uses[block.server_tool], 0) + 1;
  return uses;
}

}  // namespace xtrace
