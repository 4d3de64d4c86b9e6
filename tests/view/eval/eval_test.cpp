#include <catch2/catch.hpp>

#include "hop_story.h"
#include "transcript.h"
#include "view/eval/figures.h"
#include "view/eval/judged.h"

using namespace xtrace;

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

TEST_CASE("a number that a tool is given is compared by its value") {
  auto judged = [](const std::string& given, const std::string& expected) {
    CallStory story;
    story.call("a").says("go").uses("t1", "Read", R"({"depth": )" + given + "}");
    story.call("b").after("a").reads("t1").answers("done");
    return verdicts(Kept(story).graph, suite_of(expected));
  };
  auto fits = [&](const std::string& given, const std::string& expected) {
    const std::string tools =
        judged(given, "    tools: [{name: Read, arguments: {depth: " + expected + "}}]\n");
    const std::string decision =
        judged(given, "    decision: [{tool: Read, argument: depth, is: " + expected + "}]\n");
    INFO(given << " for " << expected << "\n" << tools << decision);
    const bool is_met = tools.find("1 of 1 scenario passed") != tools.npos;
    CHECK(is_met == (decision.find("1 of 1 scenario passed") != decision.npos));
    return is_met;
  };
  CHECK(fits("3.0", "3"));
  CHECK(fits("3", "3.0"));
  CHECK(fits("3e0", "'3'"));
  CHECK_FALSE(fits("3.1", "3"));
  CHECK(fits("9007199254740993", "9007199254740993.0"));
  CHECK_FALSE(fits("9007199254740993", "9007199254740992"));
  // A text is the same letter by letter.
  CHECK_FALSE(fits(R"("3.0")", "3"));
  CHECK(fits(R"("3.0")", "3.0"));
  CHECK(says(judged("3.0", "    tools: [{name: Read, arguments: {depth: {one_of: [2, 3]}}}]\n"),
             "1 of 1 scenario passed"));
  CHECK(says(judged("3.0", "    forbidden: {calls: [{name: Read, arguments: {depth: 3}}]}\n"),
             "1 failed"));
}

TEST_CASE("what is forbidden fails a scenario whatever its mark is") {
  CallStory story = two_tools();
  CHECK(says(verdicts(story.graph(), suite_of("    pass: 0\n    forbidden: {tools: ['Wr*']}\n")),
             "Wr* was used 1 time"));
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
  CHECK(says(expect("initial_delay: 2s"), "expected at least 2s"));
  CHECK(says(expect("backoff_factor: 4"), "expected at least 4s"));
  CHECK(says(expect("max_delay: 1s"), "expected at most 1s"));
  CHECK(says(expect("max_attempts: 2"), "3 attempts (at most 2 allowed)"));
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
  CHECK(says(text, "depth: 3 (at most 2 allowed)"));
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
  CHECK(says(text, "attempt 2 came after 1.0s (expected at least 4s) (b)"));
  CHECK(says(text,
             "attempt 3; 3 attempts (at most 2 allowed); attempt 3 came after 6.0s (expected at "
             "most 4s) (c)"));
}

TEST_CASE("a failure of which nothing good comes is not handled") {
  CallStory story;
  story.call("a").says("go").uses("t1", "Read");
  story.call("b").after("a").reads_error("t1").fails("api_error");
  CHECK(says(verdicts(story.graph(), suite_of("    errors: {handled: true}\n")),
             "Read failed and never recovered"));
}

TEST_CASE("what is not on record is insufficient evidence, and no guess") {
  CallStory story;
  story.call("a").says("go").model("unheard-of").uses("t1", "Read");
  story.call("b").after("a").reads("t1").gets_no_answer();
  CHECK(says(verdicts(story.graph(), suite_of("    tools: [Read, Write]\n")),
             "1 with insufficient evidence"));
  CHECK(
      says(verdicts(story.graph(), suite_of("    limits: {cost_usd: 1}\n")), "not fully recorded"));
  CHECK(says(verdicts(story.graph(), suite_of("    decision: [{rubric: tone}]\n")),
             "no score for tone"));
  CHECK(says(verdicts(story.graph(), suite_of("    match: {session: s9}\n    tools: [Read]\n")),
             "no session 's9' in the input"));
}

TEST_CASE("a limit is not kept for sure where the log has less than was used") {
  Transcript log;
  log.user("u", "go").answer("a", "m", says("done"), 1);
  const Graph graph = link(read_log(log.text()), {});
  const std::string within = verdicts(graph, suite_of("    limits: {tokens: 1000000}\n"));
  CHECK(says(within, "1 limit passed by an upper estimate"));
  const std::string beyond = verdicts(graph, suite_of("    limits: {tokens: 1}\n"));
  CHECK(says(beyond, "1 failed"));
  CHECK(says(beyond, "tokens: at least "));
}

