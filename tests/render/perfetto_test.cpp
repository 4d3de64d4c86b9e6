#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "render/exported.h"
#include "transcript.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;
using Lane = std::pair<int, int>;  ///< process, thread

Json events_of(const std::string& log) {
  return Json::parse(exported("convert", "perfetto", log))["traceEvents"];
}

Lane lane_of(const Json& event) {
  return {event["pid"], event["tid"]};
}

constexpr const char* kFixtures[] = {"trip.jsonl",    "twins.jsonl", "retries.jsonl", "trust.json",
                                     "hostile.jsonl", "mesh.json",   "waits.jsonl"};

}  // namespace

TEST_CASE("slices of one lane stand beside one another or within one another") {
  for (const char* fixture : kFixtures) {
    INFO(fixture);
    std::map<Lane, std::vector<std::pair<int64_t, int64_t>>> lanes;
    for (const Json& event : events_of(project_file(std::string("fixtures/") + fixture)))
      if (event["ph"] == "X") {
        const int64_t start = event["ts"], length = event["dur"];
        CHECK(start >= 0);
        CHECK(length > 0);
        lanes[lane_of(event)].emplace_back(start, -length);
      }
    REQUIRE(!lanes.empty());
    for (auto& [lane, slices] : lanes) {
      std::stable_sort(slices.begin(), slices.end());
      std::vector<int64_t> open;
      for (const auto& [start, minus_length] : slices) {
        const int64_t end = start - minus_length;
        while (!open.empty() && open.back() <= start) open.pop_back();
        CHECK((open.empty() || end <= open.back()));
        open.push_back(end);
      }
    }
  }
}

TEST_CASE(
    "each arrow begins and ends within a slice of its lane, and ends no earlier than it begins") {
  for (const char* fixture : kFixtures) {
    INFO(fixture);
    const Json events = events_of(project_file(std::string("fixtures/") + fixture));
    std::map<int64_t, std::string> phases;
    std::map<int64_t, int64_t> begins;
    for (const Json& event : events) {
      if (event["ph"] != "s" && event["ph"] != "f") continue;
      phases[event["id"]] += event["ph"].get<std::string>();
      const int64_t at = event["ts"];
      CHECK(at >= begins.try_emplace(event["id"], at).first->second);
      CHECK(std::any_of(events.begin(), events.end(), [&](const Json& slice) {
        return slice["ph"] == "X" && lane_of(slice) == lane_of(event) && slice["ts"] <= at &&
               at < slice["ts"].get<int64_t>() + slice["dur"].get<int64_t>();
      }));
    }
    for (const auto& [id, phase] : phases) CHECK(phase == "sf");
  }
}

TEST_CASE("each agent has a lane by its name, each link an arrow, each call and tool a slice") {
  const std::string log = project_file("fixtures/trip.jsonl");
  const Json graph = Json::parse(exported("dag", "json", log));
  std::map<std::string, int> phases;
  std::vector<std::string> lanes;
  std::map<Lane, std::string> name_of;
  std::map<std::string, std::string> lane_of_call;
  const Json events = events_of(log);
  for (const Json& event : events) {
    ++phases[event["ph"]];
    if (event["name"] == "thread_name") name_of[lane_of(event)] = event["args"]["name"];
  }
  for (const Json& event : events)
    if (event["ph"] == "X" && event["args"].contains("id"))
      lane_of_call[event["args"]["id"]] = name_of[lane_of(event)];
  for (const Json& node : graph["nodes"]) CHECK(lane_of_call[node["id"]] == node["agent"]["id"]);
  CHECK(phases["X"] == 18 + 14);
  CHECK(phases["s"] == static_cast<int>(graph["edges"].size()));
  CHECK(phases["f"] == phases["s"]);
}

TEST_CASE("a tool stands behind the wait for a person who let it run") {
  const std::string log =
      Transcript()
          .at(0)
          .user("u1", "go")
          .at(2)
          .answer("a1", "m1", uses("t1", "Write"))
          .at(30)
          .result("r1", "t1")
          .answer("a2", "m2", says("done"))
          .line("d1", "system", R"("subtype":"turn_duration","durationMs":8000)")
          .text();
  int64_t call_ends = 0;
  for (const Json& event : events_of(log)) {
    if (event["ph"] != "X") continue;
    const int64_t start = event["ts"];
    if (event["name"] == "Write") {
      CHECK(start == call_ends + 24'000'000);
      CHECK(event["dur"] == 4'000'000);
    } else if (call_ends == 0) {
      call_ends = start + event["dur"].get<int64_t>();
    }
  }
  const Json graph = Json::parse(exported("dag", "json", log));
  CHECK(graph["nodes"][0]["tool_uses"][0]["permission_ms"] == 24000);
  for (const Json& edge : graph["edges"])
    if (edge["type"] == "tool_result") CHECK(edge["latency_ms"] == 4000);
}
