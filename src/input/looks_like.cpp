#include "input/looks_like.h"

#include "input/common/json_path.h"

namespace xtrace {

namespace {

/// The keys that tell it, or ways to them, and what a key says where that tells it too, or begins
/// with: then it ends with a dot.
struct Known {
  std::string_view keys[3];
  std::string_view key, says;
  std::string_view words;
};

constexpr std::string_view kKimi = "looks like a session of Kimi, which is not read";

constexpr Known kKnown[] = {
    {{"files_in_context", "", ""},
     "",
     "",
     "looks like what Cline notes of a task (task_metadata.json), which tells no calls"},
    {{"display", "pastedContents", "timestamp"},
     "",
     "",
     "looks like the prompts that Claude Code remembers (history.jsonl), which tell no calls; read "
     "the folder projects beside it"},
    {{"session_id", "ts", "text"},
     "",
     "",
     "looks like the prompts that Codex remembers (history.jsonl), which tell no calls; read the "
     "folder sessions beside it"},
    {{"sessionId", "messageId", "message"},
     "",
     "",
     "looks like the prompts that Gemini CLI remembers (logs.json), which tell no calls; read the "
     "folder chats beside it"},
    {{"task", "tokensIn", "totalCost"},
     "",
     "",
     "looks like the list of tasks that Cline keeps (taskHistory.json), which tells no calls; read "
     "the folder tasks"},
    {{"traceEvents", "displayTimeUnit", ""},
     "",
     "",
     "looks like trace events for Perfetto, which are for its viewers; read the log that they were "
     "made from"},
    {{"rule", "number", "characters"},
     "",
     "",
     "looks like what xtrace notes of a redaction (--audit-log), which tells no calls; read the "
     "log that the answer was made from"},
    {{"custom_id", "method", "url"},
     "",
     "",
     "looks like a request of a batch, which tells no answer; read the results of the batch"},
    {{"name", "dataPoints", ""},
     "type",
     "metric",
     "looks like a measurement that OpenTelemetry's library for JavaScript prints, which tells of "
     "no call"},
    {{"sessionId", "workspaceDirectory", "history"},
     "",
     "",
     "looks like a session of Continue, which is not read"},
    {{"event", "properties", "user_id"},
     "",
     "",
     "looks like a line of aider's --analytics-log, which is not read"},
    {{"protocol_version", "", ""}, "type", "metadata", kKimi},
    {{"time", "", ""}, "type", "context.", kKimi},
    {{"time", "input", "origin"}, "type", "turn.", kKimi},
    {{"time", "usage", "usageScope"}, "type", "usage.", kKimi},
    {{"timestamp", "message/type", "message/payload"}, "", "", kKimi},  // until 1.0
    {{"token_count", "", ""}, "role", "_usage", kKimi},
    {{"content", "", ""}, "role", "_system_prompt", kKimi},
    {{"id", "", ""}, "role", "_checkpoint", kKimi},
};

bool is_it(json::element record, const Known& known) {
  json::element value;
  for (std::string_view key : known.keys) {
    const bool is_way = key.find('/') != key.npos;
    if (!key.empty() &&
        !(is_way ? json::follow(record, key, value) : json::find(record, key, value)))
      return false;
  }
  const std::string_view says =
      known.key.empty() ? std::string_view{} : json::text_at(record, known.key);
  return known.says.ends_with('.') ? says.starts_with(known.says) : says == known.says;
}

}  // namespace

std::string_view looks_like(json::element record) {
  for (const Known& known : kKnown)
    if (is_it(record, known)) return known.words;
  return {};
}

}  // namespace xtrace
