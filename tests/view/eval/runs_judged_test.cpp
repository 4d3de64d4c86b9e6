#include <catch2/catch.hpp>

#include "view/eval/history.h"
#include "view/eval/judged.h"

using namespace xtrace;

TEST_CASE("a scenario is tried on each session by itself, and its limits are theirs") {
  CallStory story;
  story.call("a").at(0).says("go").uses("t1", "Read");
  story.call("b").at(5).after("a").reads("t1").answers("done");
  story.call("c").at(4000).says("another").answers("done");
  auto verdict = [&](const std::string& expectations) {
    return verdicts(story.graph(), suite_of(expectations));
  };
  std::string text = verdict("    each: session\n    limits: {calls: 1}\n");
  CHECK(says(text,
             "1 of 2 trials passed; pass rate 0.50, 95% confidence interval 0.09 to 0.91; pass^2 "
             "0.00; flaky"));
  CHECK(says(text, "calls: 2 (at most 1 allowed)"));
  CHECK(says(text, "flaky (some trials passed, some failed): one"));
  CHECK(says(verdict("    match: {session: '*'}\n    limits: {calls: 2}\n"),
             "1 of 1 scenario passed"));
  CHECK(says(verdict("    each: session\n    pass_rate: 0.5\n    limits: {calls: 1}\n"),
             "1 of 1 scenario passed"));
  CHECK(says(verdict("    match: {session: 'x*'}\n    limits: {calls: 1}\n"),
             "no session 'x*' in the input"));
  CHECK(says(verdict("    each: query\n    limits: {calls: 2}\n"), "2 of 2 trials passed"));
  CHECK(says(verdict("    match: {query: '*'}\n    each: query\n    limits: {calls: 2}\n"),
             "2 of 2 trials passed"));
}

TEST_CASE("a scenario that is tried on each part of an empty input lacks evidence") {
  const Graph graph = link(Trace(), {});
  for (const char* each : {"session", "run", "query", "file"})
    CHECK(says(verdicts(graph, suite_of("    each: " + std::string(each) +
                                        "\n    forbidden: {tools: ['*']}\n")),
               "the input contains no calls or spans"));
}

TEST_CASE("a figure beyond its bound is a regression, and one that is not on record is undecided") {
  Baseline baseline{"v1", {{"one", "passed", 1.0, {}, {}}}};
  baseline.scenarios[0].figures[static_cast<size_t>(Threshold::Of::calls)] = 2;
  auto expect = [&](const std::string& bounds) {
    return verdicts(two_tools().graph(),
                    suite_of("    limits: {calls: 9}\n    fail_if: {" + bounds + "}\n"), baseline);
  };
  CHECK(says(expect("calls: '+20%'"), "regression: one: calls 2 → 3 since v1: +50% (limit +20%)"));
  CHECK(says(expect("calls: +1"), "no regressions since v1"));
  CHECK(says(expect("calls: '+1'"), "one since v1: calls 2 → 3 (+50%)"));
  CHECK(says(expect("cost: '+20%'"),
             "undecided: one: cost (limit +20%) is not recorded on both sides"));
}

TEST_CASE("the first bad run is the one since which none passed") {
  Scenario scenario;
  scenario.id = "one";
  ScenarioResult now;
  now.of = &scenario;
  now.status = Judged::failed;
  auto run = [](const std::string& id, const std::string& status) {
    return Baseline{id, {{"one", status, {}, {}}}};
  };
  auto first = [&](const std::vector<Baseline>& history) {
    return first_bad_runs({now}, history).at(0).run;
  };
  CHECK(first({}).empty());
  CHECK(first({run("v1", "failed"), run("v2", "passed"), run("v3", "failed"),
               run("v4", "failed")}) == "v3");
  CHECK(first({run("v1", "passed")}).empty());
  CHECK(first({run("v1", "failed"), run("v2", "insufficient_evidence")}) == "v1");
  now.status = Judged::passed;
  CHECK(first_bad_runs({now}, {run("v1", "failed")}).empty());
}

TEST_CASE("a call is forbidden by its arguments, in Claude Code's own words too") {
  CallStory story;
  story.call("a").says("go").uses("t1", "Bash",
                                  R"({"command": "cd x && git push --force origin"})");
  story.call("b").after("a").reads("t1").uses("t2", "Read", R"({"file_path": "secrets/key.pem"})");
  story.call("c").after("b").reads("t2").answers("done");
  Kept kept(story);
  auto judged = [&](const std::string& call) {
    return verdicts(kept.graph, suite_of("    forbidden: {calls: [" + call + "]}\n"));
  };
  for (const char* call :
       {"'Bash(git push:*)'", "'Bash(git push --force origin)'", "'Bash(git * origin)'", "Bash",
        "'Bash(cd:*)'", "'Read(./secrets/**)'", "'Read(*.pem)'",
        "{name: Bash, arguments: {command: {matches: 'push.*--force'}}}"}) {
    CAPTURE(call);
    CHECK(says(judged(call), "was called 1 time"));
  }
  for (const char* call : {"'Bash(git pull:*)'", "'Bash(git push)'", "'Bash(push:*)'", "Write",
                           "'Read(./public/**)'", "'Bash(git pus:*)'"}) {
    CAPTURE(call);
    CHECK(says(judged(call), "1 of 1 scenario passed"));
  }
  // Without the log nobody knows with what it was called.
  CHECK(says(verdicts(story.graph(), suite_of("    forbidden: {calls: ['Bash(git push:*)']}\n")),
             "Bash(git push:*) may have been called: the arguments of Bash cannot be read"));
}

