#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "input/common/format.h"
#include "reading.h"
#include "story.h"

using namespace xtrace;

namespace {

using Envelope = Style::Envelope;
using Vendor = Style::Vendor;

/// The only call of a log of one line.
struct Only {
  explicit Only(const std::string& line) : trace(read_log(line + "\n")) {
    REQUIRE(trace.calls.size() == 1);
  }
  const Call& call() const { return trace.calls.front(); }
  std::string text(StringId id) const { return id ? std::string(trace[id]) : "(none)"; }
  std::string tools() const {
    std::string text;
    for (const ToolUse& use : trace.tool_uses)
      text += (text.empty() ? "" : ", ") + this->text(use.id) + " " + this->text(use.name) + " " +
              this->text(use.target);
    return text;
  }
  Trace trace;
};

Only only(const nlohmann::json& record) {
  return Only(record.dump());
}

const char* kBody = R"({"model":"m","messages":[{"role":"user","content":"hi"}]})";

}  // namespace

TEST_CASE("one story in every envelope, of every vendor, streamed or not, has the same links") {
  Envelope envelope = GENERATE(Envelope::proxy_log, Envelope::claude_trace, Envelope::call_log);
  Vendor vendor = GENERATE(Vendor::anthropic, Vendor::openai);
  bool streamed = GENERATE(false, true), as_string = GENERATE(false, true);
  if (envelope == Envelope::call_log && as_string) return;  // a shape that nobody writes
  CAPTURE(int(envelope), int(vendor), streamed, as_string);
  CallStory story({envelope, vendor, streamed, as_string});
  story.call("p")
      .says("mend it")
      .uses("t1", "Read", R"({"file_path":"a.cpp"})")
      .spawns("t2", "Explore", "look around");
  story.call("c").system("You explore.").says("look around").answers("all is well");
  story.call("q").after("p").reads("t1").reads("t2", "all is well").fails("overloaded_error");
  story.call("r").again("q").answers("done");
  story.call("s").after("r").says("thanks").gets_no_answer();
  CHECK(story.links() ==
        "p->c subagent_spawn 0.99 t2\n"
        "p->q continuation 1.00\n"
        "p->q tool_result 1.00 t1\n"
        "p->q tool_result 1.00 t2\n"
        "c->q subagent_report 0.99 t2\n"
        "q->r retry 1.00 attempt 2\n"
        "r->s continuation 1.00");
  const Trace& trace = story.graph().trace();
  REQUIRE(complaints_of(trace) == "");
  const Call& first = trace.calls.front();
  CHECK(trace[first.model] == "claude-test-1");
  CHECK(first.tokens.input == 100);
  CHECK(first.tokens.output == 10);
  CHECK(first.max_tokens == 4096);
  CHECK(trace[first.stop_reason] == (vendor == Vendor::anthropic ? "tool_use" : "tool_calls"));
  CHECK(trace.calls.front().duration == std::chrono::seconds(1));
  CHECK(trace[trace.tool_uses.front().target] == "a.cpp");
  CHECK(trace.calls[2].outcome == Outcome::error);
  CHECK(trace[trace.calls[2].error] == "overloaded_error");
  CHECK(trace.calls[4].outcome == Outcome::unanswered);
}

// The proxy's log.

TEST_CASE("a proxy's exchange says when, how long, and how it ended") {
  Only one(
      R"({"timestamp":"2026-03-01T10:00:00.5Z","direction":"request","method":"POST","body":)" +
      std::string(kBody) +
      R"(,"response":{"status":200,"headers":{"request-id":"req_7"},"body":{"id":"msg_1",)"
      R"("content":[{"type":"text","text":"hello"}],"stop_reason":"end_turn"},)"
      R"("timestamp":"2026-03-01T10:00:02Z","duration_ms":1499.25}})");
  CHECK(one.trace.sources.front().format == "proxy-log");
  CHECK(one.text(one.call().id) == "req_7");
  CHECK(format_time({one.call().start, one.call().decimals}) == "2026-03-01T10:00:00.5Z");
  CHECK(one.call().duration == std::chrono::microseconds(1499250));
  CHECK(one.call().outcome == Outcome::ok);
}

