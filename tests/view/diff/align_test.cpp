#include "view/diff/align.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "prices/price.h"
#include "reading.h"
#include "story.h"

using namespace xtrace;

namespace {

/// A span of one run, and when it began and ended, in milliseconds.
struct Timed {
  std::string operation;
  size_t start = 0, end = 0;
};

/// A run of spans inside one span.
std::string timed_spans(const std::vector<Timed>& spans) {
  constexpr int64_t kEpoch = 1'772'000'000'000'000;
  auto span = [](const std::string& id, const std::string& parent, const std::string& operation,
                 size_t start, size_t took) {
    std::string reference =
        parent.empty()
            ? ""
            : fmt::format(R"({{"refType":"CHILD_OF","traceID":"a","spanID":"{}"}})", parent);
    return fmt::format(
        R"({{"traceID":"a","spanID":"{}","operationName":"{}","references":[{}],"startTime":{},)"
        R"("duration":{},"tags":[],"processID":"p"}})",
        id, operation, reference, kEpoch + static_cast<int64_t>(start), took);
  };
  size_t end = 0;
  for (const Timed& one : spans) end = std::max(end, one.end);
  std::string text = span("f00", "", "all", 0, 1000 * (end + 1));
  for (size_t i = 0; i < spans.size(); ++i)
    text += "," + span(fmt::format("{:x}", i + 1), "f00", spans[i].operation, 1000 * spans[i].start,
                       1000 * (spans[i].end - spans[i].start));
  return fmt::format(
      R"({{"data":[{{"traceID":"a","spans":[{}],"processes":{{"p":{{"serviceName":"s"}}}}}}]}})"
      "\n",
      text);
}

/// A run of spans inside one span, each of them `operation`, told in a word each.
std::string spans(const std::vector<std::string>& operations, bool at_once = false) {
  std::vector<Timed> timed;
  for (size_t i = 0; i < operations.size(); ++i)
    timed.push_back(
        {operations[i], 2 * (i + 1), at_once ? 2 * (i + 1 + operations.size()) : 2 * (i + 1) + 1});
  return timed_spans(timed);
}

/// A run, with all that its steps go on looking at.
struct ComparedSteps {
  explicit ComparedSteps(const std::string& log)
      : graph(link(read_log(log), {})), story(tell_story(graph)), steps(graph, nullptr, story) {}

  std::string name(uint32_t step) const {
    const Trace& trace = graph.trace();
    const StoryNode& node = story.nodes[step];
    return std::string(trace[trace[graph.hops()[node.hop].span].operation]);
  }

  Graph graph;
  Story story;
  RunSteps steps;
};

/// `a=a`, in the order of the old run; `-b`: only the old run has it; then `+c`: only the new one.
std::string aligned(const std::string& before, const std::string& now) {
  ComparedSteps old_run(before), new_run(now);
  Alignment found = align(old_run.steps, new_run.steps);
  Alignment swapped = align(new_run.steps, old_run.steps);
  CHECK(swapped.of_new == found.of_old);
  CHECK(swapped.of_old == found.of_new);
  std::string text;
  for (uint32_t step : old_run.steps.order()) {
    uint32_t mate = found.of_old[step];
    text += (text.empty() ? "" : " ");
    text += mate == Alignment::kNone ? "-" + old_run.name(step)
                                     : fmt::format("{}={}", old_run.name(step), new_run.name(mate));
  }
  for (uint32_t step : new_run.steps.order())
    if (found.of_new[step] == Alignment::kNone) text += " +" + new_run.name(step);
  return text;
}

}  // namespace

TEST_CASE("equal runs align step by step") {
  CHECK(aligned(spans({"a", "b", "a"}), spans({"a", "b", "a"})) == "all=all a=a b=b a=a");
}

TEST_CASE("a step more or less leaves the others where they are") {
  CHECK(aligned(spans({"a", "b", "c"}), spans({"a", "x", "b", "c"})) == "all=all a=a b=b c=c +x");
  CHECK(aligned(spans({"a", "b", "c"}), spans({"a", "c"})) == "all=all a=a -b c=c");
}

TEST_CASE("as many equal steps as there can be are paired, in order") {
  // One of the two that changed places is one that is gone and new.
  CHECK(aligned(spans({"a", "b", "c", "d"}), spans({"a", "c", "b", "d"})).find('-') !=
        std::string::npos);
  CHECK(aligned(spans({"a", "a", "b"}), spans({"a", "b"})).find("b=b") != std::string::npos);
}

TEST_CASE("steps that overlap are the same ones wherever they stand") {
  CHECK(aligned(spans({"a", "b", "c"}, true), spans({"c", "a", "b"}, true)) ==
        "all=all a=a b=b c=c");
}

TEST_CASE("runs of thousands of steps are cut at those that both have once") {
  // 2100 x 2100 pairs are more than are looked at together. Every third step is another one in the
  // new run, and the first and the last differ, so that nothing can be cut off at the ends.
  std::vector<std::string> before, now;
  for (int i = 0; i < 2100; ++i) {
    before.push_back(fmt::format("op{}", i));
    now.push_back(i % 3 == 0 || i == 2099 ? fmt::format("new{}", i) : before.back());
  }
  ComparedSteps old_run(spans(before)), new_run(spans(now));
  Alignment found = align(old_run.steps, new_run.steps);
  size_t equal = 0, other = 0, none = 0;
  for (uint32_t step : old_run.steps.order())
    if (found.of_old[step] == Alignment::kNone)
      ++none;
    else
      ++(old_run.name(step) == new_run.name(found.of_old[step]) ? equal : other);
  CHECK(equal == 1 + 1399);  // the one around all, and what was kept
  CHECK(equal + other + none == 2101);
}

TEST_CASE("steps that overlap stand where they began among those that came in line") {
  ComparedSteps run(
      timed_spans({{"a", 1, 2}, {"b", 3, 6}, {"c", 4, 7}, {"d", 8, 9}, {"e", 10, 11}}));
  std::string order;
  for (uint32_t step : run.steps.order()) order += run.name(step) + " ";
  CHECK(order == "all a b c d e ");
}
