#include "input/calls/response_item.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "base/hash.h"
#include "base/hex.h"
#include "base/one_of.h"
#include "input/calls/server_tool.h"
#include "input/calls/wall_time.h"
#include "input/common/json_path.h"

namespace xtrace {

// The items, by their `type`:
//
//   message               {"role", "content": "…" or [{"type": "input_text"|"output_text",
//   "text"}]} reasoning             not part of what is said function_call         {"call_id",
//   "name", "namespace", "arguments": "{…}"} custom_tool_call      {"call_id", "name", "input":
//   "…"} local_shell_call      {"call_id", "action": {"command": […]}}, and others like it
//   web_search_call, …    done by the vendor: {"id", "status", "action"}, no `call_id`, and no
//                         output of its own
//   agent_message         {"author", "content"}: what another agent tells this one
//   function_call_output  {"call_id", "output": "…", [{"text"}] or {"content", "success"}}
//   custom_tool_call_output, local_shell_call_output, …    likewise

namespace {

/// Is there a number other than 0 behind the mark? Clients write exit codes in words of their own.
bool tells_failure(std::string_view text, std::string_view mark) {
  size_t at = text.find(mark);
  if (at == std::string_view::npos) return false;
  text.remove_prefix(at + mark.size());
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return !text.empty() && text.front() != '0' &&
         (text.front() == '-' || std::isdigit(static_cast<unsigned char>(text.front())) != 0);
}

/// What Codex puts in the place of an output that the user did not wait for.
bool tells_abort(std::string_view output) {
  constexpr std::string_view kAbort = "aborted by user";
  return output == "aborted" || output.starts_with(kAbort) ||
         (output.starts_with("Wall time: ") && output.ends_with(kAbort));
}

/// What Codex tells in the place of an output where it could not run a tool.
bool tells_refusal(std::string_view output) {
  constexpr std::string_view kBeginnings[] = {"apply_patch verification failed: ",
                                              "failed to parse function arguments: ",
                                              "exec_command failed for `",
                                              "write_stdin failed: ",
                                              "unsupported call: ",
                                              "unsupported custom tool call: ",
                                              "collab spawn failed: ",
                                              "Script failed\n"};
  return std::any_of(std::begin(kBeginnings), std::end(kBeginnings), [&](std::string_view words) {
    const bool names_tool = words.starts_with("unsupported ");
    return output.starts_with(words) &&
           !(names_tool && output.find(' ', words.size()) != output.npos);
  });
}

bool tells_failure(std::string_view output) {
  if (tells_abort(output) || tells_refusal(output)) return true;
  std::string_view head = output.substr(0, output.find("\nOutput:")).substr(0, 400);
  if (output.starts_with("Exit code: ")) return tells_failure(head, "Exit code: ");
  if (output.starts_with("{")) return tells_failure(output, "\"exit_code\":");
  return tells_failure(head, "\nProcess exited with code ");
}

void read_arguments(json::element item, Block& use) {
  for (std::string_view key : {"arguments", "input", "action", "operation"}) {
    json::element value;
    if (!json::find(item, key, value) || value.is_null()) continue;
    use.text = json::text(value);
    use.body = value;
    use.has_body = json::is_object(value);
    return;
  }
}

void read_output(json::element item, Block& result) {
  json::element output, content;
  if (!json::find(item, "output", output)) return;
  if (json::is_object(output)) {
    json::element success;
    result.is_error =
        json::find(output, "success", success) && success.is_bool() && !json::is_true(success);
    if (json::find(output, "content", content)) output = content;
  }
  result.text = json::text(output);
  result.body = output;
  result.has_body = true;
  result.is_error |= tells_failure(result.text);
  result.took = read_wall_time(result.text);
  json::element first;
  if (!json::follow(output, "0/text", first)) return;
  result.took = read_wall_time(json::text(first));
  result.is_error |= tells_refusal(json::text(first));
}

/// What the vendor did by itself: a use, and that it is over.
void read_vendors_tool(json::element item, Block use, Draft& draft) {
  constexpr std::string_view kStillGoing[] = {"in_progress", "searching", "generating"};
  const std::string_view status = json::text_at(item, "status");
  use.kind = Block::Kind::tool_use;
  use.server_tool = server_tool_of_item(item);
  use.id = json::text_at(item, "id");
  read_arguments(item, use);
  if (use.id.empty())
    use.id = draft.keep(
        fmt::format("{}-{}", use.name, hex(hash_of(simdjson::minify(item))).substr(0, 8)));
  Block result;
  result.kind = Block::Kind::tool_result;
  result.id = use.id;
  read_output(item, result);
  json::element error;
  result.is_error |= is_one_of(status, {"failed", "incomplete"}) ||
                     (json::find(item, "error", error) && !error.is_null());
  draft.blocks.push_back(use);
  if (!is_one_of(status, kStillGoing)) draft.blocks.push_back(result);
}

bool read_said(json::element item, Draft& draft) {
  Draft message;
  read_message(item, message);
  draft.role = message.role;
  draft.blocks.insert(draft.blocks.end(), message.blocks.begin(), message.blocks.end());
  draft.kept.insert(draft.kept.end(), message.kept.begin(), message.kept.end());
  return !message.blocks.empty();
}

}  // namespace

bool read_response_item(json::element item, Draft& draft) {
  if (!json::is_object(item)) return false;
  constexpr std::string_view kCall = "_call", kOutput = "_output";
  std::string_view type = json::text_at(item, "type"), id = json::text_at(item, "call_id");
  if (type.empty() || type == "message") return read_said(item, draft);
  if (type == "agent_message") {
    const bool says_anything = read_said(item, draft);
    draft.role = Message::Role::other;
    return says_anything;
  }
  Block block;
  block.id = id;
  if (type == "reasoning") {
    draft.role = Message::Role::assistant;
    block.kind = Block::Kind::hidden;
  } else if (type.ends_with(kOutput)) {
    draft.role = Message::Role::user;
    block.kind = Block::Kind::tool_result;
    read_output(item, block);
  } else if (type.ends_with(kCall)) {
    draft.role = Message::Role::assistant;
    block.kind = Block::Kind::tool_use;
    block.name = json::text_at(item, "name");
    if (block.name.empty()) block.name = type.substr(0, type.size() - kCall.size());
    if (const std::string_view space = json::text_at(item, "namespace"); !space.empty())
      block.name = draft.keep(qualified(space, block.name));
    if (id.empty() && type != "function_call") {
      if (const std::string_view server = json::text_at(item, "server_label"); !server.empty())
        block.name = draft.keep(qualified(fmt::format("mcp__{}", server), block.name));
      read_vendors_tool(item, block, draft);
      return true;
    }
    read_arguments(item, block);
  } else {
    return false;
  }
  draft.blocks.push_back(block);
  return true;
}

}  // namespace xtrace
