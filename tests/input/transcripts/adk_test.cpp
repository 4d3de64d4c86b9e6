#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "by_line.h"
#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

Json adk_event(int second, const char* author, const char* role, Json part,
               const Json& more = Json::object()) {
  Json one = {{"id", "e" + std::to_string(second)},
              {"invocationId", "i"},
              {"author", author},
              {"timestamp", 1788250000.25 + second},
              {"content", {{"role", role}, {"parts", {std::move(part)}}}}};
  one.update(more);
  return one;
}

Json adk_use(const char* id, const char* tool, Json arguments) {
  return {{"functionCall", {{"id", id}, {"name", tool}, {"args", std::move(arguments)}}}};
}
Json adk_result(const char* id, Json response) {
  return {{"functionResponse", {{"id", id}, {"name", "t"}, {"response", std::move(response)}}}};
}

Json adk_counts(int input, int cached, int output, int thought) {
  return {{"modelVersion", "gemini-x"},
          {"usageMetadata",
           {{"promptTokenCount", input},
            {"cachedContentTokenCount", cached},
            {"candidatesTokenCount", output},
            {"thoughtsTokenCount", thought},
            {"totalTokenCount", input + output + thought}}}};
}

Json adk_session(std::vector<Json> events) {
  return {{"id", "s1"},
          {"appName", "farm"},
          {"userId", "u"},
          {"state", Json::object()},
          {"lastUpdateTime", 1788250009.5},
          {"events", std::move(events)}};
}

/// `invocationId` becomes `invocation_id`.
std::string in_snake_case(const std::string& text) {
  std::string snake;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_hump = text[i] >= 'A' && text[i] <= 'Z' && i > 0 && text[i - 1] >= 'a';
    if (is_hump) snake += '_';
    snake += is_hump ? static_cast<char>(text[i] | 0x20) : text[i];
  }
  return snake;
}

const Json kHandedOn = adk_session(
    {adk_event(0, "user", "user", {{"text", "rain?"}}),
     adk_event(1, "root", "model", adk_use("c0", "transfer_to_agent", {{"agent_name", "sky"}}),
               adk_counts(300, 0, 12, 20)),
     adk_event(2, "root", "user", adk_result("c0", {{"result", nullptr}})),
     adk_event(3, "sky", "model", adk_use("c1", "radar", {{"at", "oslo"}}),
               adk_counts(350, 200, 10, 0)),
     adk_event(4, "sky", "user", adk_result("c1", {{"error", "no signal"}})),
     adk_event(5, "sky", "model", {{"text", "I can"}}, {{"partial", true}}),
     adk_event(6, "sky", "model", {{"text", "I cannot"}}, adk_counts(380, 200, 6, 0))});

}  // namespace

TEST_CASE("an agent of ADK to which another one hands over is its subagent, in either spelling") {
  const bool is_snake = GENERATE(false, true);
  const std::string log = is_snake ? in_snake_case(kHandedOn.dump()) : kHandedOn.dump();
  const Graph graph = link(read_log(log), {});
  const Trace& trace = graph.trace();
  CHECK(complaints_of(trace) == "");
  REQUIRE(trace.calls.size() == 3);
  CHECK(graph.sessions().size() == 1);
  CHECK(trace[trace.calls[0].agent_type] == "root");
  CHECK(trace[trace.calls[1].agent_type] == "sky");
  CHECK(trace[trace.calls[2].model] == "gemini-x");
  CHECK(trace.calls[0].tokens == Tokens{.input = 300, .output = 32, .cache_read = 0});
  CHECK(trace.calls[1].tokens == Tokens{.input = 150, .output = 10, .cache_read = 200});
  CHECK(trace.calls[0].duration == std::chrono::seconds(1));
  CHECK(trace.calls[2].duration == std::chrono::seconds(2));
  size_t spawns = 0;
  for (const Link& link : graph.links()) spawns += link.kind == LinkKind::subagent_spawn;
  CHECK(spawns == 1);
  REQUIRE(graph.activities().tools_of(CallId(1)).size() == 1);
  CHECK(graph.activities().tools_of(CallId(1)).front().outcome == Outcome::error);
}

TEST_CASE("a user of ADK goes on with the agent that answers") {
  Json log = kHandedOn;
  log["events"].push_back(adk_event(7, "user", "user", {{"text", "and snow?"}}));
  log["events"].push_back(adk_event(9, "sky", "model", {{"text", "no"}}));
  log["events"].push_back(adk_event(12, "user", "user", {{"text", "sure?"}}));
  const Trace trace = read_log(log.dump());
  REQUIRE(trace.calls.size() >= 4);
  CHECK(trace[trace.calls[3].agent_type] == "sky");
  CHECK(trace.calls[3].duration == std::chrono::seconds(2));
}

TEST_CASE("a call of ADK that failed has no answer") {
  Json failed =
      adk_event(2, "root", "model", {{"text", ""}}, {{"errorCode", "MALFORMED_FUNCTION_CALL"}});
  failed.erase("content");
  const Trace trace =
      read_log(adk_session({adk_event(0, "user", "user", {{"text", "rain?"}}), failed}).dump());
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls[0].outcome == Outcome::error);
  CHECK(trace[trace.calls[0].error] == "MALFORMED_FUNCTION_CALL");
}

TEST_CASE("an event of ADK that only changes the state is no call") {
  Json change =
      adk_event(1, "root", "model", {{"text", "x"}}, {{"actions", {{"stateDelta", {{"a", 1}}}}}});
  change.erase("content");
  const Trace trace =
      read_log(adk_session({adk_event(0, "user", "user", {{"text", "rain?"}}), change,
                            adk_event(2, "root", "model", {{"text", "no"}})})
                   .dump());
  CHECK(trace.calls.size() == 1);
}
