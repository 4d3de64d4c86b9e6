#include "link/activities/critical_path.h"

#include <catch2/catch.hpp>

#include "ledger_log.h"
#include "link/graph/graph.h"
#include "reading.h"
#include "transcript.h"

using namespace xtrace;

namespace {

/// The lines of the calls on it, of all calls: `2 4`.
std::string path_of(const std::string& log) {
  const Graph graph = link(read_log(log), {});
  std::vector<uint32_t> links(graph.links().size());
  for (uint32_t i = 0; i < links.size(); ++i) links[i] = i;
  std::string lines;
  for (CallId id : critical_path(graph, {[](CallId) { return true; }, links}).calls)
    lines += (lines.empty() ? "" : " ") + std::to_string(graph.trace()[id].source.line);
  return lines;
}

/// What its time is made of: `4 model, 3 tool`.
std::string parts_of(const Graph& graph) {
  std::vector<uint32_t> links(graph.links().size());
  for (uint32_t i = 0; i < links.size(); ++i) links[i] = i;
  const CallPath path = critical_path(graph, {[](CallId) { return true; }, links});
  std::string parts;
  for (size_t i = 0; i < kPathParts; ++i)
    if (path.parts[i] > Duration{0})
      parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ",
                           path.parts[i] / std::chrono::seconds(1), kPathPartWords[i]);
  return parts;
}

}  // namespace

TEST_CASE("what a clock that went back puts before what led to it does not lead there") {
  Transcript log;
  log.at(52).user("u1", "Go.").at(54).answer("a1", "m1", says("Done."));
  log.at(10).user("u2", "On.").at(12).answer("a2", "m2", says("Done."));
  CHECK(path_of(log.text()) == "2");  // which ended last
}

TEST_CASE("behind a call that was broken off a person was waited for, and no tool") {
  std::string log = R"({"type":"session","id":"s","timestamp":"2026-01-01T10:00:00Z"})"
                    "\n";
  const auto add = [&log](int second, const char* message) {
    log += fmt::format(R"({{"type":"message","timestamp":"2026-01-01T10:00:{:02}Z","message":{}}})"
                       "\n",
                       second, message);
  };
  add(1, R"({"role":"user","content":"go"})");
  add(3,
      R"({"role":"assistant","content":[{"type":"toolCall","id":"t1","name":"read","arguments":{}}]})");
  add(6, R"({"role":"toolResult","toolCallId":"t1","content":"done"})");
  add(8, R"({"role":"assistant","content":[],"stopReason":"aborted"})");
  add(20, R"({"role":"user","content":"no, the other one"})");
  add(21, R"({"role":"assistant","content":"here"})");
  CHECK(parts_of(link(read_log(log), {})) == "5 model, 3 tool, 12 person");
}

TEST_CASE("a fork behind a tool's result waited for who forked it, and not for the tool") {
  LedgerLog log;
  log.user("go").call("a", 0, 2, {}, "t1").result("t1");
  LedgerLog fork = log;
  log.call("b", 5, 6, {});
  const std::string before = parts_of(log.graph());
  CHECK(before == "3 model, 3 tool");
  fork.user("again").call("c", 20, 21, {});
  CHECK(parts_of(log.and_also(fork).graph()) == "3 model, 3 tool, 15 person");
}