TEST_CASE("without a measured duration it is the time between request and response") {
  Only one(R"({"timestamp":"2026-03-01T10:00:00Z","body":)" + std::string(kBody) +
           R"(,"response":{"body":{"content":[]},"timestamp":"2026-03-01T10:00:02Z"}})");
  CHECK(one.call().duration == std::chrono::seconds(2));
}

TEST_CASE("an exchange that failed has an error and no response") {
  nlohmann::json record = {{"timestamp", "2026-03-01T10:00:00Z"},
                           {"body", nlohmann::json::parse(kBody)}};
  SECTION("a class of one word") {
    record["error"] = "ConnectionError";
    CHECK(only(record).text(only(record).call().error) == "ConnectionError");
  }
  SECTION("a sentence is payload; the class is `error`") {
    record["error"] = "connection to 10.1.2.3 lost";
    CHECK(only(record).text(only(record).call().error) == "error");
  }
  CHECK(only(record).call().outcome == Outcome::error);
  CHECK_FALSE(only(record).call().answer);
}

TEST_CASE("a body that is a string of JSON is the JSON") {
  nlohmann::json record = {{"timestamp", "2026-03-01T10:00:00Z"}, {"body", kBody}};
  record["response"]["body"] = R"({"id":"msg_1","content":"hello","stop_reason":"end_turn"})";
  Only one = only(record);
  CHECK(one.call().message_count == 1);
  CHECK(one.text(one.call().id) == "msg_1");
  CHECK(one.call().outcome == Outcome::ok);
}

TEST_CASE("a response that is no JSON leaves the call unanswered") {
  nlohmann::json record = {{"timestamp", "2026-03-01T10:00:00Z"},
                           {"body", nlohmann::json::parse(kBody)}};
  record["response"]["body"] = "<html>Bad Gateway</html>";
  CHECK(only(record).call().outcome == Outcome::unanswered);
  record["response"]["status"] = 502;
  CHECK(only(record).call().outcome == Outcome::error);
  CHECK(only(record).text(only(record).call().error) == "http_502");
}

TEST_CASE("what a proxy could not parse is an error with a preview") {
  nlohmann::json record = {{"timestamp", "2026-03-01T10:00:00Z"},
                           {"body", nlohmann::json::parse(kBody)}};
  record["response"]["body"] = {{"error", "Failed to parse SSE"}, {"raw_preview", "event: mess"}};
  CHECK(only(record).call().outcome == Outcome::error);
  CHECK(only(record).text(only(record).call().error) == "error");
}

TEST_CASE("the vendor's own word for an error wins over the HTTP status") {
  nlohmann::json record = {{"timestamp", "2026-03-01T10:00:00Z"},
                           {"body", nlohmann::json::parse(kBody)}};
  record["response"] = {
      {"status", 529},
      {"body",
       {{"type", "error"}, {"error", {{"type", "overloaded_error"}, {"message", "busy"}}}}}};
  CHECK(only(record).text(only(record).call().error) == "overloaded_error");
}

TEST_CASE("tool uses that kept only their type are known to be lost") {
  nlohmann::json record = {{"timestamp", "2026-03-01T10:00:00Z"},
                           {"body", nlohmann::json::parse(kBody)}};
  record["response"]["body"] = {{"content", {{{"type", "tool_use"}}}}, {"stop_reason", "tool_use"}};
  CHECK(only(record).call().answer_is_lossy);
  record["response"]["body"]["content"] = nlohmann::json::array();
  CHECK(only(record).call().answer_is_lossy);
  record["response"]["body"]["stop_reason"] = "end_turn";
  CHECK_FALSE(only(record).call().answer_is_lossy);
}

TEST_CASE("all four token counters are read, and what is not given stays unknown") {
  nlohmann::json record = {{"timestamp", "2026-03-01T10:00:00Z"},
                           {"body", nlohmann::json::parse(kBody)}};
  record["response"]["body"] = {{"content", "x"},
                                {"usage",
                                 {{"input_tokens", 3},
                                  {"cache_read_input_tokens", 4000},
                                  {"cache_creation_input_tokens", 0}}}};
  Tokens tokens = only(record).call().tokens;
  CHECK(tokens.input == 3);
  CHECK(tokens.cache_read == 4000);
  CHECK(tokens.cache_creation == 0);
  CHECK(tokens.output == kNoCount);
}

