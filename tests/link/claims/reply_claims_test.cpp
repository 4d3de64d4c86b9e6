#include "link/claims/reply_claims.h"

#include <catch2/catch.hpp>
#include <functional>

#include "link/claims/claims_in_log.h"
#include "link/waste/wasteful_log.h"
#include "transcript.h"

using namespace xtrace;

namespace {

/// A made-up conversation: what tools gave, the reply, and the verdicts on its claims.
struct WorkedRow {
  const char* name;
  std::function<void(WastefulLog&)> work;
  const char* reply;
  const char* verdicts;
};

void check_verdicts(const std::vector<WorkedRow>& rows) {
  for (const WorkedRow& row : rows) {
    INFO(row.name);
    WastefulLog log;
    log.user("do it");
    row.work(log);
    log.says(row.reply);
    CHECK(claims_in_log(log.text()) == row.verdicts);
  }
}

std::function<void(WastefulLog&)> after_run(const std::string& command,
                                            const std::string& output = "") {
  return [=](WastefulLog& log) { log.runs(command, output); };
}
std::function<void(WastefulLog&)> after_failure(const std::string& command,
                                                const std::string& output) {
  return
      [=](WastefulLog& log) { log.fails("Bash", R"({"command":")" + command + R"("})", output); };
}
void works_on(WastefulLog& log) {
  log.reads("src/a.py").edits("src/a.py");
}

}  // namespace

TEST_CASE("a claim that tests pass is compared with the last test run") {
  check_verdicts({
      {"passed", after_run("pytest -q", "12 passed in 0.2s"), "All tests pass.",
       "tests_pass supported passed"},
      {"failed", after_failure("pytest -q", "1 failed, 11 passed"), "All tests pass.",
       "tests_pass contradicted failed"},
      {"never run", works_on, "All tests pass.", "tests_pass not_shown never_run"},
      {"failed, then passed",
       [](WastefulLog& log) {
         log.fails("Bash", R"({"command":"pytest"})", "1 failed");
         log.edits("src/a.py").runs("pytest", "12 passed");
       },
       "All tests pass.", "tests_pass supported passed"},
      {"passed, then failed",
       [](WastefulLog& log) {
         log.runs("pytest", "12 passed").edits("src/a.py");
         log.fails("Bash", R"({"command":"pytest"})", "1 failed");
       },
       "All tests pass.", "tests_pass contradicted failed"},
      {"edited after the last run",
       [](WastefulLog& log) { log.runs("pytest", "12 passed").edits("src/a.py"); },
       "All tests pass.", "tests_pass not_shown edited_after"},
      {"failed, edited and not run again",
       [](WastefulLog& log) {
         log.fails("Bash", R"({"command":"pytest"})", "1 failed");
         log.edits("src/a.py");
       },
       "All tests pass.", "tests_pass contradicted failed"},
      {"only documentation was edited after it",
       [](WastefulLog& log) { log.runs("pytest", "12 passed").edits("docs/README.md"); },
       "All tests pass.", "tests_pass supported passed"},
      {"a command edited a file after it",
       [](WastefulLog& log) { log.runs("pytest", "12 passed").runs("sed -i s/a/b/ src/a.py"); },
       "All tests pass.", "tests_pass not_shown edited_after"},
      {"a failed edit after it changed nothing",
       [](WastefulLog& log) {
         log.runs("pytest", "12 passed");
         log.fails("Edit", R"({"file_path":"src/a.py","old_string":"x","new_string":"y"})",
                   "not found");
       },
       "All tests pass.", "tests_pass supported passed"},
      {"looking around after it changes nothing",
       [](WastefulLog& log) { log.runs("pytest", "12 passed").runs("git status", "clean"); },
       "All tests pass.", "tests_pass supported passed"},
      {"not claimed", after_failure("pytest", "1 failed"), "One test fails, the one for totals.",
       ""},
  });
}

