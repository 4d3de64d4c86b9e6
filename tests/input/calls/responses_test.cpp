#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "by_line.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

Json text_item(const char* role, const char* text) {
  const char* type = std::string_view(role) == "assistant" ? "output_text" : "input_text";
  return {{"type", "message"}, {"role", role}, {"content", {{{"type", type}, {"text", text}}}}};
}
Json use_item(const char* id) {
  return {{"type", "function_call"},
          {"call_id", id},
          {"name", "read"},
          {"arguments", R"({"path":"a.txt"})"}};
}
Json result_item(const char* id) {
  return {{"type", "function_call_output"}, {"call_id", id}, {"output", "pears"}};
}

Json answer(const char* id, std::vector<Json> output) {
  return {{"id", id},
          {"object", "response"},
          {"status", "completed"},
          {"model", "gpt-x-1"},
          {"error", nullptr},
          {"output", std::move(output)},
          {"usage",
           {{"input_tokens", 100},
            {"input_tokens_details", {{"cached_tokens", 70}}},
            {"output_tokens", 9}}}};
}

/// Several calls, ten seconds apart, as a call log has them.
class Log {
 public:
  Log& call(Json input, const Json& response, const Json& more = Json::object()) {
    Json request = {{"model", "gpt-x"}, {"input", std::move(input)}};
    request.update(more);
    int second = 10 * ++next_;
    auto time = [&](int s) {
      return "2026-01-01T10:0" + std::to_string(s / 60) + ":" + std::to_string(10 + s % 50) + "Z";
    };
    Json record = {{"timestamp", time(second)}, {"request", request}, {"response", response}};
    text_ += record.dump() + "\n";
    return *this;
  }
  std::string text() const { return text_; }
  Graph graph() const { return link(read_log(text_), {}); }

 private:
  std::string text_;
  int next_ = 0;
};

std::string streamed(const std::vector<Json>& events) {
  std::string text;
  for (const Json& event : events)
    text += "event: " + event["type"].get<std::string>() + "\ndata: " + event.dump() + "\n\n";
  return text;
}

}  // namespace

TEST_CASE("tools have a name that follows from what they are and from their order") {
  const auto tool = [](const char* name) { return Json{{"type", "function"}, {"name", name}}; };
  Json marked = tool("b");
  marked["cache_control"] = {{"type", "ephemeral"}};
  Log log;
  const auto offer = [&](const char* id, const Json& tools) {
    log.call("hi", answer(id, {use_item("c1")}), {{"tools", tools}});
  };
  offer("resp_1", Json::array({tool("a"), tool("b")}));
  offer("resp_2", Json::array({tool("a"), marked}));
  offer("resp_3", Json::array({tool("b"), tool("a")}));
  offer("resp_4", nullptr);
  const Trace trace = read_log(log.text());
  REQUIRE(trace.calls.size() == 4);
  CHECK(trace.calls[0].tools == trace.calls[1].tools);
  CHECK(trace.calls[0].tools != trace.calls[2].tools);
  CHECK(trace.calls[3].tools == 0);
}

TEST_CASE("a call of the Responses API is read whole") {
  Log log;
  log.call("hi", answer("resp_1", {{{"type", "reasoning"}}, use_item("c1")}),
           {{"instructions", "be brief"}, {"max_output_tokens", 50}, {"tools", Json::array()}});
  Trace trace = read_log(log.text());
  REQUIRE(trace.calls.size() == 1);
  const Call& call = trace.calls.front();
  CHECK(trace.sources.front().format == "call-log");
  CHECK(trace[trace.calls.front().id] == "resp_1");
  CHECK(trace.calls.front().outcome == Outcome::ok);
  CHECK(trace[call.model] == "gpt-x-1");
  CHECK(trace[call.asked_model] == "gpt-x");
  CHECK(call.tokens == Tokens{.input = 30, .output = 9, .cache_read = 70});
  CHECK(call.max_tokens == 50);
  CHECK(call.tools != 0);
  CHECK(call.system_prompt);
  REQUIRE(trace.tool_uses.size() == 1);
  CHECK(trace[trace.tool_uses.front().target] == "a.txt");
}

