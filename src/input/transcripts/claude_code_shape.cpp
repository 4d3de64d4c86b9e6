#include "input/transcripts/claude_code_shape.h"

#include "base/one_of.h"
#include "input/common/json_path.h"
#include "input/transcripts/message_shape.h"

namespace xtrace {

bool is_about_agent(json::element record) {
  return !json::text_at(record, "agentType").empty() && json::text_at(record, "type").empty();
}

bool is_launch(json::element record) {
  if (json::text_at(record, "type") != "launched") return false;
  size_t fields = 0;
  json::fields(record, [&](std::string_view, json::element) { ++fields; });
  return fields == 1;
}

namespace {

/// Lines that may name neither a session nor another line.
constexpr std::string_view kBookkeeping[] = {"artifact-autoreact-ledger", "cost-state",
                                             "fork-context-ref", "frame-link",
                                             "speculation-accept"};

/// A message of either side, or one that a line's type tells the side of.
bool says_who(json::element message) {
  json::element content;
  return json::is_object(message) && json::find(message, "content", content);
}

/// How a workflow stands, or that an agent of it began or ended: their own files tell the same.
bool is_about_workflow(json::element record) {
  if (is_launch(record)) return true;
  json::element progress;
  return (json::text_at(record, "runId").starts_with("wf_") &&
          json::find(record, "workflowProgress", progress)) ||
         (json::text_at(record, "key").starts_with("v2:") &&
          !json::text_at(record, "agentId").empty());
}

}  // namespace

bool fits_claude_code(json::element record) {
  bool has_type = false, is_line = false, is_export = false, is_other = false;
  json::element parts;
  json::fields(record, [&](std::string_view key, json::element value) {
    has_type |= key == "type" && json::is_string(value);
    is_other |= key == "type" && json::text(value).starts_with("context.");
    is_export |= key == "loglines" && json::is_array(value);
    is_line |= key == "sessionId" || key == "session_id" || key == "uuid" || key == "parentUuid" ||
               key == "messageId" || key == "leafUuid" || key == "total_cost_usd" ||
               (key == "type" && is_one_of(json::text(value), kBookkeeping));
    if (key == "message") is_line |= says_who(value);
    // Steps of a query (step_events.cpp), records that hold their messages themselves, and lines of
    // those who write much as this one does: Gemini CLI numbers prompts, Qwen Code says it in
    // parts, Kimi adds to a context.
    is_other |= key == "messages" || key == "node" || key == "payload" || key == "queryId" ||
                (key == "messageId" && !json::is_string(value)) ||
                (key == "message" && json::find(value, "parts", parts)) || key == "usageMetadata" ||
                key == "systemPayload";
  });
  const bool is_common = has_type && is_line && !is_other;
  return is_common || is_export || is_about_agent(record) || is_about_workflow(record);
}

}  // namespace xtrace
