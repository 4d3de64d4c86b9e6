#include "input/looks_like.h"

#include <algorithm>
#include <bit>
#include <string>

#include "base/lower.h"
#include "input/common/json_path.h"

namespace xtrace {

namespace {

/// The keys that tell it, or ways to them, and what a key says where that shows it too, or begins
/// with: then it ends with a dot.
struct Known {
  std::string_view keys[3];
  std::string_view key, says;
  std::string_view words;
};

constexpr std::string_view kVsCode =
    "looks like a change to a Visual Studio Code chat; use the whole log, whose first line "
    "contains the session";
constexpr std::string_view kSigNoz =
    "looks like SigNoz's own list of spans, which is not supported; use rows of its table "
    "signoz_index_v3";
constexpr std::string_view kKimi = "looks like a Kimi session, which is not supported";

constexpr std::string_view kVibeStore =
    "looks like Mistral Vibe's unified session store, which is not supported; use the sessions in "
    "logs/session (messages.jsonl)";

constexpr Known kKnown[] = {
    {{"files_in_context", "", ""},
     "",
     "",
     "looks like Cline's task metadata (task_metadata.json), which contains no calls"},
    {{"display", "pastedContents", "timestamp"},
     "",
     "",
     "looks like Claude Code's prompt history (history.jsonl), which contains no calls; use the "
     "folder projects next to it"},
    {{"session_id", "ts", "text"},
     "",
     "",
     "looks like Codex's prompt history (history.jsonl), which contains no calls; use the folder "
     "sessions next to it"},
    {{"sessionId", "messageId", "message"},
     "",
     "",
     "looks like Gemini CLI's prompt history (logs.json), which contains no calls; use the folder "
     "chats next to it"},
    {{"task", "tokensIn", "totalCost"},
     "",
     "",
     "looks like Cline's task list (taskHistory.json), which contains no calls; use the folder "
     "tasks"},
    {{"traceEvents", "displayTimeUnit", ""},
     "",
     "",
     "looks like trace events for Perfetto, which xtrace does not read; use the original log"},
    {{"rule", "number", "characters"},
     "",
     "",
     "looks like xtrace's redaction log (--audit-log), which contains no calls; use the original "
     "log"},
    {{"custom_id", "method", "url"},
     "",
     "",
     "looks like a batch request, which contains no reply; use the results of the batch"},
    {{"name", "dataPoints", ""},
     "type",
     "metric",
     "looks like a metric of OpenTelemetry for JavaScript, which contains no call"},
    {{"sessionId", "workspaceDirectory", "history"},
     "",
     "",
     "looks like a Continue session, which is not supported"},
    {{"event", "properties", "user_id"},
     "",
     "",
     "looks like a line of aider's --analytics-log, which is not supported"},
    {{"protocol_version", "", ""}, "type", "metadata", kKimi},
    {{"time", "", ""}, "type", "context.", kKimi},
    {{"time", "input", "origin"}, "type", "turn.", kKimi},
    {{"time", "usage", "usageScope"}, "type", "usage.", kKimi},
    {{"timestamp", "message/type", "message/payload"}, "", "", kKimi},  // until 1.0
    {{"token_count", "", ""}, "role", "_usage", kKimi},
    {{"content", "", ""}, "role", "_system_prompt", kKimi},
    {{"kind", "v/sessionId", "v/requests"}, "", "", kVsCode},
    {{"kind", "k", "v"}, "", "", kVsCode},
    {{"span_count|content/0/span_count", "start_time|content/0/start_time", ""},
     "",
     "",
     "looks like traces of Opik without their spans; export the spans"},
    {{"trajectoryId", "cascadeId", "steps"},
     "",
     "",
     "looks like an Antigravity conversation that another tool decoded, which is not supported; "
     "use transcript_full.jsonl in the conversation's folder below brain"},
    {{"items/0/event_id", "items/0/source", "has_next_page"},
     "",
     "",
     "looks like messages from Devin's API, which contain no calls; use the transcripts of Devin's "
     "CLI (cli/transcripts)"},
    {{"identity/kind", "session_metadata/active_model", ""}, "", "", kVibeStore},
    {{"turnId", "createdAt", "state/status"}, "", "", kVibeStore},
    {{"projection_state/chunks", "", ""}, "", "", kVibeStore},
    {{"error/httpCode|errors/0/msg", "", ""},
     "",
     "",
     "looks like an error of Jaeger's API, which contains no spans"},
    {{"TraceSummaries", "", ""},
     "",
     "",
     "looks like X-Ray's summaries of traces; use the output of `aws xray batch-get-traces`"},
    {{"meta", "data/0/0", "rows"},
     "",
     "",
     "looks like rows of ClickHouse without names (JSONCompact); use FORMAT JSONEachRow"},
    {{"columns/0/values", "", ""},
     "",
     "",
     "looks like the columns of a query to Logfire; request rows (`json_rows=true`)"},
    {{"columns", "events/0/0", "startTimestampMillis"}, "", "", kSigNoz},
    {{"data/result/0/list/0/data/spanID", "", ""}, "", "", kSigNoz},
    {{"data/data/results/0/rows/0/data/span_id", "", ""}, "", "", kSigNoz},
    {{"hits/hits/0/fields|fields", "hits/hits/0/_id|_id", ""},
     "",
     "",
     "looks like an answer of Elasticsearch without documents; request their `_source`"},
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
     "looks like spans in an unsupported shape; export them as OTLP JSON (resourceSpans) or from "
     "Jaeger"},
    {{"model", "messages", "choices", "usage", "prompttokens", "completiontokens", "inputtokens",
      "outputtokens", "totaltokens", "completion", "temperature", "maxtokens", "request",
      "response"},
     3,
     "looks like model calls in an unsupported shape; use {\"request\": …, \"response\": …} per "
     "line, as in the provider's API"},
    {{"role", "content", "sessionid", "conversationid", "threadid", "timestamp", "messageid",
      "message", "messages", "toolcalls", "parts", "author", "createdat", "text"},
     3,
     "looks like a conversation of an unsupported agent"},
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
