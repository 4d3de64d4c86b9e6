#include "input/looks_like.h"

#include <algorithm>
#include <bit>
#include <string>

#include "base/lower.h"
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

constexpr std::string_view kVsCode = "looks like a chat of Visual Studio Code, which is not read";
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
    {{"kind", "v/sessionId", "v/requests"}, "", "", kVsCode},
    {{"kind", "k", "v"}, "", "", kVsCode},
    {{"requests", "responderUsername", ""}, "", "", kVsCode},
    {{"role", "content", "ts"}, "", "", "looks like a session of Reasonix, which is not read"},
    {{"role", "content", "sessionId"},
     "",
     "",
     "looks like a session of Command Code, which is not read"},
    {{"sessionId", "timestamp", "models"},
     "",
     "",
     "looks like the usage that Qwen Code notes of a session, which is not read; read the folder "
     "chats next to it"},
    {{"trace/project_name", "spans", ""},
     "",
     "",
     "looks like a trace of Opik, which is not read; have its spans as OTLP JSON"},
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

/// A subject that a record of an unknown maker may have, and the keys that records on it share.
struct Family {
  std::string_view keys[14];
  size_t at_least;
  std::string_view words;
};

constexpr Family kFamilies[] = {
    {{"spanid", "traceid", "parentspanid", "parentid", "operationname", "starttime", "endtime",
      "starttimeunixnano", "duration", "spankind", "spans", "attributes", "tags", "statuscode"},
     3,
     "looks like spans of a tracing system in a shape that is not read; export them as OTLP JSON "
     "(resourceSpans) or from Jaeger"},
    {{"model", "messages", "choices", "usage", "prompttokens", "completiontokens", "inputtokens",
      "outputtokens", "totaltokens", "completion", "temperature", "maxtokens", "request",
      "response"},
     3,
     "looks like calls of a model in a shape that is not read; a line is read as "
     "{\"request\": …, \"response\": …} in the words of a vendor's API"},
    {{"role", "content", "sessionid", "conversationid", "threadid", "timestamp", "messageid",
      "message", "messages", "toolcalls", "parts", "author", "createdat", "text"},
     3,
     "looks like a conversation with a model, of an agent whose sessions are not read"},
};

/// Notes which keys of a family the value has, at any of a few depths.
void note_keys(json::element value, int depth, const Family& family, uint32_t& seen) {
  constexpr int kDeepest = 3;
  if (depth > kDeepest) return;
  json::fields(value, [&](std::string_view name, json::element inner) {
    std::string key = lower(name);
    std::erase_if(key, [](char c) { return c == '_' || c == '.' || c == '-'; });
    const auto* known = std::ranges::find(family.keys, std::string_view(key));
    if (known != std::end(family.keys) && !key.empty()) seen |= 1U << (known - family.keys);
    note_keys(inner, depth + 1, family, seen);
  });
  json::array items;
  if (!value.get_array().get(items) && items.size() > 0)
    note_keys(*items.begin(), depth, family, seen);  // the others are like it
}

}  // namespace

std::string_view looks_like(json::element record) {
  for (const Known& known : kKnown)
    if (is_it(record, known)) return known.words;
  const Family* best = nullptr;
  int most = 0;
  for (const Family& family : kFamilies) {
    uint32_t seen = 0;
    note_keys(record, 0, family, seen);
    const int keys = std::popcount(seen);
    if (static_cast<size_t>(keys) >= family.at_least && keys > most) best = &family, most = keys;
  }
  return best == nullptr ? std::string_view{} : best->words;
}

}  // namespace xtrace
