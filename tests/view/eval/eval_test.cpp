#include "view/eval/eval.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "hop_story.h"
#include "input/file_payloads.h"
#include "reading.h"
#include "render/renderer.h"
#include "set.h"
#include "settings/suite_file.h"
#include "story.h"
#include "view/eval/history.h"

using namespace xtrace;

namespace {

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
  std::unique_ptr<const Payloads> payloads = file_payloads(graph.trace());
  Question question{graph, door, Face::outline, payloads.get()};
  Result<Document> answer = eval.answer(question);
  if (!answer) return answer.error().what;
  std::ostringstream out;
  Paper paper;
  paper.columns = 1000;
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

TEST_CASE("an evaluation set of the Agent Development Kit is a suite") {
  Folder folder;
  std::string path =
      folder.write("set.json", R"({"eval_set_id": "s", "eval_cases": [{"eval_id": "c",
    "conversation": [{"intermediate_data": {"tool_uses": [
      {"name": "Read", "args": {"path": "x.txt", "depth": 3}}, {"name": "Write", "args": {}}]}}]}]})");
  Result<Suite> suite = read_suite(path);
  REQUIRE(suite);
  CHECK(says(verdicts(Kept(two_tools()).graph, *suite), "s: 1 of 1 scenario passed"));
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

TEST_CASE("a chain of delegation may be so deep") {
  HopStory story;
  story.hop("1", "user:ada", "agent:chat", 0, 100)
      .hop("2", "agent:chat", "agent:cook", 10, 50)
      .hop("3", "agent:cook", "resource:oven", 20, 10)
      .hop("4", "agent:chat", "resource:clock", 70, 10);
  Graph graph = story.graph();
  CHECK(says(verdicts(graph, suite_of("    limits: {depth: 3}\n")), "1 of 1 scenario passed"));
  std::string text = verdicts(graph, suite_of("    limits: {depth: 2}\n"));
  CHECK(says(text, "depth: 3 of at most 2"));
  CHECK(says(text, "agent:cook → resource:oven"));
}

TEST_CASE("a fault of an attempt is told at that attempt") {
  CallStory story;
  story.call("a").at(0).took(1).says("go").fails("rate_limit_error");
  story.call("b").at(2).took(1).again("a").fails("rate_limit_error");
  story.call("c").at(9).took(1).again("a").answers("done");
  std::string text =
      verdicts(story.graph(), suite_of("    errors: {retries: {initial_delay: 4s, max_delay: 4s, "
                                       "max_attempts: 2}}\n"));
  CHECK(says(text, "attempt 1 (a)"));
  CHECK(says(text, "attempt 2 came after 1.0s, where 4s are due (b)"));
  CHECK(says(text,
             "attempt 3; 3 attempts, where 2 are the most; attempt 3 came after 6.0s, where "
             "4s are the most (c)"));
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
      "1 of 1 claim in the answer is told by no tool result"));
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

TEST_CASE("all arguments of a tool are held against a JSON Schema") {
  Kept kept(two_tools());
  auto expect = [&](const std::string& schema) {
    return verdicts(kept.graph,
                    suite_of("    tools: [{name: Read, arguments: {schema: {" + schema + "}}}]\n"));
  };
  CHECK(says(expect("type: object, required: [path, depth]"), "1 of 1 scenario passed"));
  CHECK(says(expect("properties: {depth: {type: integer, minimum: 3, maximum: 3}}"), "1 of 1"));
  CHECK(says(expect("required: [lines]"), "argument lines of Read is missing"));
  CHECK(says(expect("additionalProperties: false, properties: {path: {}}"),
             "argument depth of Read is not allowed"));
  CHECK(says(expect("properties: {depth: {type: string}}"), "argument depth of Read is no string"));
  CHECK(says(expect("properties: {depth: {exclusiveMinimum: 3}}"), "is not more than 3"));
  CHECK(
      says(expect("properties: {path: {enum: [a.txt, b.txt]}}"), R"(is none of "a.txt", "b.txt")"));
  CHECK(says(expect("properties: {path: {pattern: '[.]md$'}}"), "does not match [.]md$"));
  CHECK(says(expect("properties: {path: {maxLength: 4}}"), "is longer than 4"));
  CHECK(says(expect("properties: {path: {anyOf: [{type: 'null'}, {const: x.txt}]}}"), "1 of 1"));
}

