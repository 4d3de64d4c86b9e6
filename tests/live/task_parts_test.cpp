#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "effort.h"
#include "following.h"
#include "reading.h"

using namespace xtrace;

namespace {

std::string moment(int millisecond) {
  return fmt::format("2026-03-01T09:{:02}:{:02}.{:03}Z", millisecond / 60000,
                     millisecond / 1000 % 60, millisecond % 1000);
}

/// A span of a task in OTLP; `parent` 0: none.
std::string span(int task, int turn, int id, int parent, int at, const std::string& more = {}) {
  return fmt::format(
      R"({{"resourceSpans":[{{"scopeSpans":[{{"spans":[{{"traceId":"{:032x}","spanId":"{:016x}"{},)"
      R"("name":"step","startTimeUnixNano":"{}","endTimeUnixNano":"{}"{},"attributes":[)"
      R"({{"key":"component","value":{{"stringValue":"coder-agent"}}}},)"
      R"({{"key":"taskId","value":{{"stringValue":"T{}"}}}}]}}]}}]}}]}})"
      "\n",
      turn + 1, id, parent > 0 ? fmt::format(R"(,"parentSpanId":"{:016x}")", parent) : "",
      1772355600000000000 + at * 1000000ll, 1772355600000000000 + (at + 5) * 1000000ll, more, task);
}

std::string thought(int task, int id, int at, int cents) {
  return fmt::format(
      R"({{"requestId":"req-{}","timestamp":"{}","agent":"CoderAgent","model":"m","text":"do it",)"
      R"("costUsd":{}.{:02},"taskId":"T{}"}})"
      "\n",
      id, moment(at), cents / 100, cents % 100, task);
}

/// A reaction that names no trigger.
std::string event(int task, int id, int at) {
  return fmt::format(R"({{"id":"ev-{}","type":"ModelSwitched","timestamp":"{}","taskId":"T{}",)"
                     R"("oldModel":"a","newModel":"b"}})"
                     "\n",
                     id, moment(at), task);
}

/// Turns of several tasks side by side, each with a trace of its own, of which some steps fail,
/// some cost much, and some begin together.
std::vector<std::string> made_tasks(int tasks, int turns, std::mt19937& random) {
  std::vector<std::string> lines;
  int id = 0;
  for (int turn = 0; turn < turns; ++turn) {
    const int task = static_cast<int>(random() % static_cast<unsigned>(tasks));
    const int first = ++id, begun = turn * 20;
    lines.push_back(span(task, turn, first, 0, begun));
    for (int step = 1; step < 5; ++step) {
      const int at = begun + step * static_cast<int>(random() % 8);
      const bool fails = random() % 6 == 0;
      const int parent = random() % 5 == 0 ? 0 : first;
      switch (random() % 8) {
        case 0:
        case 1: lines.push_back(thought(task, ++id, at, random() % 9 == 0 ? 300 : 1)); break;
        case 2: lines.push_back(event(task, ++id, at)); break;
        default:
          ++id;
          lines.push_back(span(task, turn, id, parent, at, fails ? R"(,"status":{"code":2})" : ""));
      }
    }
  }
  // Some come late, and so do some parents.
  for (size_t i = 0; i + 6 < lines.size(); ++i)
    if (random() % 5 == 0) std::swap(lines[i], lines[i + random() % 6]);
  return lines;
}

/// What of the one is not, or otherwise, in the other; empty: they are the same.
std::string missing(const Graphed& shown, const Graphed& whole) {
  std::string words;
  for (const auto& [id, row] : whole.nodes)
    if (const auto found = shown.nodes.find(id); found == shown.nodes.end())
      words += "no node " + row + '\n';
    else if (found->second != row)
      words += found->second + " in place of\n" + row + '\n';
  for (const auto& [ends, row] : whole.edges)
    if (const auto found = shown.edges.find(ends); found == shown.edges.end())
      words += "no edge " + row + '\n';
    else if (found->second != row)
      words += found->second + " in place of\n" + row + '\n';
  for (const auto& [ends, row] : shown.edges)
    if (!whole.edges.contains(ends)) words += "an edge " + row + '\n';
  return words;
}

}  // namespace

