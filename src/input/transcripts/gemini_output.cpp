#include "input/transcripts/gemini_output.h"

#include "base/one_of.h"
#include "input/common/json_path.h"
#include "input/transcripts/message_shape.h"
#include "input/transcripts/printed.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// `stream-json` prints a line a record:
//
//   {"type": "init", "timestamp", "session_id", "model"}
//   {"type": "message", "role", "content", "delta"}: a piece of an answer, if `delta` is true
//   {"type": "tool_use", "tool_name", "tool_id", "parameters"}
//   {"type": "tool_result", "tool_id", "status", "output", "error": {"type", "message"}}
//   {"type": "error", "severity", "message"}: words to the user
//   {"type": "result", "status", "error", "stats": {counts, "models": {MODEL: counts}}}: older
//    versions tell no models
//
// and `json` one document:
//
//   {"session_id", "response", "stats": {"models": {MODEL: {"api": {"totalRequests"}, "tokens":
//    counts}}}} or {"session_id", "error": {"type", "message"}}
//
// Tokens are of all calls of the run together. What a document says is the last answer.

namespace {

constexpr UsageShape kStreamCounts = {.input = "input_tokens",
                                      .output = "output_tokens",
                                      .cache_read = "cached",
                                      .total = "total_tokens",
                                      .input_has_cache = true};
constexpr UsageShape kGeminiOutputCounts = {.input = "prompt",
                                            .tools = "tool",
                                            .output = "candidates",
                                            .cache_read = "cached",
                                            .reasoning = "thoughts",
                                            .total = "total",
                                            .input_has_cache = true,
                                            .output_has_reasoning = false};

/// Has it these keys, and none but those?
bool has_only(json::element record, std::initializer_list<std::string_view> keys) {
  bool is_other = false;
  json::fields(record,
               [&](std::string_view key, json::element) { is_other |= !is_one_of(key, keys); });
  return !is_other;
}

bool is_gemini_output_line(json::element record) {
  const std::string_view type = json::text_at(record, "type");
  json::element time, value;
  if (!json::find(record, "timestamp", time)) return false;
  if (type == "init")
    return has_only(record, {"type", "timestamp", "session_id", "model"}) &&
           json::find(record, "session_id", value) && json::find(record, "model", value);
  if (type == "message")
    return has_only(record, {"type", "timestamp", "role", "content", "delta"}) &&
           json::find(record, "content", value) && json::is_string(value) &&
           is_one_of(json::text_at(record, "role"), {"user", "assistant"});
  if (type == "tool_use" || type == "tool_result")
    return json::find(record, "tool_id", value) &&
           json::find(record, type == "tool_use" ? "tool_name" : "status", value);
  if (type == "error")
    return has_only(record, {"type", "timestamp", "severity", "message"}) &&
           json::find(record, "severity", value);
  return type == "result" && has_only(record, {"type", "timestamp", "status", "error", "stats"}) &&
         json::find(record, "status", value);
}

bool is_gemini_document(json::element record) {
  json::element value;
  if (!has_only(record, {"session_id", "response", "stats", "error", "warnings"})) return false;
  if (json::follow(record, "stats/models", value))
    return json::find(record, "response", value) || json::find(record, "error", value);
  return json::follow(record, "error/message", value) && json::find(record, "session_id", value) &&
         json::is_string(value);
}

void read_tool_result(json::element line, Draft& draft) {
  Block& told = draft.blocks.emplace_back();
  told.kind = Block::Kind::tool_result;
  told.id = json::text_at(line, "tool_id");
  told.is_error = json::text_at(line, "status") == "error";
  told.has_body = json::follow(line, "output|error/message", told.body);
  if (told.has_body) told.text = json::text(told.body);
}

/// The stream counts thoughts in the total alone.
Tokens counted(json::element usage, const UsageShape& counts) {
  Tokens tokens = read_usage(usage, counts);
  const int64_t rest = json::count_on(usage, counts.total, 0) - total_of(tokens);
  if (tokens.output >= 0 && rest > 0) tokens.output += rest;
  return tokens;
}

class Record {
 public:
  Record(const Extent& at, RecordContext& context) : context_(context), shard_(context.shard) {
    said_.source = at;
  }

