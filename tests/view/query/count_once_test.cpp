#include "view/query/count_once.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "view/query/parallel_steps.h"

using namespace xtrace;

namespace {

/// A step that begins `start` seconds after some moment.
Step step(double start, double took, size_t parent = Step::kNone) {
  Step one;
  one.start.time = Time(std::chrono::seconds(1'000)) +
                   std::chrono::milliseconds(static_cast<int64_t>(start * 1000));
  one.took = std::chrono::milliseconds(static_cast<int64_t>(took * 1000));
  one.parent = parent;
  return one;
}

Step with_tokens(Step one, int64_t input, int64_t output, std::string model = "") {
  one.record.tokens.input = input;
  one.record.tokens.output = output;
  one.record.model = std::move(model);
  return one;
}

/// `1 latency_ms within 0`, a line for each figure that is left out.
std::string left_out(std::vector<Step> steps) {
  count_once(steps);
  std::string text;
  for (size_t i = 0; i < steps.size(); ++i)
    for (const NotCounted& one : steps[i].not_counted)
      text += fmt::format("{} {} {} {}\n", i, word(one.metric), word(one.why), one.step);
  return text;
}

}  // namespace

TEST_CASE("what takes place within a step is part of its time") {
  CHECK(left_out({step(0, 10), step(2, 3, 0), step(3, 1, 1)}) ==
        "1 latency_ms within 0\n"
        "2 latency_ms within 1\n");
}

TEST_CASE("a step that begins when the one around it is over has a time of its own") {
  CHECK(left_out({step(0, 10), step(11, 3, 0)}).empty());
  // Of a step without a time nobody knows; it is part of the next one around.
  Step untimed;
  untimed.parent = 0;
  CHECK(left_out({step(0, 10), untimed, step(2, 3, 1)}) == "2 latency_ms within 0\n");
}

TEST_CASE("a step that comes after the ones around it is part of the next one that goes on") {
  CHECK(left_out({step(0, 10), step(1, 1, 0), step(5, 1, 1), step(7, 1, 2)}) ==
        "1 latency_ms within 0\n"
        "2 latency_ms within 0\n"
        "3 latency_ms within 0\n");
}

TEST_CASE("tokens of which those within tell all count there") {
  CHECK(left_out({with_tokens(step(0, 10), 300, 30), with_tokens(step(1, 1, 0), 100, 10, "m"),
                  with_tokens(step(3, 1, 0), 200, 20, "m")}) ==
        "0 tokens_in told_within 1\n"
        "0 tokens_out told_within 1\n"
        "1 latency_ms within 0\n"
        "2 latency_ms within 0\n");
}

TEST_CASE("a step that calls no model itself tells of all that is within it") {
  CHECK(left_out({with_tokens(step(0, 10), 300, 30), with_tokens(step(1, 1, 0), 100, 10, "m")}) ==
        "1 latency_ms within 0\n"
        "1 tokens_in told_around 0\n"
        "1 tokens_out told_around 0\n");
}

TEST_CASE("a step that calls a model, and one within it that calls one too, both count") {
  CHECK(left_out({with_tokens(step(0, 10), 300, 30, "m"),
                  with_tokens(step(1, 1, 0), 100, 10, "m")}) == "1 latency_ms within 0\n");
}

TEST_CASE("what cannot be the sum of the steps within is a step's own, and counts beside theirs") {
  CHECK(left_out({with_tokens(step(0, 10), 10, 1), with_tokens(step(1, 1, 0), 300, 90)}) ==
        "1 latency_ms within 0\n");
}

TEST_CASE("a step that tells the tokens of one step within it once more is not counted twice") {
  CHECK(left_out({with_tokens(step(0, 10), 200, 20), with_tokens(step(1, 1, 0), 300, 90),
                  with_tokens(step(3, 1, 0), 200, 20)}) ==
        "0 tokens_in told_within 1\n"
        "0 tokens_out told_within 1\n"
        "1 latency_ms within 0\n"
        "2 latency_ms within 0\n");
}

TEST_CASE("of a total of calls these count, also where it is not their sum") {
  Step total = with_tokens(step(0, 10), 300, 30, "m");
  total.is_total = true;
  CHECK(left_out({total, with_tokens(step(1, 1, 0), 100, 10, "m")}) ==
        "0 tokens_in told_within 1\n"
        "0 tokens_out told_within 1\n"
        "1 latency_ms within 0\n");
  CHECK(left_out({total, step(1, 1, 0)}) == "1 latency_ms within 0\n");
}

TEST_CASE("a sum of input that leaves the cache out is a sum") {
  Step cached = with_tokens(step(1, 1, 0), 100, 10);
  cached.record.tokens.cache_read = 900;
  CHECK(left_out({with_tokens(step(0, 10), 100, 10), cached})
            .starts_with("0 tokens_in told_within 1\n"));
}

TEST_CASE("of attempts the last one's time counts, and what all of them spent") {
  Step first = with_tokens(step(0, 2), 100, 10, "m");
  first.retried_as = 2;
  CHECK(left_out({first, with_tokens(step(1, 1, 0), 50, 5, "m"),
                  with_tokens(step(3, 2), 100, 10, "m")}) ==
        "0 latency_ms retried 2\n"
        "1 latency_ms retried 2\n");
}

TEST_CASE("what begins when the step before it ends is not one of its parts") {
  CHECK(left_out({step(0, 1), step(1, 5, 0)}).empty());
  CHECK(left_out({step(0, 1), step(0.5, 5, 0)}) == "1 latency_ms within 0\n");
}

TEST_CASE("steps of one step that overlap ran at once") {
  std::vector<Step> steps = {step(0, 1),      step(1, 5, 0), step(2, 3, 0),
                             step(5.5, 1, 0), step(7, 1, 0), step(2, 1, 3)};
  std::vector<ParallelSteps> found = parallel_steps(steps);
  REQUIRE(found.size() == 1);
  CHECK(found[0].steps == std::vector<size_t>{1, 2, 3});
  CHECK(found[0].total == std::chrono::seconds(9));
  CHECK(found[0].wall == std::chrono::milliseconds(5500));
}
