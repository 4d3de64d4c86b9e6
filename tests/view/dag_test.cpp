#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "render/renderer.h"
#include "story.h"
#include "view/common/view.h"

using namespace xtrace;

namespace {

nlohmann::json answer(CallStory& story, const char* view, Redaction redaction = Redaction::all) {
  for (const ViewEntry& entry : views()) {
    if (entry.name != view) continue;
    Door door(redaction, Door::Level::basic, 200);
    Result<Document> document = entry.make()->answer({story.graph(), door, Face::tables});
    std::ostringstream out;
    write_json(document.value(), Paper{}, out);
    return nlohmann::json::parse(out.str());
  }
  return {};
}

std::string words(const nlohmann::json& list) {
  std::string text;
  for (const nlohmann::json& word : list)
    text += (text.empty() ? "" : " ") + word.get<std::string>();
  return text;
}

}  // namespace

TEST_CASE("a node knows its conversation, its parent and its children") {
  CallStory story;
  story.call("p").spawns("t1", "Explore", "look");
  story.call("c").says("look").uses("r1", "Read", R"({"file_path":"src/a.cpp"})");
  story.call("c2").after("c").reads_error("r1");
  story.call("p2").after("p").reads("t1");
  nlohmann::json dag = answer(story, "dag"), nodes = dag["nodes"];
  REQUIRE(nodes.size() == 4);
  CHECK(words(nodes[0]["children"]) == "c");
  CHECK(nodes[0]["next"] == "p2");
  CHECK(nodes[1]["parent"] == "p");
  CHECK(nodes[1]["agent"]["id"] == "Explore");
  CHECK(nodes[1]["agent"]["type_from"] == "spawn");
  CHECK(
      nodes[1]["tool_uses"][0].dump() ==
      R"({"duration_ms":1000,"id":"r1","is_error":true,"name":"Read","read_by":["c2"],"target":"src/a.cpp"})");
  CHECK(nodes[2]["previous"] == "c");
  CHECK(nodes[2]["tool_results"][0].dump() == R"({"id":"r1","is_error":true,"source":"c"})");
  CHECK_FALSE(nodes[2].contains("parent"));
  CHECK(nodes[3]["conversation"] == nodes[0]["conversation"]);
  CHECK(nodes[3]["log_index"] == 3);
  CHECK(nodes[3]["tokens"].dump() == R"({"input":100,"output":10,"total":110})");
  CHECK(nodes[3]["timestamp"] == "2026-03-01T10:00:06.000Z");
}

TEST_CASE("an edge says what its type adds, and how it was found") {
  CallStory story;
  story.call("p").at(0).took(2).spawns("t1", "Explore", "look");
  story.call("c").at(3).model("claude-small").says("look");
  story.call("p2").at(10).after("p").reads("t1").fails("overloaded_error");
  story.call("p3").at(12).again("p2");
  nlohmann::json edges = answer(story, "dag")["edges"];
  REQUIRE(edges.size() == 5);
  const nlohmann::json &spawn = edges[0], &result = edges[1], &retry = edges[4];
  CHECK(spawn["type"] == "subagent_spawn");
  CHECK(spawn["method"] == "prompt");
  CHECK(spawn["subagent_type"] == "Explore");
  CHECK(spawn["spawn_time"] == "2026-03-01T10:00:03.000Z");
  CHECK(spawn["model"] == "claude-small");
  CHECK(spawn["task_tool_id"] == "t1");
  CHECK(spawn["time_gap_ms"] == 1000);
  CHECK(result["tool_use_id"] == "t1");
  CHECK(result["tool_name"] == "Task");
  CHECK(result["is_error"] == false);
  CHECK(result["latency_ms"] == 8000);
  CHECK(result["evidence"]["at"].size() == 2);
  CHECK(edges[2]["same_agent_type"] == true);
  CHECK(retry["attempt"] == 2);
  CHECK(retry["confidence"] == 1);
}

TEST_CASE("what is unknown is absent, never 0") {
  CallStory story;
  story.call("a").gets_no_answer();
  nlohmann::json dag = answer(story, "dag"), node = dag["nodes"][0];
  for (const char* key : {"duration_ms", "subtree_duration_ms", "tokens", "stop_reason", "error",
                          "parent", "previous", "next", "temperature", "cost_usd"})
    CHECK_FALSE(node.contains(key));
  CHECK(node["status"] == "unanswered");
  CHECK_FALSE(dag["sessions"][0].contains("duration_ms"));
  CHECK_FALSE(dag["sessions"][0].contains("tokens"));
  CHECK_FALSE(dag["agents"][0].contains("mean_lifetime_ms"));
  CHECK_FALSE(answer(story, "list")["sessions"][0].contains("duration_ms"));
}

TEST_CASE("tool uses that lost their names are called by those the history gives them") {
  CallStory story;
  story.call("a").uses("t1", "Read", R"({"file_path":"src/a.cpp"})").loses_ids();
  story.call("b").after("a").reads("t1");
  CHECK(answer(story, "dag")["nodes"][0]["tool_uses"][0]["name"] == "Read");
}

TEST_CASE("orphans and clocks are warned of") {
  CallStory story;
  story.call("a").at(100).uses("t1", "Read");
  story.call("b").at(50).after("a").reads("t1");
  story.call("c").at(60).reads("t9").says("other talk");
  std::string codes;
  nlohmann::json dag = answer(story, "dag");
  for (const nlohmann::json& warning : dag["warnings"])
    codes += warning["code"].get<std::string>() + " ";
  CHECK(codes == "clock orphan ");
  CHECK(dag["metrics"]["orphan_count"] == 1);
}

TEST_CASE("agents are summed up by type") {
  CallStory story;
  story.call("p").at(0).took(1).spawns("t1", "Explore", "one").spawns("t2", "Explore", "two");
  story.call("a").at(2).took(2).says("one").uses("r1", "Read");
  story.call("b").at(3).took(4).says("two").fails("overloaded_error");
  story.call("a2").at(5).took(1).after("a").reads_error("r1");
  nlohmann::json agents = answer(story, "dag")["agents"];
  REQUIRE(agents.size() == 2);
  CHECK(agents[0]["type"] == "Explore");
  CHECK(agents[0]["instances"] == 2);
  CHECK(agents[0]["spawned"] == 2);
  CHECK(agents[0]["calls"] == 3);
  CHECK(agents[0]["errors"] == 1);
  CHECK(agents[0]["mean_lifetime_ms"] == 4000);
  CHECK(agents[0]["tool_error_rate"] == 1);
  CHECK(agents[0]["tools"][0].dump() == R"({"errors":1,"name":"Read","uses":1})");
}

TEST_CASE("an answer says when nothing in it was redacted") {
  CallStory story;
  story.call("a");
  CHECK(answer(story, "dag", Redaction::off)["redaction"] == "off");
  CHECK(answer(story, "list", Redaction::off)["redaction"] == "off");
  CHECK_FALSE(answer(story, "dag").contains("redaction"));
}