namespace {

/// Spans of two traces of one conversation; the second holds what a judge thought of its answer.
std::string judged_spans(const std::string& scores) {
  auto span = [](const std::string& id, const std::string& trace, const std::string& rest) {
    return R"({"name": "chat", "span_id": ")" + id + R"(", "trace_id": ")" + trace +
           R"(", "start_time": "2026-01-01T00:00:00Z", "end_time": "2026-01-01T00:00:01Z", )"
           R"("attributes": {"gen_ai.operation.name": "chat", "gen_ai.request.model": "oak", )"
           R"("gen_ai.conversation.id": "talk"}, "status": "OK", "events": [)" +
           rest + "]}";
  };
  return "[\n" + span("1", "a", "") + ",\n" + span("2", "b", scores) + "\n]\n";
}

std::string score(const std::string& name, const std::string& rest) {
  return R"({"name": "gen_ai.evaluation.result", "attributes": {"gen_ai.evaluation.name": ")" +
         name + R"(", )" + rest + "}}";
}

std::string judged(const std::string& spans, const std::string& suite) {
  Folder folder;
  Progress progress;
  std::string path = folder.write("spans.json", spans);
  return verdicts(link(load({path}, {}, progress).value(), {}), suite_of(suite));
}

}  // namespace

TEST_CASE("a score that a span tells counts, and the worst of several does") {
  std::string spans = judged_spans(score("Tone", R"("gen_ai.evaluation.score.value": 4)") + ", " +
                                   score("Tone", R"("gen_ai.evaluation.score.value": "2")") + ", " +
                                   score("Style", R"("gen_ai.evaluation.score.label": "fine")"));
  const std::string match = "    match: {session: talk}\n    decision: [{rubric: ";
  std::string text = judged(spans, match + "Tone, at_least: 3, of: 5}]\n");
  CHECK(says(text, "Tone: 2.00, and 3.00 is the least"));
  CHECK(says(text, "Tone: 4.00 (2)"));
  CHECK(says(judged(spans, match + "Tone, at_least: 2, of: 5}]\n"), "1 of 1 scenario passed"));
  CHECK(says(judged(spans, match + "Tone, at_least: 1}]\n"), "4.00, which is not 0 to 1"));
  CHECK(says(judged(spans, match + "Style, label: fine}]\n"), "1 of 1 scenario passed"));
  CHECK(says(judged(spans, match + "Style, label: [good, best]}]\n"), "'good' or 'best'"));
  CHECK(says(judged(spans, match + "tone}]\n"), "did you mean 'Tone'"));
}

TEST_CASE("traces that name one conversation are one session") {
  std::string limits = "\n    limits: {calls: 1}\n";
  CHECK(says(judged(judged_spans(""), "    match: {session: talk}" + limits), "calls: 2"));
  CHECK(says(judged(judged_spans(""), "    match: {session: b}" + limits), "1 of 1 scenario"));
  CHECK(
      says(judged(judged_spans(""), "    match: {session: tolk}" + limits), "did you mean 'talk'"));
}

TEST_CASE("arguments that are nested beyond reason are misfits, and no end of the program") {
  std::string spans = R"([{"name": "execute_tool Read", "span_id": "1", "trace_id": "a", )"
                      R"("start_time": "2026-01-01T00:00:00Z", "attributes": {)"
                      R"("gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "Read", )"
                      R"("gen_ai.tool.call.arguments": ")" +
                      std::string(200'000, '[') + std::string(200'000, ']') +
                      R"("}, "status": "OK"}])";
  CHECK(says(judged(spans, "    tools: [{name: Read, arguments: {schema: {type: object}}}]\n"),
             "what is given to Read is nested too deep"));
  CHECK(says(judged(spans, "    tools: [{name: Read, arguments: {path: x}}]\n"),
             "argument path of Read is missing"));
}

TEST_CASE("a scenario is tried on each session by itself, and its limits are theirs") {
  CallStory story;
  story.call("a").at(0).says("go").uses("t1", "Read");
  story.call("b").at(5).after("a").reads("t1").answers("done");
  story.call("c").at(4000).says("another").answers("done");
  auto verdict = [&](const std::string& expectations) {
    return verdicts(story.graph(), suite_of(expectations));
  };
  std::string text = verdict("    each: session\n    limits: {calls: 1}\n");
  CHECK(
      says(text, "1 of 2 trials passed; pass rate 0.50, 95% of 0.09 to 0.91; pass^2 0.00; flaky"));
  CHECK(says(text, "calls: 2 of at most 1"));
  CHECK(says(text, "flaky, passed some trials and failed some: one"));
  CHECK(says(verdict("    match: {session: '*'}\n    limits: {calls: 2}\n"),
             "1 of 1 scenario passed"));
  CHECK(says(verdict("    each: session\n    pass_rate: 0.5\n    limits: {calls: 1}\n"),
             "1 of 1 scenario passed"));
  CHECK(says(verdict("    match: {session: 'x*'}\n    limits: {calls: 1}\n"),
             "the input holds no session 'x*'"));
  CHECK(says(verdict("    each: query\n    limits: {calls: 2}\n"), "2 of 2 trials passed"));
}

