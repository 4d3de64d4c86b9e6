#include "pen.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/time.h"

namespace xtrace {

using Json = nlohmann::ordered_json;

namespace {

constexpr int64_t kBeginning = 1'772'359'200;  // 2026-03-01T10:00:00Z

std::string moment(double seconds) {
  Duration since_1970 =
      std::chrono::seconds(kBeginning) + std::chrono::milliseconds(std::llround(seconds * 1000));
  return format_time({Time(since_1970), 3});
}

/// A text as a request writes it: bare, or as a list of blocks.
Json content(const std::string& text, bool as_list) {
  return as_list ? Json::array({{{"type", "text"}, {"text", text}}}) : Json(text);
}

std::string stream_of(const std::vector<Json>& events, bool named) {
  std::string text;
  for (const Json& event : events) {
    if (named) text += "event: " + event["type"].get<std::string>() + "\n";
    text += "data: " + event.dump() + "  \n\n";  // claude-trace leaves blanks behind the JSON
  }
  return named ? text : text + "data: [DONE]\n\n";
}

}  // namespace

std::string task_input(const std::string& type, const std::string& prompt,
                       const std::string& resume) {
  Json input = {{"description", "a piece of work"}, {"prompt", prompt}};
  if (!type.empty()) input["subagent_type"] = type;
  if (!resume.empty()) input["resume"] = resume;
  return input.dump();
}

/// The bodies of one call, vendor by vendor.
struct Pen::Parts {
  const Pen& pen;
  const Told& told;

  bool openai() const { return pen.style_.vendor == Style::Vendor::openai; }

  std::string spoken(const Told& by) const {
    bool silent = !by.uses_.empty() && !by.text_;
    return silent ? "" : by.text_.value_or("the answer of " + by.name_);
  }

  // Messages.

  void add_history(const Told& of, Json& messages) const {
    if (!of.again_.empty()) return add_history(pen.story_.find(of.again_), messages);
    if (!of.after_.empty()) {
      const Told& before = pen.story_.find(of.after_);
      add_history(before, messages);
      messages.push_back(openai() ? openai_echo(before) : anthropic_echo(before));
    }
    openai() ? openai_ask(of, messages) : anthropic_ask(of, messages);
  }

  /// How a history writes a text: the request at hand decides.
  std::string worded(const std::string& text) const {
    return told.blanks_ ? "\n " + text + "  \n" : text;
  }
  static std::string own_words(const Told& of, const Told::Asked& asked) {
    return asked.text.empty() ? "please do " + of.name_ : asked.text;
  }

  void anthropic_ask(const Told& of, Json& messages) const {
    Json blocks = Json::array();
    if (of.reminds_)
      blocks.push_back(
          {{"type", "text"}, {"text", "<system-reminder>\nmind the style\n</system-reminder>"}});
    std::vector<Told::Asked> asked = of.asked_;
    if (asked.empty()) asked.push_back({{}, "please do " + of.name_});
    for (const Told::Asked& each : asked) {
      if (each.tool_use.empty()) {
        blocks.push_back({{"type", "text"}, {"text", worded(own_words(of, each))}});
        continue;
      }
      Json result = {
          {"type", "tool_result"}, {"tool_use_id", each.tool_use}, {"content", each.text}};
      if (each.is_error) result["is_error"] = true;
      blocks.push_back(std::move(result));
    }
    bool one_text = blocks.size() == 1 && blocks[0]["type"] == "text";
    if (one_text && !told.lists_ && !told.marks_cache_) blocks = blocks[0]["text"];
    messages.push_back({{"role", "user"}, {"content", std::move(blocks)}});
  }

  Json anthropic_echo(const Told& before) const {
    Json blocks = Json::array();
    if (std::string text = spoken(before); !text.empty())
      blocks.push_back({{"type", "text"}, {"text", worded(text)}});
    for (const Told::Use& use : before.uses_)
      blocks.push_back({{"type", "tool_use"},
                        {"id", use.id},
                        {"name", use.tool},
                        {"input", Json::parse(use.input)}});
    return {{"role", "assistant"}, {"content", std::move(blocks)}};
  }

  void openai_ask(const Told& of, Json& messages) const {
    std::vector<Told::Asked> asked = of.asked_;
    if (asked.empty()) asked.push_back({{}, "please do " + of.name_});
    for (const Told::Asked& each : asked) {
      if (each.tool_use.empty())
        messages.push_back(
            {{"role", "user"}, {"content", content(worded(own_words(of, each)), told.lists_)}});
      else
        messages.push_back(
            {{"role", "tool"}, {"tool_call_id", each.tool_use}, {"content", each.text}});
    }
  }

