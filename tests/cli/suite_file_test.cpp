#include "cli/suite_file.h"

#include <catch2/catch.hpp>
#include <map>
#include <sstream>

#include "cli/file_payloads.h"
#include "reading.h"
#include "render/renderer.h"
#include "story.h"
#include "view/eval.h"

using namespace xtrace;

namespace {

/// What is wrong with a suite, its path called FILE.
std::string error_of(const std::string& name, const std::string& content) {
  Folder folder;
  std::string path = folder.write(name, content);
  Result<Suite> suite = read_suite(path);
  if (suite) return "";
  CHECK(suite.error().exit == Exit::usage);
  std::string what = suite.error().what;
  size_t at = what.find(path);
  return at == what.npos ? what : what.replace(at, path.size(), "FILE");
}

Suite suite_of(const std::string& expectations) {
  Folder folder;
  Result<Suite> suite =
      read_suite(folder.write("s.yaml", "scenarios:\n  - id: one\n" + expectations));
  if (!suite) FAIL(suite.error().what);
  return *std::move(suite);
}

/// The text of an evaluation, without what is said below it.
std::string verdicts(const Graph& graph, Suite suite, std::optional<Baseline> baseline = {}) {
  Eval eval;
  eval.judge_by(std::move(suite), std::move(baseline));
  Door door(RedactPolicy(Redaction::all), Door::Level::basic, 200);
  FilePayloads payloads(graph.trace());
  Question question{graph, door, Face::outline, &payloads};
  Result<Document> answer = eval.answer(question);
  if (!answer) return answer.error().what;
  std::ostringstream out;
  Paper paper;
  paper.cuts = false;
  write_text(*answer, paper, out);
  return out.str();
}

/// The story in a file, so that one can go back to what was said.
struct Kept {
  explicit Kept(const CallStory& story) : log(folder.write("log.jsonl", story.log())) {}

  Folder folder;
  std::string log;
  Progress progress;
  Graph graph = link(load({log}, {}, progress).value(), {});
};

bool says(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != text.npos;
}

CallStory two_tools() {
  CallStory story;
  story.call("a").says("go").uses("t1", "Read", R"({"path": "x.txt", "depth": 3})");
  story.call("b").after("a").reads("t1").uses("t2", "Write", R"({"path": "y.txt"})");
  story.call("c").after("b").reads("t2").answers("done");
  return story;
}

}  // namespace

TEST_CASE("a suite that cannot be heeded is told with its line") {
  CHECK(
      error_of("s.yaml", "scenarios:\n  - id: a\n    tolls: [Read]\n") ==
      "FILE:3: a scenario has no key 'tolls'; did you mean 'tools'?; keys: id, description, match, "
      "tools, forbidden, errors, limits, decision, weights, pass");
  CHECK(says(error_of("s.yaml", "scenarios:\n  - id: a\n    tools: {order: exact, calls: []}\n"),
             "FILE:3: order is one of exact-order"));
  CHECK(says(error_of("s.json", "{\"scenarios\": [\n{\"id\": \"a\"}]}"),
             "FILE:2: scenario 'a' expects"));
  CHECK(says(error_of("s.yaml", "scenarios: [a\n"), "this is no YAML"));
  CHECK(says(error_of("s.yaml", "scenarios:\n  - id: a\n    limits:\n      time: soon\n"),
             "FILE:4: time must be a length of time"));
  CHECK(says(error_of("s.yaml", "scenarios:\n  - id: a\n    id: b\n"),
             "FILE:3: 'id' stands here twice"));
}

TEST_CASE("an evaluation set of the Agent Development Kit is a suite") {
  Folder folder;
  std::string path =
      folder.write("set.json", R"({"eval_set_id": "s", "eval_cases": [{"eval_id": "c",
    "conversation": [{"intermediate_data": {"tool_uses": [
      {"name": "Read", "args": {"path": "x.txt", "depth": 3}}, {"name": "Write", "args": {}}]}}]}]})");
  Result<Suite> suite = read_suite(path);
  REQUIRE(suite);
  CHECK(says(verdicts(Kept(two_tools()).graph, *suite), "s: 1 of 1 scenario passed"));
  CHECK(says(error_of("set.json", R"({"eval_cases": [{"eval_id": "c"}]})"),
             "FILE:1: a case needs an eval_id"));
}

TEST_CASE("tools are matched in the order that is asked for") {
  Kept kept(two_tools());
  auto expect = [&](const std::string& order, const std::string& calls) {
    return verdicts(kept.graph,
                    suite_of("    tools: {order: " + order + ", calls: [" + calls + "]}\n"));
  };
  CHECK(says(expect("exact-order", "Read, Write"), "1 of 1 scenario passed"));
  CHECK(says(expect("exact-order", "Write, Read"), "0 of 1 scenario passed, 1 failed"));
  CHECK(says(expect("same-tools", "Write, Read"), "1 of 1 scenario passed"));
  CHECK(says(expect("same-tools", "Write"), "not expected: Read"));
  CHECK(says(expect("contains-in-order", "Write"), "1 of 1 scenario passed"));
  CHECK(says(expect("contains-any-order", "Write, Delete"), "missing: Delete"));
  CHECK(says(expect("contains-in-order", "{name: Read, arguments: {depth: 3}}"), "1 of 1"));
  CHECK(says(expect("contains-in-order", "{name: Read, arguments: {depth: 4}}"),
             "argument depth of Read is not '4'"));
  CHECK(says(expect("contains-in-order", "{name: Read, target: 'y'}"), "works on 'x.txt'"));
}