TEST_CASE("an exit code that the command hides does not decide, and its output does") {
  check_verdicts({
      {"a pipe hides a failure", after_run("npm test 2>&1 | tail -5", "Tests: 3 failed, 39 passed"),
       "All tests pass.", "tests_pass contradicted failed"},
      {"a pipe, and the output passes",
       after_run("npm test | tail -5", "Tests: 42 passed, 42 total"), "All tests pass.",
       "tests_pass supported passed"},
      {"a pipe, and the output says neither", after_run("npm test | tail -1", "Ran in 3 s"),
       "All tests pass.", "tests_pass not_shown unclear"},
      {"a failure that is ignored", after_run("pytest || true", "2 failed, 3 passed"),
       "All tests pass.", "tests_pass contradicted failed"},
      {"pipefail hides nothing",
       after_run("set -o pipefail; go test ./... | tail -1", "no summary"), "All tests pass.",
       "tests_pass supported passed"},
      {"a later command decides the exit code", after_run("pytest; echo done", "1 failed\ndone"),
       "All tests pass.", "tests_pass contradicted failed"},
      {"the exit code is printed", after_run("./run_tests.sh; echo exit: $?", "exit: 1"),
       "All tests pass.", "tests_pass contradicted failed"},
      {"a line of commands failed, but not in the tests",
       after_failure("npm test && npm run deploy", "Tests: 42 passed\\nError: no key"),
       "All tests pass.", "tests_pass supported passed"},
      {"a line of commands failed somewhere",
       after_failure("npm run lint && npm test", "it did not work"), "All tests pass.",
       "tests_pass not_shown unclear"},
      {"a log file of the output",
       after_run("cargo test > out.log 2>&1; tail -2 out.log",
                 "test result: FAILED. 3 passed; 1 failed"),
       "All tests pass.", "tests_pass contradicted failed"},
      {"words of a passing run are no failure",
       after_run("pytest", "test_retry_after_1_failed_attempt ok\n12 passed"), "All tests pass.",
       "tests_pass supported passed"},
  });
}

TEST_CASE("builds, type checks and linters decide claims of their own") {
  check_verdicts({
      {"build", after_run("make -j4", "ok"), "The build passes.", "build_passes supported passed"},
      {"build failed", after_failure("npm run build", "error TS2304: no name"),
       "The build succeeds.", "build_passes contradicted failed"},
      {"a test run that passed has compiled the code", after_run("cargo test", "test result: ok"),
       "It compiles cleanly.", "build_passes supported passed"},
      {"a test run that failed may have compiled it", after_failure("cargo test", "1 failed"),
       "It compiles cleanly.", "build_passes not_shown never_run"},
      {"types", after_run("npx tsc --noEmit"), "No type errors.", "types_check supported passed"},
      {"types, with errors behind a pipe",
       after_run("npx tsc --noEmit | head", "a.ts(1,2): error TS1"), "No type errors.",
       "types_check contradicted failed"},
      {"lint", after_run("ruff check .", "All checks passed!"), "Lint is clean.",
       "lint_clean supported passed"},
      {"lint by a task runner", after_run("mise run lint && mise run test", "0 issues."),
       "Tests pass and lint is clean.", "tests_pass supported passed\nlint_clean supported passed"},
      {"lint failed", after_failure("npm run lint", "3 problems"), "Linting passes.",
       "lint_clean contradicted failed"},
      {"a test run is no lint run", after_run("pytest", "3 passed"), "Lint is clean.",
       "lint_clean not_shown never_run"},
      {"any check", after_failure("npm run lint", "3 problems"), "All checks pass.",
       "checks_pass contradicted failed"},
      {"a run", after_run("python app.py", "started"), "It runs without errors.",
       "no_errors supported passed"},
      {"a run that failed", after_failure("python app.py", "Traceback"), "It runs without errors.",
       "no_errors contradicted failed"},
  });
}

