#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

namespace {

/// `ok, ok, unanswered`
std::string outcomes(const std::string& log) {
  std::string words;
  for (const Call& call : read_log(log).calls)
    words += (words.empty() ? "" : ", ") + std::string(word(call.outcome));
  return words;
}

/// The same question, asked so many minutes past ten; `more` is what else the record states.
std::string asked(int minute, const std::string& more) {
  return fmt::format(
      R"({{"timestamp":"2026-03-01T10:{:02}:00Z","request":{{"model":"m","messages":)"
      R"([{{"role":"user","content":"ping"}}]}},{}}})"
      "\n",
      minute, more);
}

size_t retries(const std::string& log) {
  size_t count = 0;
  const Graph graph = link(read_log(log), {});
  for (const Link& link : graph.links()) count += link.kind == LinkKind::retry;
  return count;
}

}  // namespace

TEST_CASE("a log that keeps no texts still tells that there was an answer") {
  CHECK(outcomes(asked(1, R"("status":200)")) == "ok");
  CHECK(outcomes(asked(1, R"("response":{"usage":{"input_tokens":9,"output_tokens":3}})")) == "ok");
  CHECK(retries(asked(1, R"("status":200)") + asked(2, R"("status":200)")) == 0);
  SECTION("and one without a word of it tells nothing") {
    CHECK(outcomes(asked(1, R"("response":null)")) == "unanswered");
    CHECK(retries(asked(1, R"("response":null)") + asked(2, R"("status":200)")) == 1);
  }
  SECTION("a stream that holds no answer broke off") {
    CHECK(outcomes(asked(1, R"("status":200,"response":"event: ping\ndata: {}\n\n")")) ==
          "unanswered");
  }
}

TEST_CASE("what counts the tokens of a request asks no model") {
  const Trace trace =
      read_log(asked(1, R"("response":{"input_tokens":14})") +
               asked(2, R"("response":{"content":[],"usage":{"input_tokens":14}})"));
  CHECK(trace.calls.size() == 1);
  CHECK(complaints_of(trace) == "");
}

TEST_CASE("an answer of an unknown kind is no missing one") {
  const std::string log = asked(1, R"("response":{"id":"modr-1","results":[]})");
  CHECK(outcomes(log) == "unknown");
  CHECK(complaints_of(read_log(log)).find("response of an unknown kind") != std::string::npos);
  CHECK(retries(log + log) == 0);
}

TEST_CASE("what an embedding model answers is vectors") {
  const Trace trace = read_log(
      R"({"timestamp":"2026-03-01T10:00:00Z","request":{"model":"embed-1","input":["text"]},)"
      R"("response":{"object":"list","data":[{"object":"embedding","embedding":[0.1]}],)"
      R"("model":"embed-1","usage":{"prompt_tokens":8,"total_tokens":8}}})"
      "\n");
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls[0].outcome == Outcome::ok);
  CHECK(trace.calls[0].tokens.input == 8);
}

TEST_CASE("of what LiteLLM logs, the cache is taken out of the input, and its own costs nothing") {
  const auto tokens = [](const std::string& cache_hit) {
    return read_log(
               R"({"id":"c1","call_type":"acompletion","status":"success","startTime":1788255400.0,)"
               R"("endTime":1788255403.0,"response_cost":0.01,"model":"m","prompt_tokens":1000,)"
               R"("completion_tokens":100,"metadata":{"usage_object":{"prompt_tokens":1000,)"
               R"("cache_read_input_tokens":600,"cache_creation_input_tokens":300}},"cache_hit":)" +
               cache_hit +
               R"(,"messages":[{"role":"user","content":"ping"}],"response":{"id":"r","choices":)"
               R"([{"message":{"role":"assistant","content":"pong"}}],"usage":{"prompt_tokens":1000,)"
               R"("completion_tokens":100,"prompt_tokens_details":{"cached_tokens":600}}}})"
               "\n")
        .calls.at(0)
        .tokens;
  };
  CHECK(tokens("null").input == 100);
  CHECK(tokens("null").cache_read == 600);
  CHECK(tokens("null").cache_creation == 300);
  CHECK(tokens("true") == Tokens());
  CHECK(tokens("\"True\"") == Tokens());
}

TEST_CASE("a row of what LiteLLM's proxy spent tells of cache and failure in its metadata") {
  const Trace trace = read_log(
      R"({"request_id":"s1","call_type":"acompletion","spend":0.002,"prompt_tokens":100,)"
      R"("completion_tokens":20,"startTime":"2026-03-01T09:30:01Z","endTime":)"
      R"("2026-03-01T09:30:02Z","model":"m","status":"success","messages":{},"response":{},)"
      R"("metadata":{"additional_usage_values":{"cache_read_input_tokens":60}}})"
      "\n"
      R"({"request_id":"s2","call_type":"acompletion","spend":0,"prompt_tokens":0,)"
      R"("completion_tokens":0,"startTime":"2026-03-01T09:30:03Z","endTime":)"
      R"("2026-03-01T09:30:04Z","model":"m","status":"failure","messages":{},"response":{},)"
      R"("metadata":{"error_information":{"error_code":"","error_class":"RateLimitError"}}})"
      "\n");
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[0].tokens == Tokens{.input = 40, .output = 20, .cache_read = 60});
  CHECK(trace[trace.calls[1].error] == "RateLimitError");
}