TEST_CASE("a request that repeats its items goes on with the call that had them") {
  Json user = text_item("user", "read"), reasoning = {{"type", "reasoning"}};
  Json said = text_item("assistant", "I read"), use = use_item("c1");
  Log log;
  log.call(Json::array({user}), answer("resp_1", {reasoning, said, use}));
  log.call({user, reasoning, said, use, result_item("c1")},
           answer("resp_2", {text_item("assistant", "pears")}));
  CHECK(links_by_line(log.graph()) == "1->2 tool_use_id\n1->2 messages_and_answer");
}

TEST_CASE("a request that names the answer before it goes on from that one") {
  Log log;
  log.call("one", answer("resp_1", {use_item("c1")}));
  log.call("other", answer("resp_x", {use_item("c9")}));
  log.call(Json::array({result_item("c1")}), answer("resp_2", {}),
           {{"previous_response_id", "resp_1"}});
  Graph graph = log.graph();
  CHECK(links_by_line(graph) == "1->3 tool_use_id\n1->3 response_id");
  for (const Link& link : graph.links()) CHECK(confidence(link) == 1.0);
}

TEST_CASE("an answer that is not in the log is gone on from by nobody") {
  Log log;
  log.call("one", answer("resp_1", {}))
      .call("two", answer("resp_2", {}), {{"previous_response_id", "resp_0"}});
  CHECK(log.graph().links().empty());
}

TEST_CASE("the same words in two conversations are no retry of one another") {
  Json failed = answer("resp_f", {});
  failed["status"] = "failed";
  failed["error"] = {{"code", "server_error"}, {"message", "sorry"}};
  Log log;
  log.call("a", answer("resp_a", {})).call("b", answer("resp_b", {}));
  log.call("yes", failed, {{"previous_response_id", "resp_a"}});
  SECTION("two conversations") {
    log.call("yes", answer("resp_4", {}), {{"previous_response_id", "resp_b"}});
    CHECK(links_by_line(log.graph()) == "1->3 response_id\n2->4 response_id");
  }
  SECTION("one conversation") {
    log.call("yes", answer("resp_4", {}), {{"previous_response_id", "resp_a"}});
    CHECK(links_by_line(log.graph()) == "1->3 response_id\n3->4 same_messages");
  }
  Trace trace = read_log(log.text());
  CHECK(trace[trace.calls[2].error] == "server_error");
}

TEST_CASE("an answer that was cut short says why") {
  Json cut = answer("resp_1", {text_item("assistant", "half")});
  cut["status"] = "incomplete";
  cut["incomplete_details"] = {{"reason", "max_output_tokens"}};
  Log log;
  log.call("x", cut);
  Trace trace = read_log(log.text());
  CHECK(trace[trace.calls.front().stop_reason] == "max_output_tokens");
  CHECK(trace.calls.front().outcome == Outcome::ok);
}

TEST_CASE("only what is done answers a request") {
  auto told_by = [](const char* status, bool with_http) {
    Json told = answer("resp_1", {});
    told["status"] = status;
    told["usage"] = nullptr;
    Json record = {{"timestamp", "2026-01-01T10:00:00Z"},
                   {"body", {{"model", "gpt-x"}, {"input", "hi"}, {"background", true}}},
                   {"response", {{"body", told}}}};
    if (with_http) record["response"]["status_code"] = 200;
    const Trace trace = read_log(record.dump() + "\n");
    const Call& call = trace.calls.front();
    return std::string(word(call.outcome)) + " " +
           (call.error ? std::string(trace[call.error]) : "");
  };
  const bool with_http = GENERATE(false, true);
  CHECK(told_by("completed", with_http) == "ok ");
  CHECK(told_by("queued", with_http) == "unanswered ");
  CHECK(told_by("in_progress", with_http) == "unanswered ");
  CHECK(told_by("cancelled", with_http) == "error cancelled");
  CHECK(told_by("failed", with_http) == "error error");
}

TEST_CASE("a stream that broke off before the answer began is none") {
  const Json created = {
      {"type", "response.created"},
      {"response", {{"id", "resp_1"}, {"model", "gpt-x-1"}, {"status", "in_progress"}}}};
  Log log;
  log.call("x", streamed({created}));
  CHECK(read_log(log.text()).calls.front().outcome == Outcome::unanswered);
}

