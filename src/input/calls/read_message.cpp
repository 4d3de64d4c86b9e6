#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "input/calls/message_draft.h"
#include "input/calls/server_tool.h"
#include "input/common/json_path.h"

namespace xtrace {

namespace {

/// OpenAI gives tool results a role of their own, `function` before they had ids.
bool is_of_tool(std::string_view role) {
  return role == "tool" || role == "function";
}

Message::Role role_of(std::string_view role) {
  if (role == "assistant") return Message::Role::assistant;
  return role == "user" || is_of_tool(role) ? Message::Role::user : Message::Role::other;
}

/// `{"name", "arguments"}`: JSON or any text; Ollama's are an object.
Block tool_use_of(json::element function) {
  Block use;
  use.kind = Block::Kind::tool_use;
  use.name = json::text_at(function, "name");
  json::element given;
  if (json::find(function, "arguments", given) || json::find(function, "input", given)) {
    use.text = json::text(given);
    use.body = given;
    use.has_body = json::is_object(given);
  }
  return use;
}

/// Claude Code marks the errors of its own tools in the text as well, and proxies drop `is_error`.
bool is_marked_as_error(json::element content, std::string_view text) {
  json::element first;
  if (json::is_array(content) && json::follow(content, "0/text", first)) text = json::text(first);
  return text.starts_with("<tool_use_error>");
}

}  // namespace

std::string qualified(std::string_view space, std::string_view name) {
  constexpr std::string_view kMcp = "mcp__";
  std::string whole(space);
  if (space.empty()) return std::string(name);
  const bool is_server_alone =
      space.starts_with(kMcp) && space.find("__", kMcp.size()) == space.npos;
  const std::string_view wanted = is_server_alone ? "__" : "_";
  size_t has = std::min(name.find_first_not_of('_'), name.size());
  for (; has < wanted.size() && !whole.ends_with(wanted); ++has) whole += '_';
  return whole.append(name);
}

void read_block(json::element block, Draft& draft) {
  Block read;
  if (json::is_string(block)) {
    read.kind = Block::Kind::text;
    read.text = json::text(block);
    draft.blocks.push_back(read);
    return;
  }
  if (!json::is_object(block)) return;
  std::string_view type, id, tool_use_id, thinking, server;
  json::element input, content;
  bool has_input = false, has_content = false;
  json::fields(block, [&](std::string_view key, json::element value) {
    if (key == "type")
      type = json::text(value);
    else if (key == "text")
      read.text = json::text(value);
    else if (key == "thinking")
      thinking = json::text(value);
    else if (key == "id")
      id = json::text(value);
    else if (key == "tool_use_id")
      tool_use_id = json::text(value);
    else if (key == "name")
      read.name = json::text(value);
    else if (key == "server_name")
      server = json::text(value);
    else if (key == "input")
      input = value, has_input = true;
    else if (key == "content")
      content = value, has_content = true;
    else if (key == "is_error")
      read.is_error = json::is_true(value);
  });
  // Of tools that the vendor runs by itself: `server_tool_use`, `web_search_tool_result`, …
  if (type == "text" || type == "input_text" || type == "output_text") {
    read.kind = Block::Kind::text;
  } else if (type.ends_with("tool_use")) {
    read.kind = Block::Kind::tool_use;
    read.id = id;
    if (type == "server_tool_use") read.server_tool = server_tool_named(read.name);
    if (!server.empty())
      read.name = draft.keep(qualified(fmt::format("mcp__{}", server), read.name));
    read.body = input;
    read.has_body = has_input;
  } else if (type.ends_with("tool_result")) {
    read.kind = Block::Kind::tool_result;
    read.id = tool_use_id;
    if (has_content)
      read.is_error |= json::text_at(content, "type").ends_with("_tool_result_error");
    if (has_content) read.text = json::text(content);
    read.body = content;
    read.has_body = has_content;
    read.is_error |= has_content && is_marked_as_error(content, read.text);
  } else if (type == "thinking" || type == "redacted_thinking") {
    read.kind = Block::Kind::hidden;
    read.text = thinking;
  } else if (!type.empty() || !read_converse_block(block, read)) {
    read.name = type;
    read.body = block;
    read.has_body = true;
  }
  draft.blocks.push_back(read);
}

void read_tool_call(json::element tool_call, Draft& draft) {
  if (!json::is_object(tool_call)) return;
  json::element tool;
  Block use;
  if (json::find(tool_call, "function", tool) || json::find(tool_call, "custom", tool))
    use = tool_use_of(tool);
  use.kind = Block::Kind::tool_use;
  use.id = json::text_at(tool_call, "id");
  draft.blocks.push_back(use);
}

void read_message(json::element message, Draft& draft) {
  draft.blocks.clear();
  draft.ended.clear();
  std::string_view role, tool_call_id;
  json::element content, tool_calls, function_call;
  bool has_content = false, has_calls = false, has_function_call = false;
  json::fields(message, [&](std::string_view key, json::element value) {
    if (key == "role")
      role = json::text(value);
    else if (key == "content")
      content = value, has_content = true;
    else if (key == "tool_calls")
      tool_calls = value, has_calls = true;
    else if (key == "function_call")
      function_call = value, has_function_call = json::is_object(value);
    else if (key == "tool_call_id")
      tool_call_id = json::text(value);
  });
  draft.role = role_of(role);
  if (is_of_tool(role)) {
    Block result;
    result.kind = Block::Kind::tool_result;
    result.id = tool_call_id;
    if (has_content) result.text = json::text(content);
    result.body = content;
    result.has_body = has_content;
    draft.blocks.push_back(result);
    return;
  }
  if (has_content && json::is_string(content)) read_block(content, draft);
  if (has_content) json::items(content, [&](json::element block) { read_block(block, draft); });
  if (has_calls) json::items(tool_calls, [&](json::element call) { read_tool_call(call, draft); });
  if (has_function_call) draft.blocks.push_back(tool_use_of(function_call));
}

}  // namespace xtrace