TEST_CASE("figures are whole where they are, and dollars tell apart what they are held against") {
  CHECK(plain(2'794'620) == "2794620");
  CHECK(plain(0.25) == "0.25");
  CallStory story;
  story.call("a").says("go").model("claude-sonnet-4-5").answers("done").tokens(100'000, 0);
  CHECK(says(verdicts(story.graph(), suite_of("    limits: {cost_usd: 0.29999}\n")),
             "cost_usd: $0.3 (at most $0.29999 allowed)"));
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
      "1 of 1 claim in the reply is not supported by any tool result"));
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
  CHECK(says(expect("properties: {depth: {type: string}}"),
             "argument depth of Read is not of type string"));
  CHECK(says(expect("properties: {depth: {exclusiveMinimum: 3}}"), "is not greater than 3"));
  CHECK(says(expect("properties: {path: {enum: [a.txt, b.txt]}}"),
             R"(is not one of "a.txt", "b.txt")"));
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
  CHECK(says(text, "Tone: 2.00, expected at least 3.00"));
  CHECK(says(text, "Tone: 4.00 (2)"));
  CHECK(says(judged(spans, match + "Tone, at_least: 2, of: 5}]\n"), "1 of 1 scenario passed"));
  CHECK(says(judged(spans, match + "Tone, at_least: 1}]\n"), "4.00, not between 0 and 1"));
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
             "the input of Read is nested too deeply"));
  CHECK(says(judged(spans, "    tools: [{name: Read, arguments: {path: x}}]\n"),
             "argument path of Read is missing"));
}

TEST_CASE("how deep a chain of delegation is does not depend on whether the user has a name") {
  HopStory story;
  story.hop("1", "agent:chat", "agent:cook", 10, 50)
      .hop("2", "agent:cook", "resource:oven", 20, 10);
  CHECK(says(verdicts(story.graph(), suite_of("    limits: {depth: 2}\n")),
             "depth: 3 (at most 2 allowed)"));
}

TEST_CASE("a failure that may end the run is not said to be followed by anything") {
  CallStory story;
  story.call("a").says("go").fails("authentication_error");
  const std::string text = verdicts(story.graph(), suite_of("    errors: {handled: true}\n"));
  CHECK(says(text, "1 of 1 scenario passed"));
  CHECK(text.find("followed by a successful step") == text.npos);
}

TEST_CASE("an answer is held against words to the letter") {
  CallStory story;
  story.call("a").says("Is it safe?").answers("yes");
  for (const char* must : {"is: 'yes'", "one_of: ['yes', 'no']", "matches: '^yes$'"})
    CHECK(says(verdicts(Kept(story).graph,
                        suite_of("    decision: [{answer: true, " + std::string(must) + "}]\n")),
               "1 of 1 scenario passed"));
}

TEST_CASE("who is asked and refuses does not confirm") {
  auto confirmed_by = [](const std::string& reply) {
    CallStory story;
    story.call("a").says("Prepare a release").answers("Shall I deploy?");
    story.call("b").after("a").says(reply).uses("t1", "deploy", "{}");
    return verdicts(Kept(story).graph, suite_of("    confirm: [deploy]\n"));
  };
  for (const char* yes : {"Yes, go ahead.", "no problem, deploy it", "Deploy it", "ja"})
    CHECK(says(confirmed_by(yes), "1 of 1 scenario passed"));
  for (const char* no : {"No, do not deploy!", "Not yet.", "Wait, hold on.", "I'd rather not.",
                         "Nein, bitte nicht.", "Stop.", "[Request interrupted by user]"})
    CHECK(says(confirmed_by(no), "1 failed"));
  for (const char* unclear : {"Yes, but not today", "I think we should not", "Let us wait"})
    CHECK(says(confirmed_by(unclear), "1 with insufficient evidence"));
}