TEST_CASE("a streamed answer of the Responses API is the same call") {
  Json done = answer("resp_1", {text_item("assistant", "pears"), use_item("c1")});
  Json delta = {{"type", "response.output_text.delta"}, {"output_index", 0}, {"delta", "pears"}};
  Json item = {
      {"type", "response.output_item.done"}, {"output_index", 1}, {"item", use_item("c1")}};
  Json created = {{"type", "response.created"},
                  {"response", {{"id", "resp_1"}, {"model", "gpt-x-1"}}}};
  std::vector<Json> events = {created, delta, item};
  bool is_whole = GENERATE(true, false);
  if (is_whole) events.push_back({{"type", "response.completed"}, {"response", done}});
  Log log;
  log.call("x", streamed(events));
  Trace trace = read_log(log.text());
  const Call& call = trace.calls.front();
  CHECK(trace[trace.calls.front().id] == "resp_1");
  CHECK(trace.calls.front().outcome == Outcome::ok);
  CHECK(call.tokens.output == (is_whole ? 9 : kNoCount));
  REQUIRE(trace.tool_uses.size() == 1);
  CHECK(trace[trace.tool_uses.front().target] == "a.txt");
  Folder folder;
  Progress progress;
  Trace again = load({folder.write("r.jsonl", log.text())}, {}, progress).value();
  Excerpt excerpt = Excerpts(again).of(again.calls.front());
  CHECK(excerpt.prompt == "x");
  CHECK(excerpt.answer == "pears");
}

TEST_CASE("what the vendor runs by itself is a use and a result, streamed or not") {
  const std::vector<Json> items = {{{"type", "web_search_call"},
                                    {"id", "ws_1"},
                                    {"status", "completed"},
                                    {"action", {{"type", "search"}, {"query", "pears"}}}},
                                   {{"type", "mcp_call"},
                                    {"id", "mcp_1"},
                                    {"server_label", "dice"},
                                    {"name", "roll"},
                                    {"arguments", "{}"},
                                    {"output", "4"},
                                    {"error", nullptr}},
                                   use_item("c1"),
                                   text_item("assistant", "done")};
  std::vector<Json> events;
  events.reserve(items.size() + 1);
  for (const Json& item : items)
    events.push_back(
        {{"type", "response.output_item.done"}, {"output_index", events.size()}, {"item", item}});
  Json response = answer("resp_1", items);
  SECTION("whole") {}
  SECTION("item by item") {
    response = streamed(events);
  }
  SECTION("streamed, and whole in the end") {
    const Json completed = {{"type", "response.completed"}, {"response", response}};
    response = streamed({completed});
  }
  Log log;
  log.call("x", response);
  Json history = Json::array({text_item("user", "x")});
  for (const Json& item : items) history.push_back(item);
  history.push_back(result_item("c1"));
  log.call(history, answer("resp_2", {text_item("assistant", "pears")}));
  const Trace trace = read_log(log.text());
  std::string tools;
  for (const ToolUse& use : trace.tool_uses)
    tools += std::string(trace[use.name]) + " " + std::string(trace[use.id]) + "; ";
  CHECK(tools == "web_search ws_1; mcp__dice__roll mcp_1; read c1; ");
  CHECK(trace.tool_results.size() == 3);
  CHECK(links_by_line(log.graph()) ==
        "1->2 tool_use_id\n1->2 tool_use_id\n1->2 tool_use_id\n1->2 messages_and_answer");
}

TEST_CASE("the bodies of the Responses API are read in every envelope") {
  Json request = {{"model", "gpt-x"}, {"input", "hi"}};
  Json response = answer("resp_1", {text_item("assistant", "hello")});
  Json record = GENERATE_COPY(
      Json{{"timestamp", "2026-01-01T10:00:00Z"},
           {"body", request},
           {"response", {{"body", response}}}},
      Json{{"request", {{"timestamp", 1767261600.5}, {"body", request}}},
           {"response", {{"timestamp", 1767261601.5}, {"status_code", 200}, {"body", response}}}});
  Trace trace = read_log(record.dump());
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls.front().message_count == 1);
  CHECK(trace.calls.front().tokens.output == 9);
  CHECK(trace[trace.calls.front().response] == "resp_1");
}