TEST_CASE("of what goes to a cache it is read how much is kept for an hour") {
  nlohmann::json record = {{"timestamp", "2026-03-01T10:00:00Z"},
                           {"body", nlohmann::json::parse(kBody)}};
  record["response"]["body"] = {
      {"content", "x"},
      {"usage",
       {{"cache_creation_input_tokens", 700},
        {"cache_creation",
         {{"ephemeral_5m_input_tokens", 300}, {"ephemeral_1h_input_tokens", 400}}}}}};
  Tokens tokens = only(record).call().tokens;
  CHECK(tokens.cache_creation == 700);
  CHECK(tokens.cache_creation_1h == 400);
}

TEST_CASE("numbers that make no sense are unknown") {
  nlohmann::json record = {{"timestamp", "2026-03-01T10:00:00Z"},
                           {"body", nlohmann::json::parse(kBody)}};
  record["body"]["max_tokens"] = -5;
  record["body"]["temperature"] = "warm";
  record["response"] = {{"duration_ms", -7}, {"body", {{"content", "x"}}}};
  record["response"]["body"]["usage"] = {{"input_tokens", -1}, {"output_tokens", "12"}};
  Only one = only(record);
  CHECK(one.call().max_tokens == kNoCount);
  CHECK(one.call().temperature < 0);
  CHECK(one.call().duration == kNoDuration);
  CHECK(one.call().tokens.input == kNoCount);
  CHECK(one.call().tokens.output == kNoCount);
}

TEST_CASE("a call without a usable timestamp is kept and complained of") {
  Only one(R"({"timestamp":"yesterday","body":)" + std::string(kBody) + "}");
  CHECK(one.call().start == kNoTime);
  CHECK(complaints_of(one.trace) == "field 1: no usable timestamp; records are read in file order");
}

TEST_CASE("an agent type may be a name, or a name with its looks") {
  nlohmann::json record = {{"timestamp", "2026-03-01T10:00:00Z"},
                           {"body", nlohmann::json::parse(kBody)}};
  record["agent_type"] = "Explore";
  CHECK(only(record).text(only(record).call().agent_type) == "Explore");
  record["agent_type"] = {{"name", "Plan"}, {"label", "The Planner"}, {"color", "#ff0"}};
  Only one = only(record);
  CHECK(one.text(one.call().agent_type) == "Plan");
  CHECK(one.text(one.call().agent_label) == "The Planner");
  CHECK(one.text(one.call().agent_color) == "#ff0");
}

TEST_CASE(
    "a record names itself: its id, a request id, the header's, the answer's, or its content") {
  nlohmann::json record = {{"timestamp", "2026-03-01T10:00:00Z"},
                           {"body", nlohmann::json::parse(kBody)}};
  auto id = [&] { return only(record).text(only(record).call().id); };
  std::string made = id();
  CHECK(made.starts_with("call-"));
  CHECK(made.size() == 17);
  CHECK(id() == made);
  record["response"]["body"] = {{"id", "msg_1"}, {"content", "x"}};
  CHECK(id() == "msg_1");
  record["response"]["headers"] = {{"request-id", "req_1"}};
  CHECK(id() == "req_1");
  record["id"] = "log_1";
  CHECK(id() == "log_1");
  record["request_id"] = "mine_1";
  CHECK(id() == "mine_1");
}

// claude-trace.

namespace {

nlohmann::json traced() {
  return {{"request",
           {{"timestamp", 1772359200.25},
            {"url", "https://x/v1/messages"},
            {"body", nlohmann::json::parse(kBody)}}},
          {"response",
           {{"timestamp", 1772359203.75},
            {"status_code", 200},
            {"headers", {{"request-id", "req_1"}}},
            {"body", {{"id", "msg_1"}, {"content", "hello"}}}}},
          {"logged_at", "2026-03-01T12:00:03.750000"}};
}

}  // namespace