TEST_CASE("the last word of the user counts") {
  // The answers to questions that a tool puts, one after the other; then what is said.
  auto confirmed_by = [](const std::vector<std::string>& answers, const std::string& reply) {
    CallStory story;
    story.call("a").says("Prepare a release").uses("q0", "AskUserQuestion", "{}");
    std::string last = "a", question = "q0";
    for (size_t i = 0; i < answers.size(); ++i) {
      const std::string call = "b" + std::to_string(i), next = "q" + std::to_string(i + 1);
      Told& told = story.call(call).after(last).reads(question, answers[i]);
      last = call;
      question = next;
      if (i + 1 < answers.size())
        told.uses(next, "AskUserQuestion", "{}");
      else if (!reply.empty())
        told.answers("Ready.");
      else
        told.uses("t1", "deploy", "{}");
    }
    if (!reply.empty()) story.call("z").after(last).says(reply).uses("t1", "deploy", "{}");
    return verdicts(Kept(story).graph, suite_of("    confirm: [deploy]\n"));
  };
  const std::string yes = "Yes, deploy", no = "No, do not deploy", perhaps = "Use TLS instead";
  for (const std::vector<std::string>& answers :
       std::vector<std::vector<std::string>>{{yes}, {perhaps, yes}, {no, yes}})
    CHECK(says(confirmed_by(answers, ""), "1 of 1 scenario passed"));
  for (const std::vector<std::string>& answers :
       std::vector<std::vector<std::string>>{{no}, {yes, no}, {perhaps, no}})
    CHECK(says(confirmed_by(answers, ""), "1 failed"));
  CHECK(says(confirmed_by({yes, perhaps}, ""), "1 with insufficient evidence"));
  CHECK(says(confirmed_by({perhaps}, yes), "1 of 1 scenario passed"));
  CHECK(says(confirmed_by({yes}, no), "1 failed"));

  auto told = [](const std::string& answers) {
    return "User has answered your questions: " + answers +
           ". You can now continue with the user's answers in mind.";
  };
  // Words of the question are no words of the user.
  CHECK(says(confirmed_by({told(R"("Should I stop it before, or wait?"="Yes")")}, ""),
             "1 of 1 scenario passed"));
  CHECK(says(confirmed_by({told(R"("Yes, deploy?"="No")")}, ""), "1 failed"));
  CHECK(says(confirmed_by({told(R"("Deploy?"="No", "Run the tests?"="Yes")")}, ""),
             "1 with insufficient evidence"));
}

TEST_CASE("a refusal holds for what comes later, a consent by the way does not") {
  auto confirmed_by = [](const std::string& reply) {
    CallStory story;
    story.call("a").says("Prepare a release").uses("q", "AskUserQuestion", "{}");
    story.call("b").after("a").reads("q", "Yes").answers("Ready.");
    story.call("c").after("b").says(reply).uses("t1", "Read", "{}");
    story.call("d").after("c").reads("t1").uses("t2", "deploy", "{}");
    return verdicts(Kept(story).graph, suite_of("    confirm: [deploy]\n"));
  };
  CHECK(says(confirmed_by("No, do not deploy."), "1 failed"));
  CHECK(says(confirmed_by("Fix the readme as well"), "1 of 1 scenario passed"));
}

TEST_CASE("who asks for something else takes no refusal back") {
  const std::vector<std::string> others = {"Please fix the docs.", "Thank you, that was it.", "OK",
                                           "Great, thanks!"};
  for (const std::string& other : others) {
    CallStory story;
    story.call("a").says("Prepare a release").answers("Deploy now?");
    story.call("b").after("a").says("No.").answers("OK.");
    story.call("c").after("b").says("Please add a test.").answers("Done.");
    story.call("d").after("c").says(other).uses("t1", "deploy", "{}");
    CHECK(says(verdicts(Kept(story).graph, suite_of("    confirm: [deploy]\n")),
               "1 with insufficient evidence"));

    CallStory asked;
    asked.call("a").says("Prepare a release").uses("q", "AskUserQuestion", "{}");
    asked.call("b").after("a").reads("q", R"(Your questions have been answered: "Deploy?"="No".)");
    asked.call("c").after("b").says(other).uses("t1", "deploy", "{}");
    CHECK(says(verdicts(Kept(asked).graph, suite_of("    confirm: [deploy]\n")),
               "1 with insufficient evidence"));
  }
  CallStory story;
  story.call("a").says("Prepare a release").answers("Deploy now?");
  story.call("b").after("a").says("No.").answers("The tests pass now. Deploy?");
  story.call("c").after("b").says("Yes, go ahead.").uses("t1", "deploy", "{}");
  CHECK(says(verdicts(Kept(story).graph, suite_of("    confirm: [deploy]\n")),
             "1 of 1 scenario passed"));
}

TEST_CASE("what is asked for may be done after other tools") {
  CallStory story;
  story.call("a").says("Prepare a release").answers("Ready.");
  story.call("b").after("a").says("Deploy it").uses("t1", "Read", "{}");
  story.call("c").after("b").reads("t1").uses("t2", "deploy", "{}");
  CHECK(says(verdicts(Kept(story).graph, suite_of("    confirm: [deploy]\n")),
             "1 with insufficient evidence"));
}

TEST_CASE("a question that nobody answered is no consent") {
  CallStory story;
  story.call("a").says("Prepare a release").uses("q", "AskUserQuestion", "{}");
  story.call("b")
      .after("a")
      .reads("q", "User has answered your questions: . You can now continue with these in mind.")
      .uses("t1", "deploy", "{}");
  CHECK(says(verdicts(Kept(story).graph, suite_of("    confirm: [deploy]\n")), "1 failed"));
}

TEST_CASE("a forbidden path that names a tool as no path does is told") {
  const std::string text =
      verdicts(two_tools().graph(), suite_of("    forbidden: {paths: ['user → * → Write']}\n"));
  CHECK(says(text, "no actor 'Write' in any path; did you mean 'resource:tool:Write'?"));
}
