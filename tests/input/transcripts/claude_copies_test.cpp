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
Graph graph_of_copies(const std::string& log) {
  return link(read_log(log), {});
}

std::string replaced(std::string text, std::string_view word, std::string_view by) {
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + by.size()))
    text.replace(at, word.size(), by);
  return text;
}

/// An answer as a relay gives it that gives all the same name, and none to requests.
Transcript& relayed(Transcript& session, const std::string& uuid, const std::string& blocks,
                    int input, const std::string& more = {}) {
  return session.line(
      uuid, "assistant",
      fmt::format(R"("message":{{"id":"m","role":"assistant","model":"large","content":[{}],)"
                  R"("usage":{{"input_tokens":{},"output_tokens":5}}{}}})",
                  blocks, input, more));
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

TEST_CASE("parts of one answer in files of their own are no copies of one another") {
  Transcript one("S1"), other("S1");
  one.user("u1", "go").at(5).answer("a1", "m1", thinks());
  other.at(5).answer("a2", "m1", thinks()).answer("a3", "m1", says("done"), 9);
  const Graph graph = graph_of_copies({{"a.jsonl", one.text()}, {"b.jsonl", other.text()}});
  CHECK(ids_of(graph) == "req_m1");
  for (const Source& source : graph.trace().sources) CHECK(source.copies == 0);
}

TEST_CASE("answers that a relay gives one name are told apart by what came between") {
  Transcript session;
  relayed(session.user("u1", "go"), "a1", uses("t1", "Bash"), 100).result("r1", "t1");
  SECTION("by what was sent") {
    relayed(session, "a2", says("done"), 150);
    CHECK(ids_of(graph_of_copies(session.text())) == "m m~2");
  }
  SECTION("where nothing was counted, by an end that was told") {
    Transcript uncounted;
    relayed(uncounted.user("u1", "go"), "a1", uses("t1", "Bash"), 0,
            R"(,"stop_reason":"tool_use")");
    relayed(uncounted.result("r1", "t1"), "a2", says("done"), 0);
    CHECK(ids_of(graph_of_copies(uncounted.text())) == "m m~2");
  }
  SECTION("by words of the user") {
    relayed(session.user("u2", "more"), "a2", says("done"), 100);
    CHECK(ids_of(graph_of_copies(session.text())) == "m m~2");
  }
  SECTION("by requests that have names") {
    std::string log = relayed(session, "a2", says("done"), 100).text();
    log = replaced(log, R"("uuid":"a1")", R"("uuid":"a1","requestId":"r1")");
    log = replaced(log, R"("uuid":"a2")", R"("uuid":"a2","requestId":"r2")");
    CHECK(ids_of(graph_of_copies(log)) == "r1 r2");
  }
}

TEST_CASE("a piece that comes behind an output of one of its answer's tools is of that answer") {
  Transcript session;
  relayed(session.user("u1", "go"), "a1", uses("t1", "Bash"), 100).result("r1", "t1");
  SECTION("where as much was sent for it") {
    relayed(session, "a2", uses("t2", "Read"), 100);
  }
  SECTION("where it follows a piece") {
    relayed(session.after("a1"), "a2", uses("t2", "Read"), 150);
  }
  CHECK(ids_of(graph_of_copies(session.text())) == "m");
}

TEST_CASE("answers of one name in two sessions are two, unless they were given at the same time") {
  Transcript one("S1"), other("S2");
  relayed(one.user("u1", "go"), "a1", says("so"), 100);
  const bool is_copy = GENERATE(false, true);
  other.at(is_copy ? 0 : 60).user("v1", "go");
  relayed(other, "b1", says("so"), 100);
  other.user("v2", "on").answer("b2", "m2", says("yes"));
  const Graph graph = graph_of_copies({{"S1.jsonl", one.text()}, {"S2.jsonl", other.text()}});
  CHECK(sessions_of(graph) == (is_copy ? "S1: m\nS2: req_m2" : "S1: m\nS2: m~2 req_m2"));
}

TEST_CASE("answers that a resumed session copies with new ids and times count once") {
  const auto session = [](const std::string& name, const std::string& prefix, int second) {
    Transcript log(name);
    log.at(second).user(prefix + "u1", "dig");
    relayed(log, prefix + "a1", uses("t1", "Bash"), 100);
    log.result(prefix + "r1", "t1");
    return log;
  };
  const bool is_vendors = GENERATE(true, false);
  const auto named = [&](std::string log) {
    return is_vendors ? replaced(log, R"("id":"m")", R"("id":"msg_01")") : log;
  };
  Transcript one = session("S1", "a", 0), other = session("S2", "b", 600);
  other.user("bu2", "sow").answer("ba2", "m2", says("sown"));
  const Graph graph =
      graph_of_copies({{"S1.jsonl", named(one.text())}, {"S2.jsonl", named(other.text())}});
  // A name that a relay may give to every answer is none.
  CHECK(graph.trace().calls.size() == (is_vendors ? 2 : 3));
  CHECK(graph.trace().sources[1].copies == (is_vendors ? 3 : 0));
  if (!is_vendors) return;
  const Call& next = graph.trace().calls[1];
  REQUIRE(next.previous);
  CHECK(graph.trace()[graph.trace()[next.previous].session] == "S1");
}

TEST_CASE("the same words after a copied answer are a copy only at the same time") {
  Transcript one("S1"), other("S2");
  relayed(one.user("u1", "go"), "a1", says("so"), 100);
  one.user("u2", "on").answer("a2", "m2", says("left"));
  relayed(other.user("v1", "go"), "b1", says("so"), 100);
  const bool is_copy = GENERATE(false, true);
  if (!is_copy) other.at(60);
  other.user("v2", "on").answer("b2", "m3", says("right"));
  const Graph graph = graph_of_copies({{"S1.jsonl", one.text()}, {"S2.jsonl", other.text()}});
  CHECK(graph.trace().sources[1].copies == (is_copy ? 3 : 2));
}