TEST_CASE("a figure beyond its bound is a regression, and one that is not on record is undecided") {
  Baseline baseline{"v1", {{"one", "passed", 1.0, {}, {}}}};
  baseline.scenarios[0].figures[static_cast<size_t>(Threshold::Of::calls)] = 2;
  auto expect = [&](const std::string& bounds) {
    return verdicts(two_tools().graph(),
                    suite_of("    limits: {calls: 9}\n    fail_if: {" + bounds + "}\n"), baseline);
  };
  CHECK(says(expect("calls: '+20%'"),
             "regression: one: calls 2 → 3 since v1: +50%, where +20% is the most"));
  CHECK(says(expect("calls: +1"), "no regressions since v1"));
  CHECK(says(expect("calls: '+1'"), "one since v1: calls 2 → 3 (+50%)"));
  CHECK(says(expect("cost: '+20%'"),
             "undecided: one: cost may be +20%, and is not on record on both sides"));
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
    CHECK(says(judged(call), "is called 1 time"));
  }
  for (const char* call : {"'Bash(git pull:*)'", "'Bash(git push)'", "'Bash(push:*)'", "Write",
                           "'Read(./public/**)'", "'Bash(git pus:*)'"}) {
    CAPTURE(call);
    CHECK(says(judged(call), "1 of 1 scenario passed"));
  }
  // Without the log nobody knows with what it was called.
  CHECK(says(verdicts(story.graph(), suite_of("    forbidden: {calls: ['Bash(git push:*)']}\n")),
             "the arguments of Bash cannot be read, so whether Bash(git push:*) is called"));
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
  CHECK(says(judged("confirm: [Write]"), "1 of 1 use of Write came without a word of the user"));
  CallStory asked;
  asked.call("a").says("delete it").answers("Shall I delete all of it?");
  asked.call("b").after("a").says("yes, do").uses("t1", "Delete");
  CHECK(says(verdicts(Kept(asked).graph, suite_of("    confirm: Delete\n")),
             "1 of 1 scenario passed"));
  CallStory refused;
  refused.call("a").says("delete it").answers("Shall I delete all of it?");
  refused.call("b").after("a").says("No, keep it").uses("t1", "Delete");
  CHECK(says(verdicts(Kept(refused).graph, suite_of("    confirm: Delete\n")), "without a word"));
}

TEST_CASE("a tool that no run has may be misspelt") {
  CHECK(says(
      verdicts(two_tools().graph(), suite_of("    tools: [Reed]\n")),
      "s.yaml:3: no run uses a tool 'Reed', and no request declares one; did you mean 'Read'?"));
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
  CHECK(says(judged(R"({"name": "Read"})", "{}"), "no request on record declares"));
}

TEST_CASE("a suite of what runs did is passed by them, and names what another one does else") {
  auto draft = [](const Kept& kept, Door::Level level) {
    Eval eval;
    Set options(std::multimap<std::string, std::string>{{"--init", ""}});
    eval.declare(options);
    Door door(RedactPolicy(Redaction::all), level, 200);
    std::unique_ptr<const Payloads> payloads = file_payloads(kept.graph.trace());
    Question question{kept.graph, door, Face::outline, payloads.get()};
    Result<Document> answer = eval.answer(question);
    REQUIRE(answer);
    std::ostringstream out;
    write_text(*answer, {}, out);
    return out.str();
  };
  Kept kept(two_tools());
  Folder folder;
  CallStory other;
  other.call("a").says("go").uses("t1", "Read", R"({"path": "z.txt", "depth": 3})");
  other.call("b").after("a").reads("t1").answers("done");
  for (Door::Level level : {Door::Level::basic, Door::Level::full}) {
    std::string text = draft(kept, level);
    CHECK(text == draft(kept, level));
    CHECK(says(text, "x.txt") == (level == Door::Level::full));
    Result<Suite> suite = read_suite(folder.write("s.yaml", text));
    if (!suite) FAIL(suite.error().what);
    CHECK(says(verdicts(kept.graph, *suite), "1 of 1 scenario passed"));
    std::string differs = verdicts(Kept(other).graph, *suite);
    CHECK(says(differs, "missing: Write"));
    if (level == Door::Level::full) CHECK(says(differs, "argument path of Read is not 'x.txt'"));
  }
}