TEST_CASE("a fix is shown by a run after it, and work by a change") {
  check_verdicts({
      {"fixed and tested",
       [](WastefulLog& log) { log.edits("src/a.py").runs("pytest", "12 passed"); },
       "I fixed the bug.", "fixed supported passed"},
      {"fixed and not tested",
       [](WastefulLog& log) {
         log.fails("Bash", R"({"command":"pytest"})", "1 failed");
         log.edits("src/a.py");
       },
       "I fixed the bug.", "fixed not_shown edited_after"},
      {"fixed, and still failing",
       [](WastefulLog& log) {
         log.edits("src/a.py");
         log.fails("Bash", R"({"command":"pytest"})", "1 failed");
       },
       "I fixed the bug.", "fixed contradicted failed"},
      {"fixed without a run", works_on, "I fixed the bug.", "fixed not_shown never_run"},
      {"done", works_on, "Done.", "done supported passed"},
      {"done without anything", [](WastefulLog&) {}, "Done.", "done not_shown no_change"},
      {"done, and the last change failed",
       [](WastefulLog& log) {
         log.fails("Edit", R"({"file_path":"a.py","old_string":"x","new_string":"y"})",
                   "not found");
       },
       "Done.", "done contradicted failed"},
      {"done with reading", [](WastefulLog& log) { log.reads("a.py"); }, "Done.",
       "done supported passed"},
      {"implemented by reading", [](WastefulLog& log) { log.reads("a.py"); },
       "I've implemented the parser.", "implemented not_shown no_change"},
      {"implemented", works_on, "I've implemented the parser.", "implemented supported passed"},
  });
}

TEST_CASE("commits, pushes and pull requests are looked up by their commands and tools") {
  check_verdicts({
      {"committed", after_run("git add . && git commit -m 'x'", "1 file changed"), "Committed.",
       "committed supported passed"},
      {"an edit after a commit does not undo it",
       [](WastefulLog& log) { log.runs("git commit -am x", "1 file changed").edits("a.py"); },
       "Committed.", "committed supported passed"},
      {"a commit that failed", after_failure("git commit -m x", "nothing to commit"), "Committed.",
       "committed contradicted failed"},
      {"no commit", works_on, "I committed the fix.", "committed not_shown never_run"},
      {"a rejected push behind a pipe", after_run("git push 2>&1 | tail -3", "! [rejected] main"),
       "Pushed.", "pushed contradicted failed"},
      {"a pull request", after_run("gh pr create --fill", "https://github.com/a/b/pull/3"),
       "I opened a pull request.", "request_opened supported passed"},
      {"a tool that opens one",
       [](WastefulLog& log) {
         log.use("mcp__github__create_pull_request", R"({"title":"x"})", "created");
       },
       "I opened a pull request.", "request_opened supported passed"},
  });
}

TEST_CASE("a test run in the background without an end, or that a user stopped, decides nothing") {
  check_verdicts({
      {"background", after_run("npm test", "Command running in background with ID: bash_1"),
       "All tests pass.", "tests_pass not_shown no_result"},
      {"denied",
       after_failure(
           "npm test",
           "The user doesn't want to proceed with this tool use. The tool use was rejected."),
       "All tests pass.", "tests_pass not_shown never_run"},
  });
}

TEST_CASE("each turn ends in a reply of its own, and steps between are none") {
  WastefulLog log;
  log.user("test it").runs("pytest", "3 passed").says("All tests pass.");
  log.user("change it").edits("src/a.py").says("All tests pass.");
  log.user("thanks").says("Goodbye.");
  CHECK(claims_in_log(log.text()) ==
        "tests_pass supported passed\ntests_pass not_shown edited_after");
}

TEST_CASE("the report of a subagent is compared with its own tool results") {
  Transcript log("S");
  log.user("u", "go");
  log.answer("a", "m", spawns("t1", "worker", "fix it"));
  log.within("t1", "w", "fix it");
  log.user("wu", "fix it");
  log.answer("wa", "wm", xtrace::uses("w1", "Bash", R"({"command":"pytest"})"));
  log.result("wr", "w1");
  log.answer("we", "wem", says("All tests pass."));
  CHECK(claims_in_log(log.text()) == "tests_pass supported passed");
}
