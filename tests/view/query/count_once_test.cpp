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

/// `1 latency_ms within 0`, a line for each figure that is left out.
std::string left_out(std::vector<Step> steps) {
  count_time(steps);
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

TEST_CASE("of attempts the last one's time counts") {
  Step first = step(0, 2);
  first.retried_as = 2;
  CHECK(left_out({first, step(1, 1, 0), step(3, 2)}) ==
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
