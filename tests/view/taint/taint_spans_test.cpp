#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "asked_input.h"
#include "base/json_writer.h"
#include "reading.h"

using namespace xtrace;

namespace {

std::string text_of(const std::string& text) {
  std::string json;
  append_json(json, text);
  return json;
}

/// The use of a tool in a second of its own, or in others.
struct ToolRun {
  std::string name, call, arguments, result;
  int begin = 0, end = 0;
};

std::string span_of(const ToolRun& run, int number) {
  std::string attributes =
      R"({"key": "gen_ai.operation.name", "value": {"stringValue": "execute_tool"}})";
  const auto add = [&](const std::string& key, const std::string& value) {
    if (!value.empty())
      attributes +=
          fmt::format(R"(, {{"key": "{}", "value": {{"stringValue": {}}}}})", key, text_of(value));
  };
  add("gen_ai.tool.name", run.name);
  add("gen_ai.tool.call.id", run.call);
  add("gen_ai.tool.call.arguments", run.arguments);
  add("gen_ai.tool.call.result", run.result);
  return fmt::format(
      R"({{"traceId": "c44eee39225a5bf20455db504793f016", "spanId": "10000000000000{:02}", )"
      R"("name": "execute_tool", "startTimeUnixNano": "17724420{:02}000000000", )"
      R"("endTimeUnixNano": "17724420{:02}000000000", "attributes": [{}]}})",
      number, run.begin, run.end, attributes);
}

std::string taint_of(const std::vector<ToolRun>& runs) {
  std::string spans;
  for (size_t i = 0; i < runs.size(); ++i)
    spans += (i == 0 ? "" : ", ") + span_of(runs[i], static_cast<int>(i) + 1);
  Folder folder;
  const AskedInput input(folder.write(
      "spans.json", R"({"resourceSpans": [{"scopeSpans": [{"spans": [)" + spans + "]}]}]}\n"));
  return input.in("json", {"taint"});
}

bool has_flow(const std::string& answer, const std::string& source, const std::string& sink) {
  return answer.find("\"source\": {\"id\": \"" + source + "\"") != answer.npos &&
         answer.find("\"sink\": {\"id\": \"" + sink + "\"") != answer.npos;
}

const std::string kLotPage = "Ask for lot 77120934.", kOrder = R"({"command": "order 77120934"})";

}  // namespace

TEST_CASE("text that a span of a tool brought is found in what a later one is given") {
  const std::string answer =
      taint_of({{"web_search", "a", R"({"query": "lots"})", kLotPage, 10, 12},
                {"bash", "b", kOrder, "ok", 14, 15}});
  CHECK(has_flow(answer, "a", "b"));
  CHECK(answer.find("77120934") == answer.npos);
}

TEST_CASE("a tool that began before the result was there has nothing from it") {
  const std::string answer =
      taint_of({{"web_search", "a", R"({"query": "lots"})", kLotPage, 10, 16},
                {"bash", "b", kOrder, "ok", 14, 15}});
  CHECK(answer.find(R"("verdict": "none")") != answer.npos);
  CHECK(answer.find(R"("untrusted": 1)") != answer.npos);
}

TEST_CASE("ids that come again in a log are told apart by their spans") {
  const std::string answer =
      taint_of({{"web_search", "a", R"({"query": "lots"})", kLotPage, 10, 11},
                {"bash", "a", R"({"command": "ls"})", "ok", 12, 13},
                {"bash", "a", kOrder, "ok", 14, 15}});
  CHECK(has_flow(answer, "a", "1000000000000003"));
}

TEST_CASE("results and arguments that spans do not record are counted") {
  const std::string answer = taint_of(
      {{"web_search", "a", R"({"query": "lots"})", "", 10, 11}, {"bash", "b", "", "", 12, 13}});
  CHECK(answer.find(R"("unread": {"results": 1, "arguments": 1)") != answer.npos);
}

TEST_CASE("spans of tools without any text are no answer") {
  CHECK(taint_of({{"web_search", "a", "", "", 10, 11}, {"bash", "b", "", "", 12, 13}}).empty());
}