  Json openai_echo(const Told& before) const {
    std::string text = spoken(before);
    Json message = {{"role", "assistant"}, {"content", text.empty() ? Json() : Json(text)}};
    for (const Told::Use& use : before.uses_)
      message["tool_calls"].push_back(
          {{"id", use.id},
           {"type", "function"},
           {"function", {{"name", use.tool}, {"arguments", use.input}}}});
    return message;
  }

  // The request.

  Json request() const {
    Json messages = Json::array();
    if (openai() && !told.system_.empty())
      messages.push_back({{"role", "system"}, {"content", told.system_}});
    add_history(told, messages);
    Json body = {{"model", told.model_}, {"max_tokens", 4096}};
    if (!openai() && !told.system_.empty()) body["system"] = content(told.system_, true);
    if (told.tools_) body["tools"] = Json::array({{{"name", "Read"}}});
    if (!told.user_.empty()) {
      if (openai())
        body["user"] = told.user_;
      else
        body["metadata"] = {{"user_id", told.user_}};
    }
    if (told.marks_cache_)
      messages.back()["content"].back()["cache_control"] = {{"type", "ephemeral"}};
    body["messages"] = std::move(messages);
    return body;
  }

  // The answer.

  std::string stop_reason() const {
    if (told.uses_.empty()) return openai() ? "stop" : "end_turn";
    return openai() ? "tool_calls" : "tool_use";
  }

  Json anthropic_answer() const {
    Json blocks = Json::array();
    if (told.thinks_) blocks.push_back({{"type", "thinking"}, {"thinking", "let me see"}});
    if (std::string text = spoken(told); !text.empty())
      blocks.push_back({{"type", "text"}, {"text", text}});
    for (const Told::Use& use : told.uses_) {
      if (told.loses_uses_) break;
      if (told.loses_ids_)
        blocks.push_back({{"type", "tool_use"}});
      else
        blocks.push_back({{"type", "tool_use"},
                          {"id", use.id},
                          {"name", use.tool},
                          {"input", Json::parse(use.input)}});
    }
    return {{"id", "msg_" + told.name_},
            {"type", "message"},
            {"role", "assistant"},
            {"model", told.model_},
            {"content", std::move(blocks)},
            {"stop_reason", stop_reason()},
            {"usage", {{"input_tokens", told.input_}, {"output_tokens", told.output_}}}};
  }

  Json openai_answer() const {
    return {
        {"id", "chatcmpl-" + told.name_},
        {"object", "chat.completion"},
        {"model", told.model_},
        {"choices",
         Json::array(
             {{{"index", 0}, {"message", openai_echo(told)}, {"finish_reason", stop_reason()}}})},
        {"usage",
         {{"prompt_tokens", told.input_},
          {"completion_tokens", told.output_},
          {"total_tokens", told.input_ + told.output_}}}};
  }

  std::string anthropic_stream() const {
    Json answer = anthropic_answer(), start = answer;
    start["content"] = Json::array();
    start["stop_reason"] = nullptr;
    start["usage"]["output_tokens"] = 1;  // a placeholder, as the vendor sends it
    std::vector<Json> events = {{{"type", "message_start"}, {"message", start}},
                                {{"type", "ping"}}};
    for (size_t i = 0; i < answer["content"].size(); ++i) {
      Json block = answer["content"][i];
      std::vector<Json> deltas;
      if (block["type"] == "text") {
        deltas.push_back({{"type", "text_delta"}, {"text", block["text"]}});
        block["text"] = "";
      } else if (block["type"] == "tool_use") {
        std::string input = block["input"].dump();
        size_t half = input.size() / 2;
        for (const std::string& piece : {std::string(), input.substr(0, half), input.substr(half)})
          deltas.push_back({{"type", "input_json_delta"}, {"partial_json", piece}});
        block["input"] = Json::object();
      }
      events.push_back({{"type", "content_block_start"}, {"index", i}, {"content_block", block}});
      for (Json& delta : deltas)
        events.push_back(
            {{"type", "content_block_delta"}, {"index", i}, {"delta", std::move(delta)}});
      events.push_back({{"type", "content_block_stop"}, {"index", i}});
    }
    events.push_back({{"type", "message_delta"},
                      {"delta", {{"stop_reason", stop_reason()}, {"stop_sequence", nullptr}}},
                      {"usage", {{"output_tokens", told.output_}}}});
    events.push_back({{"type", "message_stop"}});
    return stream_of(events, true);
  }

