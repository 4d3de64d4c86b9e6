#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "view/eval/judged.h"

using namespace xtrace;

namespace {

std::string attribute(const std::string& key, const std::string& value) {
  return R"({"key": ")" + key + R"(", "value": {"stringValue": )" + value + "}}";
}

/// A span of the one trace there is, whose times are seconds.
std::string span(const std::string& id, int from, int to, const std::string& attributes) {
  const std::string nines = "000000000";
  return R"({"traceId": "c44eee39225a5bf20455db504793f016", "spanId": ")" + id +
         R"(", "name": "s", "startTimeUnixNano": "177244200)" + std::to_string(from) + nines +
         R"(", "endTimeUnixNano": "177244200)" + std::to_string(to) + nines +
         R"(", "attributes": [)" + attributes + "]}";
}
std::string chat(const std::string& id, int from, const std::string& attributes) {
  return span(id, from, from + 1,
              attribute("gen_ai.operation.name", R"("chat")") + ", " +
                  attribute("gen_ai.request.model", R"("gpt-4o")") + ", " + attributes);
}
std::string tool(const std::string& id, int from, const std::string& attributes) {
  return span(id, from, from + 1,
              attribute("gen_ai.operation.name", R"("execute_tool")") + ", " + attributes);
}

/// What a model that asks for `deploy` says, in the words of the conventions.
std::string asks_for_deploy() {
  return attribute(
      "gen_ai.output.messages",
      R"("[{\"role\": \"assistant\", \"parts\": [{\"type\": \"tool_call\", \"id\": \"t1\", )"
      R"(\"name\": \"deploy\", \"arguments\": {\"path\": \"/p/a\"}}]}]")");
}

std::string document_of(const std::vector<std::string>& spans) {
  std::string all;
  for (const std::string& one : spans) all += (all.empty() ? "" : ", ") + one;
  return R"({"resourceSpans": [{"scopeSpans": [{"spans": [)" + all + "]}]}]}\n";
}

/// Spans in a file, so that one can go back to what they say.
struct KeptSpans {
  explicit KeptSpans(const std::vector<std::string>& spans)
      : path(folder.write("spans.json", document_of(spans))) {}

  Folder folder;
  std::string path;
  Progress progress;
  Graph graph = link(load({path}, {}, progress).value(), {});
};

std::string judged(const std::vector<std::string>& spans, const std::string& expectations) {
  return verdicts(KeptSpans(spans).graph, suite_of(expectations));
}

}  // namespace

TEST_CASE("a tool that only the answer of a model's span tells of is a use of a tool") {
  const std::vector<std::vector<std::string>> runs = {
      {chat("a1", 0, asks_for_deploy())},
      {chat("a1", 0,
            attribute("gen_ai.completion.0.role", R"("assistant")") + ", " +
                attribute("gen_ai.completion.0.tool_calls.0.id", R"("t1")") + ", " +
                attribute("gen_ai.completion.0.tool_calls.0.name", R"("deploy")") + ", " +
                attribute("gen_ai.completion.0.tool_calls.0.arguments",
                          R"("{\"path\": \"/p/a\"}")"))},
      {chat("a1", 0,
            attribute("llm.output_messages.0.message.role", R"("assistant")") + ", " +
                attribute("llm.output_messages.0.message.tool_calls.0.tool_call.function.name",
                          R"("deploy")") +
                ", " +
                attribute("llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments",
                          R"("{\"path\": \"/p/a\"}")"))}};
  for (const std::vector<std::string>& run : runs) {
    CHECK(says(judged(run, "    forbidden: {tools: [deploy]}\n"), "deploy was used 1 time"));
    CHECK(says(judged(run, "    limits: {tool_calls: 0}\n"), "tool_calls: 1 (at most 0 allowed)"));
    CHECK(says(judged(run, "    preceded: [{tool: deploy, by: Test}]\n"), "1 failed"));
    CHECK(says(judged(run, "    tools: [{name: deploy, target: /p/a, arguments: {path: /p/a}}]\n"),
               "1 of 1 scenario passed"));
    CHECK(says(judged(run, "    forbidden: {paths: ['user → * → resource:file:/p/a']}\n"),
               "with insufficient evidence"));
  }
}

TEST_CASE("a forbidden chain through somebody who is not there does not come about") {
  const std::vector<std::string> run = {
      span("a0", 0, 9,
           attribute("gen_ai.operation.name", R"("invoke_agent")") + ", " +
               attribute("gen_ai.agent.name", R"("planner")")),
      chat("a1", 1, asks_for_deploy())};
  auto forbidden = [&](const std::string& path) {
    return judged(run, "    forbidden: {paths: ['" + path + "']}\n");
  };
  for (const char* path : {"user → agent:evil → *", "agent:evil → resource:tool:deploy"})
    CHECK(says(forbidden(path), "1 of 1 scenario passed"));
  for (const char* path : {"agent:planner → resource:tool:deploy", "* → resource:tool:deploy"})
    CHECK(says(forbidden(path), "with insufficient evidence"));
}

TEST_CASE(
    "an agent that only the span of its model names may be in a chain to what that asks for") {
  auto forbidden = [](const std::string& path) {
    const std::string named = attribute("gen_ai.agent.name", R"("writer")");
    return judged({chat("a1", 1, asks_for_deploy() + ", " + named)},
                  "    forbidden: {paths: ['" + path + "']}\n");
  };
  for (const char* path : {"agent:writer → resource:tool:deploy", "user → writer → *"})
    CHECK(says(forbidden(path), "with insufficient evidence"));
  CHECK(says(forbidden("agent:evil → resource:tool:deploy"), "1 of 1 scenario passed"));
}

TEST_CASE("a tool that has a span of its own is not counted twice") {
  const std::string named = attribute("gen_ai.tool.name", R"("deploy")");
  const std::string id = attribute("gen_ai.tool.call.id", R"("t1")");
  const std::string expected = "    limits: {tool_calls: 1}\n";
  for (const std::string& with : {fmt::format("{}, {}", named, id), named})
    CHECK(says(judged({chat("a1", 0, asks_for_deploy()), tool("a2", 2, with)}, expected),
               "1 of 1 scenario passed"));
  // What ran before was another use.
  CHECK(says(judged({tool("a2", 0, named), chat("a1", 2, asks_for_deploy())}, expected),
             "tool_calls: 2 (at most 1 allowed)"));
}

namespace {

/// A model's answer that asks for one tool.
std::string asks_for(const std::string& name, const std::string& id,
                     const std::string& arguments = "{}") {
  return attribute("gen_ai.output.messages",
                   R"("[{\"role\": \"assistant\", \"parts\": [{\"type\": \"tool_call\", )" +
                       (id.empty() ? "" : R"(\"id\": \")" + id + R"(\", )") + R"(\"name\": \")" +
                       name + R"(\", \"arguments\": )" + arguments + R"(}]}]")");
}
std::string count_of(int uses) {
  return "tool_calls: " + std::to_string(uses) + " (at most 0 allowed)";
}

}  // namespace

TEST_CASE("the names of one tool may differ in form") {
  auto named = [](const std::string& asked, const std::string& spans) {
    return judged({chat("a1", 0, asks_for(asked, "")),
                   tool("a2", 2, attribute("gen_ai.tool.name", '"' + spans + '"'))},
                  "    limits: {tool_calls: 0}\n");
  };
  CHECK(says(named("search", "github.search"), count_of(1)));
  CHECK(says(named("mcp__github__search", "github.search"), count_of(1)));
  CHECK(says(named("search_tool", "Search Tool"), count_of(1)));
  CHECK(says(named("Search-Tool", "search_tool"), count_of(1)));
  CHECK(says(named("research", "search"), count_of(2)));
  // Each takes the tool of just its name, if there is one.
  CHECK(says(judged({chat("a1", 0, asks_for("search", "")), chat("a2", 1, asks_for("x.search", "")),
                     tool("a3", 2, attribute("gen_ai.tool.name", R"("x.search")"))},
                    "    tools: [search, x.search]\n"),
             "1 of 1 scenario passed"));
}

TEST_CASE("an id that comes again in a later answer is another use") {
  auto asked = [](int from, const std::string& id) {
    return chat(id, from, asks_for("search", "call_0"));
  };
  const std::string expected = "    limits: {tool_calls: 0}\n";
  CHECK(says(judged({asked(0, "a1"), asked(2, "a2"), asked(4, "a3")}, expected), count_of(3)));
  // Two spans of one call ask once.
  const std::string around = span("a0", 0, 3,
                                  attribute("gen_ai.operation.name", R"("chat")") + ", " +
                                      attribute("gen_ai.request.model", R"("gpt-4o")") + ", " +
                                      asks_for("search", "call_0"));
  CHECK(says(judged({around, asked(1, "a1")}, expected), count_of(1)));
  // The same of tools that have spans.
  auto ran = [](int from, const std::string& id) {
    return tool(id, from,
                attribute("gen_ai.tool.name", R"("search")") + ", " +
                    attribute("gen_ai.tool.call.id", R"("call_0")"));
  };
  CHECK(says(judged({asked(0, "a1"), ran(1, "b1"), asked(3, "a2"), ran(4, "b2")}, expected),
             count_of(2)));
  CHECK(says(judged({asked(0, "a1"), ran(1, "b1"), asked(3, "a2")}, expected), count_of(2)));
}

TEST_CASE("an answer that tells of those before it, too, asks for no more than it adds") {
  const auto uses = [](std::initializer_list<std::string> ids) {
    std::string parts;
    for (const std::string& id : ids)
      parts += fmt::format(R"({0}{{\"type\": \"tool_call\", \"id\": \"{1}\", )"
                           R"(\"name\": \"search\", \"arguments\": {{\"q\": \"{1}\"}}}})",
                           parts.empty() ? "" : ", ", id);
    return attribute("gen_ai.output.messages",
                     R"("[{\"role\": \"assistant\", \"parts\": [)" + parts + R"(]}]")");
  };
  const std::string expected = "    limits: {tool_calls: 0}\n";
  CHECK(says(judged({chat("a1", 0, uses({"c1"})), chat("a2", 2, uses({"c1", "c2"})),
                     chat("a3", 4, uses({"c1", "c2"}))},
                    expected),
             count_of(2)));
  CHECK(says(judged({chat("a1", 0, uses({"toolu_0123456789ab"})),
                     chat("a2", 2, uses({"toolu_0123456789ab"}))},
                    expected),
             count_of(1)));
}

TEST_CASE("a tool without a name is no use") {
  CHECK(says(judged({chat("a1", 0, asks_for("", "t1")), chat("a2", 2, asks_for("search", "t2"))},
                    "    limits: {tool_calls: 0}\n"),
             count_of(1)));
}

namespace {

/// What statistics say in text.
std::string statistics(const Graph& graph) {
  Door door(RedactPolicy(Redaction::all), Door::Level::basic, 200);
  const std::unique_ptr<const Payloads> payloads = file_payloads(graph.trace());
  const Result<Document> answer =
      find_view("stats")->make()->answer(Question{graph, door, Face::outline, payloads.get()});
  if (!answer) return answer.error().what;
  std::ostringstream out;
  write_text(*answer, Paper(), out);
  return out.str();
}

}  // namespace

TEST_CASE("statistics count as many tools without a span as an evaluation") {
  auto ran = [](const std::string& id, int from, const std::string& attributes) {
    return tool(id, from, attribute("gen_ai.tool.name", attributes));
  };
  struct {
    std::vector<std::string> spans;
    int tools, untold;  ///< spans of tools, and tools that have none
  } const runs[] = {
      {{chat("a1", 0, asks_for("search", "t1"))}, 0, 1},
      // Names in another form; and what ran before.
      {{chat("a1", 0, asks_for("search_tool", "")), ran("b1", 2, R"("Search Tool")")}, 1, 0},
      {{chat("a1", 0, asks_for("github.search", "")), ran("b1", 2, R"("search")")}, 1, 0},
      {{ran("b1", 0, R"("search")"), chat("a1", 2, asks_for("search", ""))}, 1, 1},
      // An id that comes again; and no name.
      {{chat("a1", 0, asks_for("search", "call_0")), chat("a2", 2, asks_for("search", "call_0"))},
       0,
       2},
      {{chat("a1", 0, asks_for("", "t1")), chat("a2", 2, asks_for("search", "t2"))}, 0, 1}};
  for (const auto& run : runs) {
    const KeptSpans kept(run.spans);
    CHECK(says(verdicts(kept.graph, suite_of("    limits: {tool_calls: 0}\n")),
               count_of(run.tools + run.untold)));
    const std::string told = "in the replies that spans record";
    const std::string text = statistics(kept.graph);
    if (run.untold == 0)
      CHECK(text.find(told) == text.npos);
    else
      CHECK(says(text,
                 std::to_string(run.untold) + " tool use" + (run.untold == 1 ? " " : "s ") + told));
  }
}

namespace {

/// Counts what is read again.
class CountedPayloads final : public Payloads {
 public:
  explicit CountedPayloads(const Trace& trace) : read_(file_payloads(trace)) {}
  Excerpt read(const Call& call) const override { return read_->read(call); }
  std::vector<Quote> quotes(const Call& call) const override { return read_->quotes(call); }
  std::vector<Quote> quotes(const Span& one) const override { return ++times, read_->quotes(one); }
  StepRecord step(const Span& one) const override { return ++times, read_->step(one); }
  Appraisal appraisal(const Span& one) const override { return read_->appraisal(one); }

  mutable size_t times = 0;

 private:
  std::unique_ptr<const Payloads> read_;
};

}  // namespace

TEST_CASE("what a span says is read once for all scenarios") {
  const KeptSpans kept({chat("a1", 0, asks_for("search", "t1"))});
  const Graph& graph = kept.graph;
  const CountedPayloads payloads(graph.trace());
  Eval eval;
  std::string more;
  for (const char* id : {"two", "three", "four"})
    more += "  - id: " + std::string(id) + "\n    forbidden: {tools: [deploy]}\n";
  eval.judge_by(suite_of("    forbidden: {tools: [deploy]}\n" + more), {});
  Door door(RedactPolicy(Redaction::all), Door::Level::basic, 200);
  CHECK(eval.answer(Question{graph, door, Face::outline, &payloads}).has_value());
  CHECK(payloads.times == 1);
}

TEST_CASE("attempts at the same go on until one does not fail") {
  auto ran = [](const std::string& id, int from, const std::string& arguments, bool fails) {
    std::string text = tool(id, from,
                            attribute("gen_ai.tool.name", R"("search")") + ", " +
                                attribute("gen_ai.tool.call.arguments", arguments));
    text.pop_back();
    return text + R"(, "status": {"code": )" + (fails ? "2" : "1") + "}}";
  };
  const std::string one = R"("{\"q\": 1}")", two = R"("{\"q\": 2}")";
  auto expect = [&](const std::vector<std::string>& run, int attempts) {
    const std::string text = judged(run, "    errors: {retries: {max_attempts: 1}}\n");
    return attempts == 0 ? says(text, "1 of 1 scenario passed")
                         : says(text, std::to_string(attempts) + " attempts (at most 1 allowed)");
  };
  CHECK(expect({ran("a1", 0, one, true), ran("a2", 2, two, true), ran("a3", 4, one, true),
                ran("a4", 6, one, false), ran("a5", 8, one, false)},
               3));
  CHECK(expect({ran("a1", 0, one, false), ran("a2", 2, one, true)}, 0));
  CHECK(expect({ran("a1", 0, one, true), ran("a2", 2, two, true)}, 0));
}

TEST_CASE("the answer of a span is what its messages say") {
  const std::string expected = "    decision: [{answer: true, is: Deployed.}]\n";
  for (const std::string& said :
       {attribute("gen_ai.output.messages",
                  R"("[{\"role\": \"assistant\", \"parts\": [{\"type\": \"text\", )"
                  R"(\"content\": \"Deployed.\"}], \"finish_reason\": \"stop\"}]")"),
        attribute("output.value",
                  R"("{\"choices\": [{\"message\": {\"content\": \"Deployed.\"}}]}")"),
        attribute("gen_ai.completion", R"("Deployed.")"),
        attribute("gen_ai.completion.0.content", R"("Deployed.")")})
    CHECK(says(judged({chat("a1", 0, said)}, expected), "1 of 1 scenario passed"));
  // An answer that is JSON itself is no message.
  CHECK(says(judged({chat("a1", 0, attribute("output.value", R"("{\"risk\": \"low\"}")"))},
                    "    decision: [{answer: true, is: '{\"risk\": \"low\"}'}]\n"),
             "1 of 1 scenario passed"));
}

TEST_CASE("the arguments of a tool's span tell what it works on") {
  auto uses = [](const std::string& id, int from, const std::string& name,
                 const std::string& path) {
    return tool(
        id, from,
        attribute("gen_ai.tool.name", '"' + name + '"') + ", " +
            attribute("gen_ai.tool.call.arguments", R"("{\"file_path\": \")" + path + R"(\"}")"));
  };
  const std::string expected = "    preceded: [{tool: Edit, by: Read, same_target: true}]\n";
  CHECK(says(judged({uses("a1", 0, "Read", "/p/a"), uses("a2", 2, "Edit", "/p/a")}, expected),
             "1 of 1 scenario passed"));
  CHECK(says(judged({uses("a1", 0, "Read", "/p/a"), uses("a2", 2, "Edit", "/p/b")}, expected),
             "1 failed"));
  CHECK(says(judged({uses("a1", 0, "Edit", "/p/a")}, "    tools: [{name: Edit, target: /p/a}]\n"),
             "1 of 1 scenario passed"));
  CHECK(says(judged({tool("a1", 0, attribute("gen_ai.tool.name", R"("Read")")),
                     uses("a2", 2, "Edit", "/p/b")},
                    expected),
             "with insufficient evidence"));
}