TEST_CASE("claude-trace counts its times in seconds since 1970") {
  Only one = only(traced());
  CHECK(one.trace.sources.front().format == "claude-trace");
  CHECK(format_time({one.call().start, 3}) == "2026-03-01T10:00:00.250Z");
  CHECK(one.call().duration == std::chrono::milliseconds(3500));
  CHECK(one.text(one.call().id) == "req_1");
}

TEST_CASE("claude-trace notes a request that was never answered") {
  nlohmann::json record = traced();
  record["response"] = nullptr;
  record["note"] = "ORPHANED_REQUEST - no matching response received";
  Only one = only(record);
  CHECK(one.call().outcome == Outcome::unanswered);
  CHECK(one.call().duration == kNoDuration);
}

TEST_CASE("a stream is put together from its events") {
  nlohmann::json record = traced();
  record["response"]["body"] = nullptr;
  record["response"]["body_raw"] =
      "event: message_start\n"
      R"(data: {"type":"message_start","message":{"id":"msg_9","model":"claude-x","role":"assistant","content":[],"usage":{"input_tokens":7,"cache_read_input_tokens":90,"cache_creation_input_tokens":5,"output_tokens":1}}}    )"
      "\n\nevent: content_block_start\n"
      R"(data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}             })"
      "\n\nevent: ping\n"
      R"(data: {"type": "ping"})"
      "\n\nevent: content_block_delta\n"
      R"(data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"let me "}   })"
      "\n\nevent: content_block_delta\n"
      R"(data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"look"}})"
      "\n\nevent: content_block_start\n"
      R"(data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_1","name":"Read","input":{}}})"
      "\n\nevent: content_block_delta\n"
      R"(data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":""}})"
      "\n\nevent: content_block_delta\n"
      R"(data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"file_pa"}})"
      "\n\nevent: content_block_delta\n"
      R"(data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"th\": \"src/a.cpp\"}"}})"
      "\n\nevent: message_delta\n"
      R"(data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":56}})"
      "\n\nevent: message_stop\n"
      R"(data: {"type":"message_stop"})"
      "\n\n";
  Only one = only(record);
  CHECK(one.call().outcome == Outcome::ok);
  CHECK(one.text(one.call().model) == "claude-x");
  CHECK(one.text(one.call().stop_reason) == "tool_use");
  CHECK(one.tools() == "toolu_1 Read src/a.cpp");
  CHECK(one.call().tokens.input == 7);
  CHECK(one.call().tokens.cache_read == 90);
  CHECK(one.call().tokens.cache_creation == 5);
  CHECK(one.call().tokens.output == 56);  // and not the placeholder
}

TEST_CASE("a stream may break off, or end in an error") {
  nlohmann::json record = traced();
  record["response"]["body"] = nullptr;
  std::string begun =
      "event: message_start\r\n"
      R"(data: {"type":"message_start","message":{"id":"msg_9","model":"claude-x"}})"
      "\r\n\r\n";
  SECTION("in the middle of an event") {
    record["response"]["body_raw"] = begun + "event: content_block_delta\r\ndata: {\"type\":\"cont";
    CHECK(only(record).call().outcome == Outcome::unanswered);
    CHECK(only(record).text(only(record).call().model) == "claude-x");
  }
  SECTION("by the vendor's fault") {
    record["response"]["body_raw"] =
        begun + R"(data: {"type":"error","error":{"type":"overloaded_error","message":"busy"}})" +
        "\n\n";
    CHECK(only(record).call().outcome == Outcome::error);
    CHECK(only(record).text(only(record).call().error) == "overloaded_error");
  }
}

// A plain call log.

TEST_CASE("a call log has the bodies as they went over the wire") {
  nlohmann::json record = {{"id", "r1"},
                           {"timestamp", "2026-03-01T10:00:00Z"},
                           {"timestamp_end", "2026-03-01T10:00:04Z"},
                           {"endpoint", "/v1/messages"},
                           {"request", nlohmann::json::parse(kBody)},
                           {"response", {{"id", "msg_1"}, {"content", "hello"}}}};
  Only one = only(record);
  CHECK(one.trace.sources.front().format == "call-log");
  CHECK(one.text(one.call().id) == "r1");
  CHECK(one.call().duration == std::chrono::seconds(4));
  record["response"] = nullptr;
  CHECK(only(record).call().outcome == Outcome::unanswered);
}

