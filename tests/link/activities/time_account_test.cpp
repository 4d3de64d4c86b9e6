#include "link/activities/time_account.h"

#include <catch2/catch.hpp>

#include "ledger_log.h"
#include "story.h"

using namespace xtrace;

namespace {

/// "17 s: 4 model, 3 tool, 10 person"
std::string account(const LedgerLog& log) {
  const Graph graph = log.graph();
  const std::vector<uint32_t> none;
  const TimeAccount time = account_for_time(graph, {[](CallId) { return true; }, none});
  const auto seconds = [](Duration length) { return length / std::chrono::seconds(1); };
  std::string parts;
  Duration sum{0};
  for (size_t i = 0; i < kPathParts; ++i) {
    sum += time.parts[i];
    if (time.parts[i] > Duration{0})
      parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", seconds(time.parts[i]),
                           kPathPartWords[i]);
  }
  CHECK(sum == time.total);
  return fmt::format("{} s: {}", seconds(time.total), parts);
}

}  // namespace

TEST_CASE("time is a model's, a tool's or a person's, and adds up") {
  LedgerLog log;
  log.user("go").call("a", 0, 2, {}, "t1");
  log.result("t1").call("b", 5, 6, {});
  log.user("on").call("c", 16, 17, {});
  CHECK(account(log) == "17 s: 4 model, 3 tool, 10 person");
}

TEST_CASE("a wait before another attempt is told from one for a person") {
  LedgerLog log;
  log.user("go").failed("a", 0, 1).call("b", 4, 5, {});
  CHECK(account(log) == "5 s: 2 model, 3 retry_wait");
}

TEST_CASE("a write that takes long waited for a person's leave, and a command may have run") {
  const auto wait_for = [](const char* tool, int seconds) {
    LedgerLog log;
    log.user("go").call("a", 0, 1, {}, "t1", tool);
    return account(log.result("t1").call("b", 1 + seconds, 2 + seconds, {}));
  };
  CHECK(wait_for("Write", 30) == "32 s: 2 model, 30 permission");
  CHECK(wait_for("Write", 4) == "6 s: 2 model, 4 tool");
  CHECK(wait_for("Bash", 30) == "32 s: 2 model, 30 tool");
}

TEST_CASE("what goes on at once counts once") {
  LedgerLog log;
  log.user("go").call("a", 0, 10, {});
  log.user("more").call("b", 5, 15, {});
  CHECK(account(log) == "15 s: 15 model");
}

TEST_CASE("a person was waited for only where the person goes on") {
  LedgerLog log;
  log.user("go").call("a", 0, 1, {});
  log.system("a process of the background ended").call("b", 11, 12, {});
  CHECK(account(log) == "12 s: 2 model, 10 unexplained");
  log.user("thanks").call("c", 22, 23, {});
  CHECK(account(log) == "23 s: 3 model, 10 person, 10 unexplained");
}

TEST_CASE(
    "what went on while a subagent ran a tool is that tool, and not the one that started it") {
  CallStory story;
  story.call("m").at(0).took(1).says("go").spawns("s1", "page", "make it");
  story.call("a").at(1).took(2).says("make it").uses("t1", "Bash");
  story.call("b").at(8).took(2).after("a").reads("t1").answers("made");
  story.call("n").at(11).took(1).after("m").reads("s1", "made").answers("done");
  const Graph& graph = story.graph();
  const std::vector<uint32_t> none;
  const TimeAccount time = account_for_time(graph, {[](CallId) { return true; }, none});
  std::string tools;
  for (const TimeAccount::Stretch& stretch : time.stretches)
    if (stretch.part == PathPart::tool)
      tools += fmt::format("{} {} s ", graph.activities()[stretch.tool].tool,
                           stretch.took() / std::chrono::seconds(1));
  CHECK(tools == "Bash 5 s Task 1 s ");
}

TEST_CASE(
    "where hidden calls worked nothing is told but the work of the others and waits for a user") {
  LedgerLog log;
  log.user("go").call("a", 0, 2, {});
  log.user("on").call("b", 10, 14, {});
  log.user("and on").call("c", 20, 21, {});
  const Graph graph = log.graph();
  const std::vector<uint32_t> none;
  const auto told_without = [&](size_t hidden) {
    std::string told;
    const ShownCalls shown{[&](CallId id) { return id.index != hidden; }, none};
    for (const TimeAccount::Stretch& one : account_for_time(graph, shown).stretches)
      told += fmt::format("{} {} ", one.took() / std::chrono::seconds(1), word(one.part));
    return told;
  };
  CHECK(told_without(7) == "2 model 8 person 4 model 6 person 1 model ");
  CHECK(told_without(1) == "2 model 6 person 1 model ");
}