  void read_line(json::element line) {
    const std::string_view type = json::text_at(line, "type");
    json::element value;
    mark_printed(said_);
    if (json::find(line, "timestamp", value)) read_time(value, said_);
    if (type == "init") {
      said_.kind = Utterance::Kind::heading;
      said_.session = shard_.intern(json::text_at(line, "session_id"));
      said_.model = shard_.intern(json::text_at(line, "model"));
      return shard_.add(said_);
    }
    if (type == "result") {
      read_totals(line, ".", kStreamCounts);
      said_.is_whole = true;
      return read_failure(line);
    }
    const bool is_answer = type == "tool_use" || json::text_at(line, "role") == "assistant";
    if (is_answer) said_.outcome = Outcome::ok;
    if (type != "error") return add(is_answer, line);
    shard_.add(said_);
  }

  void read_document(json::element document) {
    said_.session = shard_.intern(json::text_at(document, "session_id"));
    read_totals(document, "tokens", kGeminiOutputCounts);
    if (json::text_at(document, "response").empty()) return read_failure(document);
    said_.outcome = Outcome::ok;
    said_.is_echo = said_.is_whole = true;
    add(true, document);
  }

 private:
  void add(bool is_answer, json::element record) {
    said_.kind = is_answer ? Utterance::Kind::answered : Utterance::Kind::asked;
    add_utterance(said_, record, say_gemini_output, context_);
  }

  void read_failure(json::element record) {
    json::element error;
    if (!json::find(record, "error", error) || error.is_null()) return shard_.add(said_);
    said_.kind = Utterance::Kind::failed;
    said_.error = shard_.intern(json::text_at(error, "type"));
    if (!said_.error) said_.error = shard_.intern("error");
    shard_.add(said_);
  }

  void read_totals(json::element record, json::Path usage, const UsageShape& counts) {
    json::element models, stats;
    const bool has_models = json::follow(record, "stats/models", models);
    if (!has_models && json::find(record, "stats", stats)) return read_total_of_all(stats, counts);
    if (!has_models) return;
    json::fields(models, [&](std::string_view model, json::element told) {
      Utterance total = said_;
      json::element used;
      total.kind = Utterance::Kind::total;
      total.model = shard_.intern(model);
      if (json::follow(told, usage, used)) total.tokens = counted(used, counts);
      total.calls = json::count_on(told, "api/totalRequests", kNoCount);
      shard_.add(total);
    });
  }

  /// The model that a run began with need not have been its only one.
  void read_total_of_all(json::element stats, const UsageShape& counts) {
    Utterance total = said_;
    total.kind = Utterance::Kind::total;
    total.tokens = counted(stats, counts);
    if (total.tokens != Tokens{}) shard_.add(total);
  }

  RecordContext& context_;
  Shard& shard_;
  Utterance said_;
};

}  // namespace

bool fits_gemini_output(json::element record) {
  return is_gemini_output_line(record) || is_gemini_document(record);
}

void read_gemini_output(json::element record, const Extent& at, RecordContext& context) {
  Record reading(at, context);
  is_gemini_output_line(record) ? reading.read_line(record) : reading.read_document(record);
}

void say_gemini_output(json::element record, Draft& said) {
  const std::string_view type = json::text_at(record, "type");
  const bool is_answer =
      type.empty() || type == "tool_use" || json::text_at(record, "role") == "assistant";
  said.role = is_answer ? Message::Role::assistant : Message::Role::user;
  if (type == "tool_result") return read_tool_result(record, said);
  if (type == "tool_use")
    return read_tool_use(record, {"tool_id", "tool_name", "parameters"}, said);
  add_text(json::text_at(record, type.empty() ? "response" : "content"), said);
}

}  // namespace xtrace