TEST_CASE("whatever folds and whatever is filtered, every update adds up to the whole") {
  using Words = std::vector<std::string>;
  const Words words = GENERATE(
      Words{"--show", "raw"}, Words{}, Words{"--max-nodes", "12"},
      Words{"--max-nodes", "5", "--fold-latency", "6"}, Words{"--max-depth", "1"},
      Words{"--expand", "all", "--max-nodes", "3"}, Words{"--status", "error", "--max-nodes", "4"},
      Words{"--type", "OTHER"}, Words{"--show", "raw", "--status", "ok"},
      Words{"--min-cost", "0.5"}, Words{"--show", "raw", "--agent", "Agent"},
      Words{"--agent", "Agent", "--max-nodes", "6"});
  const unsigned seed = GENERATE(range(1u, effort(9u, 3u)));
  const int tasks = GENERATE(1, 3);
  CAPTURE(words, seed, tasks);
  std::mt19937 random(seed);
  const std::vector<std::string> lines = made_tasks(tasks, 16, random);
  Folder folder;
  Fed fed(folder.path() + "/log.jsonl", words);
  for (size_t at = 0; at < lines.size();) {
    std::string some;
    for (size_t count = 1 + random() % 5; count > 0 && at < lines.size(); --count)
      some += lines[at++];
    CAPTURE(some, at);
    fed.write(some);
    if (random() % 8 == 0) fed.reread();
    if (random() % 16 == 0) fed.expand(fed.story().expand);  // any request makes all anew
    const Graphed now = whole(fed.request());
    REQUIRE(missing(fed.shown(), now) == "");
    REQUIRE(fed.shown() == now);
  }
  CHECK(fed.parts() > static_cast<size_t>(tasks));
}

TEST_CASE("what an update links does not grow with its task") {
  const bool rests = GENERATE(false, true);
  const char* show = GENERATE("raw", "summary");
  Folder folder;
  Fed fed(folder.path() + "/log.jsonl", {"--show", show});
  constexpr int kTurns = 40, kSteps = 5;
  for (int turn = 0; turn < kTurns; ++turn) {
    const int first = turn * kSteps + 1;
    for (int step = 0; step < kSteps; ++step) {
      const size_t before = fed.linked();
      fed.write(span(0, turn, first + step, step > 0 ? first : 0, turn * 10 + step));
      CHECK(fed.linked() - before <= kSteps);
    }
    if (rests && turn % 8 == 0) fed.reread();
  }
  CHECK(fed.parts() == kTurns);
  CHECK(missing(fed.shown(), whole(fed.request())) == "");
}

TEST_CASE("a late record links its own turn alone") {
  Folder folder;
  Fed fed(folder.path() + "/log.jsonl", {"--show", "raw"});
  for (int turn = 0; turn < 20; ++turn) {
    fed.write(span(0, turn, 2 * turn + 1, 0, turn * 10));
    fed.write(span(0, turn, 2 * turn + 2, 2 * turn + 1, turn * 10 + 1));
  }
  const size_t before = fed.linked();
  fed.write(span(0, 3, 100, 7, 35));
  CHECK(fed.linked() - before == 3);
  CHECK(missing(fed.shown(), whole(fed.request())) == "");
}

TEST_CASE("a log that is cut short takes the steps of its tasks with it") {
  Folder folder;
  const std::string path = folder.path() + "/log.jsonl";
  Fed fed(path, {"--show", "raw"});
  for (int turn = 0; turn < 4; ++turn) fed.write(span(0, turn, turn + 1, 0, turn * 10));
  folder.write("log.jsonl", span(0, 7, 50, 0, 1));
  fed.write(span(0, 8, 51, 0, 11));
  CHECK(fed.shown().nodes.size() == 2);
  fed.write(span(0, 9, 52, 0, 21));
  CHECK(missing(fed.shown(), whole(fed.request())) == "");
}

TEST_CASE("a record that joins two turns makes them one part") {
  Folder folder;
  Fed fed(folder.path() + "/log.jsonl", {"--show", "raw"});
  fed.write(span(0, 0, 1, 0, 0));
  fed.write(span(0, 1, 2, 0, 10));
  fed.write(span(0, 2, 3, 0, 20));
  CHECK(fed.parts() == 3);
  fed.write(span(0, 0, 4, 2, 12));  // of the first trace, below a span of the second
  CHECK(fed.parts() == 2);
  CHECK(missing(fed.shown(), whole(fed.request())) == "");
  fed.write(span(0, 2, 5, 3, 22));
  CHECK(missing(fed.shown(), whole(fed.request())) == "");
}