TEST_CASE("a format may be forced on records that look like none") {
  LoadOptions loading;
  loading.format = find_format("call-log");
  Trace trace = read_log(R"({"id":"r1","request":{"model":"m"}})"
                         "\n",
                         loading);
  CHECK(trace.calls.size() == 1);
  CHECK(read_log(R"({"id":"r1","request":{"model":"m"}})"
                 "\n")
            .calls.empty());
}

TEST_CASE("a log may change its shape half-way") {
  CallStory first({Envelope::claude_trace}), then({Envelope::call_log});
  first.call("a");
  then.call("b");
  Trace trace = read_log(first.log() + then.log());
  CHECK(trace.calls.size() == 2);
  CHECK(trace.sources.front().format == "claude-trace");
}

TEST_CASE("Ollama's own answer tells what was said, what it used up and how long it took") {
  const Only log = only({{"id", "1"},
                         {"timestamp", "2026-05-01T09:00:00Z"},
                         {"request", nlohmann::json::parse(kBody)},
                         {"response",
                          {{"model", "llama3.1"},
                           {"message", {{"role", "assistant"}, {"content", "hello"}}},
                           {"done", true},
                           {"done_reason", "stop"},
                           {"prompt_eval_count", 26},
                           {"eval_count", 298},
                           {"total_duration", 5043500667}}}});
  CHECK(log.call().outcome == Outcome::ok);
  CHECK(log.call().tokens.input == 26);
  CHECK(log.call().tokens.output == 298);
  CHECK(log.call().duration == Duration(5043500667));
  CHECK(log.text(log.call().provider) == "ollama");
  CHECK(log.text(log.call().stop_reason) == "stop");
}

TEST_CASE("OpenRouter's answer tells who sold it and what it cost") {
  const Only log =
      only({{"id", "1"},
            {"timestamp", "2026-05-01T09:00:00Z"},
            {"request", nlohmann::json::parse(kBody)},
            {"response",
             {{"model", "anthropic/claude-sonnet-4.5"},
              {"provider", "Anthropic"},
              {"choices", {{{"message", {{"role", "assistant"}, {"content", "yo"}}}}}},
              {"usage", {{"prompt_tokens", 10}, {"completion_tokens", 2}, {"cost", 0.00014}}}}}});
  CHECK(log.text(log.call().provider) == "Anthropic");
  CHECK(log.call().cost == 140'000);
  CHECK(log.call().tokens.output == 2);
}

TEST_CASE("a provider that failed behind OpenRouter is an error of the call") {
  const Only log = only({{"id", "1"},
                         {"timestamp", "2026-05-01T09:00:00Z"},
                         {"request", nlohmann::json::parse(kBody)},
                         {"response",
                          {{"choices",
                            {{{"finish_reason", "error"},
                              {"error", {{"code", 429}, {"message", "rate limited"}}},
                              {"message", {{"role", "assistant"}, {"content", ""}}}}}}}}});
  CHECK(log.call().outcome == Outcome::error);
}

TEST_CASE("a call that ended before it began took nobody knows how long") {
  const Only log =
      only({{"id", "1"},
            {"timestamp", "2026-05-01T09:00:03Z"},
            {"timestamp_end", "2026-05-01T09:00:00Z"},
            {"request", nlohmann::json::parse(kBody)},
            {"response", {{"id", "m"}, {"content", {{{"type", "text"}, {"text", "x"}}}}}}});
  CHECK(log.call().duration == kNoDuration);
  CHECK(complaints_of(log.trace) == "field 1: negative duration; treated as unknown");
}

TEST_CASE("the provider that a record names goes before what its answer suggests") {
  const Only log =
      only({{"id", "1"},
            {"timestamp", "2026-05-01T09:00:00Z"},
            {"provider", "openrouter"},
            {"request", nlohmann::json::parse(kBody)},
            {"response", {{"id", "m"}, {"content", {{{"type", "text"}, {"text", "x"}}}}}}});
  CHECK(log.text(log.call().provider) == "openrouter");
}