TEST_CASE("a tool comes after another one, and after a word of the user") {
  CallStory story = two_tools();
  Kept kept(story);
  auto judged = [&](const std::string& expectation) {
    return verdicts(kept.graph, suite_of("    " + expectation + "\n"));
  };
  CHECK(says(judged("preceded: [{tool: Write, by: Read}]"), "1 of 1 scenario passed"));
  CHECK(says(judged("preceded: [{tool: Write, by: [Read], same_target: true}]"),
             "1 of 1 use of Write came before any Read of the same target"));
  CHECK(says(judged("preceded: [{tool: Read, by: Write}]"), "came before any Write"));
  CHECK(says(judged("confirm: [Write]"), "1 of 1 use of Write without the user's consent"));
  CallStory asked;
  asked.call("a").says("delete it").answers("Shall I delete all of it?");
  asked.call("b").after("a").says("yes, do").uses("t1", "Delete");
  CHECK(says(verdicts(Kept(asked).graph, suite_of("    confirm: Delete\n")),
             "1 of 1 scenario passed"));
  CallStory refused;
  refused.call("a").says("delete it").answers("Shall I delete all of it?");
  refused.call("b").after("a").says("No, keep it").uses("t1", "Delete");
  CHECK(says(verdicts(Kept(refused).graph, suite_of("    confirm: Delete\n")),
             "without the user's consent"));
}

TEST_CASE("a patch of several files is judged by each of them") {
  CallStory story;
  story.call("a").says("go").uses("t1", "Read", R"({"file_path": "a.py"})");
  story.call("b").after("a").reads("t1").uses(
      "t2", "apply_patch",
      R"({"input": "*** Begin Patch\n*** Update File: a.py\n*** Update File: b.py"})");
  Kept kept(story);
  auto judged = [&](const std::string& expectation) {
    return verdicts(kept.graph, suite_of("    " + expectation + "\n"));
  };
  CHECK(
      says(judged("forbidden: {calls: [{name: apply_patch, target: b.py}]}"), "was called 1 time"));
  CHECK(says(judged("forbidden: {paths: ['user → * → resource:file:b.py']}"), "1 failed"));
  CHECK(says(judged("preceded: [{tool: apply_patch, by: Read}]"), "1 of 1 scenario passed"));
  // The other file may be one that the patch adds.
  CHECK(says(judged("preceded: [{tool: apply_patch, by: Read, same_target: true}]"),
             "1 of 1 scenario passed"));
}

TEST_CASE("a patch of files of which none was read does not come after a reading of the same") {
  CallStory story;
  story.call("a").says("go").uses("t1", "Read", R"({"file_path": "c.py"})");
  story.call("b").after("a").reads("t1").uses(
      "t2", "apply_patch",
      R"({"input": "*** Begin Patch\n*** Update File: a.py\n*** Update File: b.py"})");
  Kept kept(story);
  CHECK(
      says(verdicts(kept.graph,
                    suite_of("    preceded: [{tool: apply_patch, by: Read, same_target: true}]\n")),
           "1 of 1 use of apply_patch came before any Read of the same target"));
}

TEST_CASE("what failed, or is asked for in the same answer, does not come before") {
  constexpr const char* kWants = "    preceded: [{tool: Write, by: [Read, Bash]}]\n";
  const auto judged = [&](CallStory& story) {
    Kept kept(story);
    return verdicts(kept.graph, suite_of(kWants));
  };
  CallStory failed;
  failed.call("a").says("mend it").uses("t1", "Read");
  failed.call("b").after("a").reads_error("t1").uses("t2", "Write");
  CHECK(says(judged(failed), "1 of 1 use of Write came before any Read or Bash"));
  CallStory at_once;
  at_once.call("a").says("mend it").uses("t1", "Read").uses("t2", "Write");
  CHECK(says(judged(at_once), "1 of 1 use of Write came before any Read or Bash"));
  CallStory tested;  // a test that fails tells something
  tested.call("a").says("mend it").uses("t1", "Bash");
  tested.call("b").after("a").reads_error("t1").uses("t2", "Write");
  CHECK(says(judged(tested), "1 of 1 scenario passed"));
}

TEST_CASE("a tool that no run has may be misspelt") {
  CHECK(
      says(verdicts(two_tools().graph(), suite_of("    tools: [Reed]\n")),
           "s.yaml:3: tool 'Reed' is neither used nor declared in any run; did you mean 'Read'?"));
  CHECK(!says(verdicts(two_tools().graph(), suite_of("    forbidden: {tools: [Delete]}\n")),
              "warning"));
}

TEST_CASE("arguments are held against the schema that the request itself declares") {
  Folder folder;
  auto judged = [&](const std::string& tool, const std::string& input) {
    std::string log = folder.write(
        "log.jsonl", R"({"timestamp": "2026-01-01T00:00:00Z", "duration_ms": 10, "request": {
 "model": "m", "tools": [)" +
                         tool + R"(], "messages": [{"role": "user", "content": "go"}]},
 "response": {"id": "m1", "role": "assistant", "type": "message", "model": "m", "content": [
 {"type": "tool_use", "id": "t1", "name": "Read", "input": )" +
                         input + "}]}}");
    Progress progress;
    Graph graph = link(load({log}, {}, progress).value(), {});
    return verdicts(graph, suite_of("    declared_arguments: true\n"));
  };
  const std::string schema =
      R"({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]})";
  const std::string declared = R"({"name": "Read", "input_schema": )" + schema + "}";
  CHECK(says(judged(declared, R"({"path": "x"})"), "1 of 1 scenario passed"));
  CHECK(says(judged(declared, R"({"path": 3})"), "argument path of Read"));
  CHECK(says(
      judged(R"({"type": "function", "function": {"name": "Read", "parameters": )" + schema + "}}",
             "{}"),
      "argument path of Read is missing"));
  CHECK(says(judged(R"({"name": "Read"})", "{}"), "no recorded request declares"));
}
