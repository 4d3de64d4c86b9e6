#include "input/calls/instructions.h"

namespace xtrace {

namespace {

void add_texts(json::element value, std::string& all) {
  auto add = [&](std::string_view text) {
    if (!all.empty() && !text.empty()) all += '\n';
    all += text;
  };
  if (json::is_string(value)) return add(json::text(value));
  json::items(value, [&](json::element block) {
    add(json::is_string(block) ? json::text(block) : json::text_at(block, "text"));
  });
}

/// Anthropic's `input_schema`; OpenAI's `parameters`, which are in `function` or not, and tools
/// that take any text in `custom`.
void read_tool(json::element tool, std::vector<DeclaredTool>& tools) {
  json::element inner, schema;
  for (std::string_view key : {"function", "custom"})
    if (json::find(tool, key, inner) && json::is_object(inner)) tool = inner;
  std::string_view name = json::text_at(tool, "name");
  if (name.empty()) return;
  const bool has_schema =
      json::find(tool, "input_schema", schema) || json::find(tool, "parameters", schema);
  tools.push_back({std::string(name), std::string(json::text_at(tool, "description")),
                   has_schema ? simdjson::minify(schema) : std::string()});
}

}  // namespace

Instructions read_instructions(json::element request) {
  Instructions instructions;
  json::element list;
  for (const char* key : {"system", "instructions"})
    if (json::find(request, key, list)) add_texts(list, instructions.system_prompt);
  // OpenAI's place for them is among the messages.
  for (const char* key : {"messages", "input"}) {
    if (!json::find(request, key, list) || !json::is_array(list)) continue;
    json::items(list, [&](json::element message) {
      std::string_view role = json::text_at(message, "role");
      json::element content;
      if ((role == "system" || role == "developer") && json::find(message, "content", content))
        add_texts(content, instructions.system_prompt);
    });
  }
  if (json::find(request, "tools", list))
    json::items(list, [&](json::element tool) { read_tool(tool, instructions.tools); });
  return instructions;
}

}  // namespace xtrace
