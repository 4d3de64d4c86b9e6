#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "reading.h"
#include "story.h"
#include "transcript.h"

using namespace xtrace;

namespace {

Graph graph_of_copies(const std::vector<std::pair<std::string, std::string>>& files) {
  Folder folder;
  for (const auto& [name, text] : files) folder.write(name, text);
  Progress progress;
  return link(load({folder.path()}, {}, progress).value(), {});
}
std::string replaced(std::string text, std::string_view word, std::string_view by) {
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + by.size()))
    text.replace(at, word.size(), by);
  return text;
}

}  // namespace

TEST_CASE("a side thread that begins with all that was said has its own answer alone") {
  Transcript session("S1"), side("S1");
  const std::string main = GENERATE("A.jsonl", "T.jsonl");  // before and behind the other file
  session.user("u1", "go").answer("a1", "m1", uses("t1", "Bash")).result("r1", "t1");
  session.answer("a2", "m2", says("done")).at(60).user("u2", "more").answer("a3", "m3", says("so"));
  side.sidechain(R"("agentId":"side")");
  side.user("u1", "go").answer("a1", "m1", uses("t1", "Bash")).result("r1", "t1");
  side.answer("a2", "m2", says("done")).user("s1", "aside").answer("s2", "m4", says("yes"));
  std::string copy = side.text();
  SECTION("with the ids of the lines that it copies") {}
  SECTION("with ids of its own") {
    for (const char* id : {"u1", "a1", "r1", "a2"})
      copy = replaced(copy, fmt::format("\"{}\"", id), fmt::format("\"copy-{}\"", id));
  }
  SECTION("with requests of its own, too") {
    for (const char* id : {"u1", "a1", "r1", "a2"})
      copy = replaced(copy, fmt::format("\"{}\"", id), fmt::format("\"copy-{}\"", id));
    copy = replaced(replaced(copy, "req_m1", "req_x1"), "req_m2", "req_x2");
  }
  const Graph graph =
      graph_of_copies({{main, session.text()}, {"S1/subagents/agent-side.jsonl", copy}});
  CHECK(agents_of(graph) == "main: req_m1 req_m2 req_m3\nsubagent: req_m4");
  CHECK(links_of(graph, "tool_result") == "req_m1->req_m2 tool_result 1.00 t1");
}