  std::string openai_stream() const {
    Json message = openai_echo(told);
    std::vector<Json> deltas = {{{"role", "assistant"}, {"content", ""}}};
    if (message["content"].is_string()) deltas.push_back({{"content", message["content"]}});
    for (size_t i = 0; i < told.uses_.size(); ++i) {
      const Told::Use& use = told.uses_[i];
      size_t half = use.input.size() / 2;
      Json first = {{"index", i},
                    {"id", use.id},
                    {"type", "function"},
                    {"function", {{"name", use.tool}, {"arguments", ""}}}};
      deltas.push_back({{"tool_calls", Json::array({first})}});
      for (const std::string& piece : {use.input.substr(0, half), use.input.substr(half)})
        deltas.push_back(
            {{"tool_calls", Json::array({{{"index", i}, {"function", {{"arguments", piece}}}}})}});
    }
    std::vector<Json> events;
    auto chunk = [&](Json delta, Json reason) {
      events.push_back(
          {{"id", "chatcmpl-" + told.name_},
           {"object", "chat.completion.chunk"},
           {"model", told.model_},
           {"choices",
            Json::array({{{"index", 0}, {"delta", delta}, {"finish_reason", reason}}})}});
    };
    for (const Json& delta : deltas) chunk(delta, nullptr);
    chunk(Json::object(), stop_reason());
    events.push_back({{"id", "chatcmpl-" + told.name_},
                      {"object", "chat.completion.chunk"},
                      {"choices", Json::array()},
                      {"usage", openai_answer()["usage"]}});
    return stream_of(events, false);
  }

  bool failed() const { return !told.error_.empty(); }
  int status() const { return failed() ? 529 : 200; }

  /// The body that came back; a string if it was streamed.
  Json answer() const {
    if (failed())
      return {{"type", "error"}, {"error", {{"type", told.error_}, {"message", "not now"}}}};
    if (pen.style_.streamed) return openai() ? openai_stream() : anthropic_stream();
    return openai() ? openai_answer() : anthropic_answer();
  }
};

std::string Pen::write(const Told& told) const {
  Parts parts{*this, told};
  double start = story_.start_of(told), end = start + told.took_;
  Json request = parts.request(), answer = told.unanswered_ ? Json() : parts.answer();
  if (style_.body_as_string) {
    request = request.dump();
    if (answer.is_object()) answer = answer.dump();
  }
  Json record;
  switch (style_.envelope) {
    case Style::Envelope::proxy_log:
      record = {{"id", told.name_}, {"timestamp", moment(start)}, {"method", "POST"}};
      record["body"] = std::move(request);
      if (!told.unanswered_)
        record["response"] = {{"status", parts.status()},
                              {"body", std::move(answer)},
                              {"timestamp", moment(end)},
                              {"duration_ms", told.took_ * 1000}};
      break;
    case Style::Envelope::claude_trace: {
      record["request"] = {{"timestamp", static_cast<double>(kBeginning) + start},
                           {"method", "POST"},
                           {"url", "https://api.example.com/v1/messages"},
                           {"body", std::move(request)}};
      if (told.unanswered_) {
        record["response"] = nullptr;
        record["note"] = "ORPHANED_REQUEST - no response received";
        record["id"] = told.name_;
        break;
      }
      bool raw = answer.is_string() && style_.streamed;
      Json response = {{"timestamp", static_cast<double>(kBeginning) + end},
                       {"status_code", parts.status()},
                       {"headers", {{"request-id", told.name_}}}};
      if (raw) response["body"] = nullptr;
      response[raw ? "body_raw" : "body"] = std::move(answer);
      record["response"] = std::move(response);
      record["logged_at"] = "2026-03-01T12:00:00.000000";
      break;
    }
    case Style::Envelope::call_log:
      record = {{"id", told.name_}, {"timestamp", moment(start)}, {"timestamp_end", moment(end)}};
      record["request"] = std::move(request);
      if (!told.unanswered_) record["response"] = std::move(answer);
      break;
  }
  if (!told.has_time_) {
    record.erase("timestamp");
    record.erase("timestamp_end");
    if (record.contains("response")) record["response"].erase("timestamp");
  }
  if (!told.session_.empty()) record["session_id"] = told.session_;
  if (!told.agent_.empty()) record["agent_type"] = told.agent_;
  if (!told.spawned_by_.empty()) record["parent_tool_use_id"] = told.spawned_by_;
  return record.dump();
}

}  // namespace xtrace