TEST_CASE("a row of Helicone's counts the cache apart where its total does") {
  const auto tokens = [](const std::string& total) {
    return read_log(R"({"request_id":"h1","request_created_at":"2026-03-01T09:30:01Z",)"
                    R"("request_body":{"model":"m","messages":[{"role":"user","content":"ping"}]},)"
                    R"("response_body":null,"response_status":200,"prompt_tokens":900,)"
                    R"("prompt_cache_read_tokens":700,"completion_tokens":5)" +
                    total + "}\n")
        .calls.at(0)
        .tokens;
  };
  CHECK(tokens(R"(,"total_tokens":1605)").input == 900);
  CHECK(tokens(R"(,"total_tokens":905)").input == 200);
  CHECK(tokens("").input == 200);
}

TEST_CASE("of what a browser saved, a model was asked only where one is named") {
  const auto calls = [](const std::string& url, const std::string& body) {
    return read_log(
               fmt::format(R"({{"startedDateTime":"2026-03-01T10:00:00Z","time":5,"request":{{)"
                           R"("method":"POST","url":"https://{}","postData":{{"text":"{}"}}}},)"
                           R"("response":{{"status":200}}}})"
                           "\n",
                           url, body))
        .calls.size();
  };
  CHECK(calls("api.example.com/v1/messages", R"({\"model\":\"m\",\"messages\":[]})") == 1);
  CHECK(calls("example.com/model/m-1/invoke", R"({\"messages\":[]})") == 1);
  CHECK(calls("example.com/openai/deployments/m/chat/completions", R"({\"messages\":[]})") == 1);
  CHECK(calls("stats.example.com/events", R"({\"messages\":[{\"event\":\"x\"}]})") == 0);
  CHECK(calls("example.com/api/search", R"({\"input\":\"foo\"})") == 0);
}

TEST_CASE("what a batch asks and what it gave are one call each") {
  Folder folder;
  const std::string asks = folder.write(
      "asks.jsonl",
      R"({"custom_id":"b1","method":"POST","url":"/v1/chat/completions","body":{"model":"m",)"
      R"("messages":[{"role":"user","content":"one"}]}})"
      "\n"
      R"({"custom_id":"b2","params":{"model":"m","messages":[{"role":"user","content":"two"}]}})"
      "\n");
  const std::string gave = folder.write(
      "gave.jsonl",
      R"({"id":"r","custom_id":"b1","response":{"status_code":200,"body":{"id":"c","choices":)"
      R"([{"message":{"role":"assistant","content":"1"}}]}}})"
      "\n"
      R"({"custom_id":"b2","result":{"type":"expired"}})"
      "\n");
  Progress progress;
  const Graph graph = link(load({asks, gave}, {}, progress).value(), {});
  const Trace& trace = graph.trace();
  REQUIRE(graph.timeline().in_order().size() == 2);
  for (CallId id : graph.timeline().in_order()) {
    CHECK(trace[id].request);
    CHECK(trace[id].outcome == (trace[trace[id].id] == "b1" ? Outcome::ok : Outcome::error));
  }
}

TEST_CASE("batches may name their requests alike") {
  Folder folder;
  for (const char* batch : {"a", "b"}) {
    folder.write(std::string(batch) + "-asks.jsonl",
                 std::string(R"({"custom_id":"b1","params":{"model":"m","messages":)") +
                     R"([{"role":"user","content":")" + batch + "\"}]}}\n");
    folder.write(
        std::string(batch) + "-gave.jsonl",
        std::string(R"({"custom_id":"b1","result":{"type":"succeeded","message":{"id":"m-)") +
            batch + R"(","content":[],"usage":{"input_tokens":5,"output_tokens":2}}}})" + "\n");
  }
  Progress progress;
  const Graph graph = link(load({folder.path()}, {}, progress).value(), {});
  REQUIRE(graph.timeline().in_order().size() == 2);
  for (CallId id : graph.timeline().in_order()) {
    CHECK(graph.trace()[id].request);
    CHECK(graph.trace()[id].tokens.output == 2);
  }
}

TEST_CASE("tools that the vendor runs have their results in its answer") {
  const Graph graph = link(
      read_log(asked(
          1,
          R"("response":{"id":"m1","content":[{"type":"server_tool_use","id":"s1",)"
          R"("name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"s1",)"
          R"("content":{"type":"web_search_tool_result_error","error_code":"unavailable"}},)"
          R"({"type":"mcp_tool_use","id":"s2","name":"echo","server_name":"files","input":{}},)"
          R"({"type":"mcp_tool_result","tool_use_id":"s2","is_error":false,"content":[]}]})")),
      {});
  std::string tools;
  for (const Activity& done : graph.activities().all)
    if (done.use != nullptr) tools += fmt::format("{} {}; ", done.tool, word(done.outcome));
  CHECK(tools == "web_search error; mcp__files__echo ok; ");
}
