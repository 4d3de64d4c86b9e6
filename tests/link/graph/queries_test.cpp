#include "link/graph/queries.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "reading.h"
#include "story.h"

using namespace xtrace;

namespace {

/// `a: a b c`, a line for each query.
std::string queries_of(const Graph& graph) {
  std::string text;
  const Trace& trace = graph.trace();
  for (const Query& query : find_queries(graph)) {
    text += text.empty() ? "" : "\n";
    if (!query.project.empty()) text += std::string(query.project) + "/";
    text += std::string(query.id) + ":";
    for (SpanId id : query.spans) text += fmt::format(" {}", trace[trace[id].id]);
    for (CallId id : query.calls) text += fmt::format(" {}", trace[trace[id].id]);
  }
  return text;
}

Graph graph_of(std::string_view log) {
  return link(read_log(log), {});
}

/// A Jaeger trace of spans `id parent tags`, one second apart.
std::string jaeger(const std::string& trace, const std::vector<std::vector<std::string>>& spans) {
  std::string text;
  for (size_t i = 0; i < spans.size(); ++i) {
    text += fmt::format(
        R"({}{{"traceID":"{}","spanID":"{}","operationName":"op","startTime":{},"duration":10,)",
        i == 0 ? "" : ",", trace, spans[i][0], 1'700'000'000'000'000 + i * 1'000'000);
    text += spans[i][1].empty()
                ? std::string(R"("references":[],)")
                : fmt::format(
                      R"("references":[{{"refType":"CHILD_OF","traceID":"{}","spanID":"{}"}}],)",
                      trace, spans[i][1]);
    text += fmt::format(R"("tags":[{}]}})", spans[i][2]);
  }
  return fmt::format(R"({{"data":[{{"traceID":"{}","spans":[{}],"processes":{{}}}}]}})", trace,
                     text) +
         "\n";
}

std::string tag(const std::string& key, const std::string& value) {
  return fmt::format(R"({{"key":"{}","type":"string","value":"{}"}})", key, value);
}

}  // namespace

TEST_CASE("a turn is what the user says and every call it takes to answer") {
  CallStory story;
  story.call("a").says("fix it").uses("r1", "Read");
  story.call("b").after("a").reads("r1").answers("done");
  story.call("c").after("b").says("now test it").uses("r2", "Bash");
  story.call("d").after("c").reads("r2").answers("green");
  CHECK(queries_of(story.graph()) ==
        "a: a b\n"
        "c: c d");
}

TEST_CASE("subagents belong to the turn that spawned them, however much they are told") {
  CallStory story;
  story.call("a").says("look around").spawns("t1", "Explore", "look");
  story.call("s").says("look").uses("r1", "Read");
  story.call("s2").after("s").reads("r1").answers("seen");
  story.call("b").after("a").reads("t1").answers("done");
  CHECK(queries_of(story.graph()) == "a: a s s2 b");
}

TEST_CASE("an attempt after a failure belongs to the turn of the first") {
  CallStory story;
  story.call("a").says("hello").fails("overloaded_error");
  story.call("b").again("a").answers("hi");
  story.call("c").after("b").says("and now?").answers("bye");
  CHECK(queries_of(story.graph()) ==
        "a: a b\n"
        "c: c");
}

TEST_CASE("what a client puts beside a tool's result begins no turn") {
  CallStory story;
  story.call("a").says("fix it").uses("r1", "Read");
  story.call("b").after("a").reads("r1").reminds().answers("done");
  CHECK(queries_of(story.graph()) == "a: a b");
}

TEST_CASE("step events are told apart by the query they name, and by project") {
  std::string log =
      R"({"queryId":"q1","projectId":"shop","stepId":"a","node":"Plan","timestamp":"2026-01-01T10:00:00Z"}
{"queryId":"q2","projectId":"shop","stepId":"b","node":"Plan","timestamp":"2026-01-01T10:00:01Z"}
{"queryId":"q1","stepId":"c","node":"Answer","timestamp":"2026-01-01T10:00:02Z"}
{"queryId":"q2","projectId":"bank","stepId":"d","node":"Plan","timestamp":"2026-01-01T10:00:03Z"}
{"traceId":"t9","stepId":"e","node":"Plan","timestamp":"2026-01-01T10:00:04Z"}
)";
  Graph graph = graph_of(log);
  CHECK(queries_of(graph) ==
        "shop/q1: a c\n"
        "shop/q2: b\n"
        "bank/q2: d\n"
        "t9: e");
  CHECK_FALSE(find_queries(graph)[0].shares_id);
  CHECK(find_queries(graph)[1].shares_id);
  CHECK(find_queries(graph)[0].from == Query::From::log);
  CHECK(find_queries(graph)[3].from == Query::From::trace);
}

TEST_CASE("a span without a query's id takes that of the span above it") {
  Graph graph = graph_of(jaeger("t1", {{"a", "", ""},
                                       {"b", "a", tag("queryId", "q1")},
                                       {"c", "b", ""},
                                       {"d", "a", tag("query.id", "q2")},
                                       {"e", "d", ""}}));
  // The root holds both and belongs to neither.
  CHECK(queries_of(graph) ==
        "t1: a\n"
        "q1: b c\n"
        "q2: d e");
}

TEST_CASE("a trace that names one query belongs to it as a whole") {
  Graph graph = graph_of(jaeger("t1", {{"a", "", ""}, {"b", "a", tag("queryId", "q1")}}) +
                         jaeger("t2", {{"c", "", ""}}));
  CHECK(queries_of(graph) ==
        "q1: a b\n"
        "t2: c");
}
