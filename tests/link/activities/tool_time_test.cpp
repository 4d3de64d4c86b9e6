#include "link/calls/tool_time.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "link/activities/critical_path.h"
#include "link/activities/time_account.h"
#include "reading.h"
#include "story.h"
#include "transcript.h"

using namespace xtrace;

namespace {

/// `t1 7, t2 3`: seconds; `t1 ?`: not known.
std::string tool_seconds(const Graph& graph) {
  std::string text;
  for (const Activity& tool : graph.activities().all) {
    if (tool.use == nullptr) continue;
    text += fmt::format("{}{} ", text.empty() ? "" : ", ", graph.trace()[tool.use->id]);
    text += tool.duration == kNoDuration
                ? "?"
                : fmt::format("{}", tool.duration / std::chrono::seconds(1));
  }
  return text;
}

/// `2 model, 7 tool`
std::string seconds_by_part(const PartTimes& parts) {
  std::string text;
  for (size_t i = 0; i < kPathParts; ++i)
    if (parts[i] > Duration{0})
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", parts[i] / std::chrono::seconds(1),
                          kPathPartWords[i]);
  return text;
}

TimeAccount account_of(const Graph& graph) {
  static const std::vector<uint32_t> kNoLinks;
  return account_for_time(graph, {[](CallId) { return true; }, kNoLinks});
}

CallPath path_of(const Graph& graph) {
  std::vector<uint32_t> links(graph.links().size());
  for (uint32_t i = 0; i < links.size(); ++i) links[i] = i;
  return critical_path(graph, {[](CallId) { return true; }, links});
}

Graph linked(const Transcript& session) {
  return link(read_log(session.text()), {});
}

/// Two tools asked for at once, until 2 s; the results are there after 5 s and after 9 s.
Transcript two_at_once() {
  return Transcript()
      .at(0)
      .user("u1", "go")
      .at(1)
      .answer("a1", "m1", uses("t1", "Bash"))
      .at(2)
      .answer("a2", "m1", uses("t2", "Bash"))
      .at(5)
      .result("r2", "t2")
      .at(9)
      .result("r1", "t1");
}

}  // namespace

TEST_CASE("of tools asked for at once, each takes until its own result is there") {
  const Graph graph = linked(two_at_once().at(12).answer("a3", "m2", says("done")));
  CHECK(tool_seconds(graph) == "t1 7, t2 3");
  CHECK(seconds_by_part(account_of(graph).parts) == "5 model, 7 tool");
  CHECK(account_of(graph).total == std::chrono::seconds(12));
}

TEST_CASE("results that no call was told take until they are there, too") {
  CHECK(tool_seconds(linked(two_at_once())) == "t1 7, t2 3");
}

TEST_CASE("a tool that ended while the answer was still being written ran nobody knows how long") {
  const Graph graph = linked(Transcript()
                                 .at(0)
                                 .user("u1", "go")
                                 .at(1)
                                 .answer("a1", "m1", uses("t1", "Read"))
                                 .at(2)
                                 .result("r1", "t1")
                                 .at(4)
                                 .answer("a2", "m1", uses("t2", "Bash"))
                                 .at(9)
                                 .result("r2", "t2")
                                 .at(12)
                                 .answer("a3", "m2", says("done")));
  CHECK(tool_seconds(graph) == "t1 ?, t2 5");
  CHECK(seconds_by_part(account_of(graph).parts) == "7 model, 5 tool");
}

TEST_CASE("behind the last result it is the person who is waited for, and no tool") {
  const Graph graph = linked(two_at_once()
                                 .at(30)
                                 .user("u2", "wait, do it otherwise")
                                 .at(33)
                                 .answer("a3", "m2", says("done")));
  CHECK(tool_seconds(graph) == "t1 7, t2 3");
  CHECK(seconds_by_part(account_of(graph).parts) == "5 model, 7 tool, 21 person");
  CHECK(seconds_by_part(path_of(graph).parts) == "5 model, 7 tool, 21 person");
}

TEST_CASE("a log's own measure of a tool goes before the dates of its results") {
  Call asked, reader;
  const auto second = [](int at) { return Time(std::chrono::seconds(at)); };
  asked.start = second(0);
  asked.duration = std::chrono::seconds(2);
  reader.start = second(20);
  ToolResult result;
  result.came = second(9);
  CHECK(tool_time(asked, result, &reader).length == std::chrono::seconds(7));
  CHECK_FALSE(tool_time(asked, result, &reader).is_measured);
  result.took = std::chrono::seconds(4);
  CHECK(tool_time(asked, result, &reader).length == std::chrono::seconds(4));
  CHECK(tool_time(asked, result, &reader).is_measured);
  CHECK(tool_time(asked, result, &reader).until == std::chrono::seconds(7));
}

TEST_CASE(
    "a date from another time than the calls', or that is the answer's, tells nothing of a tool") {
  Call asked, reader;
  const auto second = [](int at) { return Time(std::chrono::seconds(at)); };
  asked.start = second(100);
  asked.duration = std::chrono::seconds(2);
  reader.start = second(110);
  ToolResult result;
  for (int came : {9, 102, 200}) {
    result.came = second(came);
    CHECK(tool_time(asked, result, &reader).until == kNoDuration);
    CHECK(tool_time(asked, result, &reader).length == std::chrono::seconds(8));
  }
}

TEST_CASE("what a person took to let a tool run is no time of the tool's") {
  const auto asked_for = [](const char* tool) {
    return Transcript().at(0).user("u1", "go").at(2).answer("a1", "m1", uses("t1", tool));
  };
  SECTION("as the client's own count of the turn tells") {
    const Graph graph =
        linked(asked_for("Write")
                   .at(30)
                   .result("r1", "t1")
                   .answer("a2", "m2", says("done"))
                   .line("d1", "system", R"("subtype":"turn_duration","durationMs":8000)"));
    CHECK(seconds_by_part(account_of(graph).parts) == "3 model, 4 tool, 24 permission");
    CHECK(tool_seconds(graph) == "t1 4");
    for (const Hop& hop : graph.call_hops().all)
      if (hop.tool) CHECK(hop.duration == std::chrono::seconds(4));
  }
  SECTION("of tools asked for at once, all waited while the client's count stood still") {
    const Graph graph =
        linked(two_at_once()
                   .at(12)
                   .answer("a3", "m2", says("done"))
                   .line("d1", "system", R"("subtype":"turn_duration","durationMs":11000)"));
    CHECK(seconds_by_part(account_of(graph).parts) == "5 model, 5 tool, 2 permission");
    CHECK(tool_seconds(graph) == "t1 5, t2 1");
  }
  SECTION("where nothing is left of its time, it is not known how long it ran") {
    const Graph graph =
        linked(asked_for("Write").at(30).result("r1", "t1").answer("a2", "m2", says("done")));
    CHECK(seconds_by_part(account_of(graph).parts) == "3 model, 28 permission");
    CHECK(tool_seconds(graph) == "t1 ?");
  }
  SECTION("what the log measured stays") {
    const Graph graph = linked(asked_for("Bash")
                                   .at(30)
                                   .result("r1", "t1", R"("toolUseResult":{"durationMs":3000})")
                                   .answer("a2", "m2", says("done")));
    CHECK(seconds_by_part(account_of(graph).parts) == "3 model, 3 tool, 25 permission");
    CHECK(tool_seconds(graph) == "t1 3");
  }
}