TEST_CASE("what is forbidden fails a scenario whatever its mark is") {
  CallStory story = two_tools();
  CHECK(says(verdicts(story.graph(), suite_of("    pass: 0\n    forbidden: {tools: ['Wr*']}\n")),
             "Wr* is used 1 time"));
  CHECK(says(verdicts(story.graph(),
                      suite_of("    forbidden: {paths: ['user → * → resource:file:y.txt']}\n")),
             "1 failed"));
  CHECK(says(
      verdicts(story.graph(), suite_of("    forbidden: {paths: ['user → resource:file:y.txt']}\n")),
      "1 of 1 scenario passed"));
}

TEST_CASE("retries are judged by their waits, and by what they repeat") {
  CallStory story;
  story.call("a").at(0).took(1).says("go").fails("rate_limit_error");
  story.call("b").at(2).took(1).again("a").fails("rate_limit_error");
  story.call("c").at(5).took(1).again("a").answers("done");
  auto expect = [&](const std::string& retries) {
    return verdicts(story.graph(), suite_of("    errors: {retries: {" + retries + "}}\n"));
  };
  CHECK(says(expect("initial_delay: 1s, backoff_factor: 2, max_attempts: 3"), "1 of 1"));
  CHECK(says(expect("initial_delay: 2s"), "where 2s are due"));
  CHECK(says(expect("backoff_factor: 4"), "where 4s are due"));
  CHECK(says(expect("max_delay: 1s"), "where 1s are the most"));
  CHECK(says(expect("max_attempts: 2"), "3 attempts, where 2 are the most"));
  CHECK(says(verdicts(story.graph(), suite_of("    errors: {no_retry_of: [429]}\n")),
             "failed with 429"));
  CHECK(says(verdicts(story.graph(), suite_of("    errors: {no_retry_of: true, handled: true}\n")),
             "1 of 1 scenario passed"));
}

TEST_CASE("a failure of which nothing good comes is not handled") {
  CallStory story;
  story.call("a").says("go").uses("t1", "Read");
  story.call("b").after("a").reads_error("t1").fails("api_error");
  CHECK(says(verdicts(story.graph(), suite_of("    errors: {handled: true}\n")),
             "Read failed, and nothing that went well came of it"));
}

TEST_CASE("what is not on record is insufficient evidence, and no guess") {
  CallStory story;
  story.call("a").says("go").model("unheard-of").uses("t1", "Read");
  story.call("b").after("a").reads("t1").gets_no_answer();
  CHECK(says(verdicts(story.graph(), suite_of("    tools: [Read, Write]\n")),
             "1 without enough evidence"));
  CHECK(says(verdicts(story.graph(), suite_of("    limits: {cost_usd: 1}\n")),
             "not on record of all"));
  CHECK(says(verdicts(story.graph(), suite_of("    decision: [{rubric: tone}]\n")),
             "nobody gave it a score"));
  CHECK(says(verdicts(story.graph(), suite_of("    match: {session: s9}\n    tools: [Read]\n")),
             "the input holds no session 's9'"));
}

TEST_CASE("numbers that nobody told are claims without grounds") {
  CallStory story;
  story.call("a").says("go").uses("t1", "Read");
  story.call("b")
      .after("a")
      .reads("t1", "passed 142, error_rate 0.02")
      .answers("142 pass, 2% fail");
  CHECK(says(
      verdicts(Kept(story).graph, suite_of("    decision: [{answer: true, grounded: true}]\n")),
      "1 of 1 scenario passed"));
  CallStory made_up;
  made_up.call("a").says("go").uses("t1", "Read");
  made_up.call("b").after("a").reads("t1", "passed 142").answers("all 143 pass");
  CHECK(says(
      verdicts(Kept(made_up).graph, suite_of("    decision: [{answer: true, grounded: true}]\n")),
      "1 of 1 number in the answer stand in no tool result"));
}

TEST_CASE("a baseline tells what got worse, what better, and what is new or gone") {
  CallStory story = two_tools();
  Suite suite = suite_of(
      "    tools: [Read, Delete]\n  - id: two\n    tools: [Read]\n  - id: three\n    tools: "
      "[Read]\n");
  Baseline before{"v1",
                  {{"one", "passed", 1.0, {1.0, {}, {}, {}}},
                   {"two", "failed", 0.5, {0.5, {}, {}, {}}},
                   {"gone", "passed", 1.0, {}}}};
  std::string text = verdicts(story.graph(), suite, before);
  CHECK(says(text, "regression: one: passed → failed since v1"));
  CHECK(says(text, "regression: one: tool_usage 1.00 → 0.50 since v1"));
  CHECK(says(text, "improvement: two: tool_usage 0.50 → 1.00 since v1"));
  CHECK(says(text, "new: three"));
  CHECK(says(text, "missing: gone"));
}
