#include "input/transcripts/codex_bare.h"

#include "base/one_of.h"
#include "input/common/json_path.h"

namespace xtrace {

namespace {

constexpr std::string_view kNamedItems[] = {
    "function_call",    "function_call_output",    "custom_tool_call", "custom_tool_call_output",
    "local_shell_call", "local_shell_call_output", "web_search_call"};

}  // namespace

bool opens_bare_rollout(json::element record) {
  bool has_instructions = false, is_other = false;
  json::fields(record, [&](std::string_view key, json::element) {
    has_instructions |= key == "instructions";
    is_other |= !is_one_of(key, {"id", "timestamp", "instructions", "git"});
  });
  return has_instructions && !is_other && !json::text_at(record, "id").empty() &&
         !json::text_at(record, "timestamp").empty();
}

bool is_bare_item(json::element record) {
  const std::string_view type = json::text_at(record, "type");
  if (type == "message")
    return !json::text_at(record, "role").empty() &&
           is_one_of(json::text_on(record, "content/0/type"),
                     {"input_text", "output_text", "input_image"});
  json::element found;
  if (type == "reasoning") return json::find(record, "summary", found) && json::is_array(found);
  return is_one_of(type, kNamedItems) &&
         !json::text_on(record, type == "web_search_call" ? "id" : "call_id|id").empty();
}

bool is_bare_document(json::element record) {
  json::element session, items;
  if (!json::find(record, "session", session) || json::text_at(session, "id").empty() ||
      !json::find(record, "items", items) || !json::is_array(items))
    return false;
  bool is_any = false;
  json::items(items, [&](json::element item) { is_any |= is_bare_item(item); });
  return is_any;
}

bool fits_bare_rollout(json::element record) {
  return is_bare_item(record) || opens_bare_rollout(record) ||
         json::text_at(record, "record_type") == "state" || is_bare_document(record);
}

}  // namespace xtrace
