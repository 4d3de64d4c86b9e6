#include "view/query/query_answers.h"

using namespace xtrace;

namespace {

/// A step event without a time.
std::string untimed(const std::string& node, const std::string& more = "") {
  return fmt::format(R"({{"queryId":"q","node":"{}"{}}})"
                     "\n",
                     node, more);
}

}  // namespace

TEST_CASE("steps without a time, and those of one time, stand as in the input") {
  Json trace = trace_of(untimed("Z", R"(,"metrics":{"latency_ms":1})") + untimed("A") +
                        untimed("M", R"(,"metrics":{"latency_ms":9})"));
  CHECK(ids(trace["steps"], "node") == Words{"Z", "A", "M"});
  CHECK(trace["ordered_by"] == "input");
  trace = trace_of(step("9", "Z", 1, 5) + step("10", "A", 1, 500) + step("8", "M", 0, 5));
  CHECK(ids(trace["steps"], "node") == Words{"M", "Z", "A"});
  CHECK(trace["ordered_by"] == "time");
}

TEST_CASE("a step without a time stands behind what was recorded before it") {
  Json trace =
      trace_of(step("c", "C", 3, 1) + step("a", "A", 1, 1) + untimed("B") + step("d", "D", 4, 1));
  CHECK(ids(trace["steps"], "node") == Words{"A", "B", "C", "D"});
}

TEST_CASE("the log's own numbers decide the order of steps, and parents stand before children") {
  Json trace = trace_of(untimed("B", R"(,"step":2)") + untimed("A", R"(,"step":1)") +
                        untimed("K", R"(,"step":10)"));
  CHECK(ids(trace["steps"], "node") == Words{"A", "B", "K"});
  CHECK(trace["ordered_by"] == "order");
  trace =
      trace_of(untimed("child", R"(,"parentStepId":"p")") + untimed("parent", R"(,"stepId":"p")"));
  CHECK(ids(trace["steps"], "node") == Words{"parent", "child"});
  CHECK(trace["ordered_by"] == "parents");
}

TEST_CASE("a step that several led to names all of them") {
  Json trace = trace_of(untimed("a", R"(,"stepId":"a")") + untimed("b", R"(,"stepId":"b")") +
                        untimed("c", R"(,"parentStepIds":["a","b"])"));
  CHECK(trace["steps"][2]["parent"] == 1);
  CHECK(trace["steps"][2]["parents"] == Json({1, 2}));
}

TEST_CASE("steps that lead to one another in a circle are all told") {
  Json trace = trace_of(untimed("a", R"(,"stepId":"a","parentStepIds":["x","b"])") +
                        untimed("b", R"(,"stepId":"b","parentStepIds":["a","c"])") +
                        untimed("c", R"(,"stepId":"c","parentStepIds":["b","a"])"));
  CHECK(trace["steps"].size() == 3);
}

TEST_CASE("what has no price is not paid for by a step around it that tells its own") {
  Json trace = trace_of(step("a", "A", 1, 5) +
                        untimed("B", R"(,"parentStepId":"a","metrics":{"tokens_in":900})"));
  CHECK(trace["metrics"]["unpriced_steps"] == 1);
}
