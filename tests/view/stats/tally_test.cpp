#include "view/stats/tally.h"

#include <catch2/catch.hpp>
#include <deque>

using namespace xtrace;
using namespace std::chrono_literals;

namespace {

Work call(int64_t start_ms, int64_t took_ms, std::string_view model = {}) {
  static std::deque<Activity> all;
  Activity& done = all.emplace_back();
  done.model = model;
  done.start = Time(std::chrono::milliseconds(start_ms));
  done.duration = std::chrono::milliseconds(took_ms);
  Work work;
  work.done = &done;
  work.kind = Work::Kind::model_call;
  return work;
}
Work sent(std::string_view model, int64_t tokens) {
  Work work = call(0, 1, model);
  work.sum.usage.tokens.input = tokens;
  return work;
}

template <class Fn>
auto of(const std::vector<Work>& works, Fn fn) {
  std::vector<const Work*> all;
  all.reserve(works.size());
  for (const Work& work : works) all.push_back(&work);
  return fn(std::span<const Work* const>(all));
}

}  // namespace

TEST_CASE("a percentile is a length that occurred: the nearest rank") {
  std::vector<Duration> lengths;
  for (int i = 100; i >= 1; --i) lengths.push_back(std::chrono::milliseconds(i));
  Distribution distribution = distribution_of(lengths);
  CHECK(distribution.median == 50ms);
  CHECK(distribution.p95 == 95ms);
  CHECK(distribution.p99 == 99ms);
  CHECK(distribution.most == 100ms);
  CHECK(distribution.total == 5050ms);

  distribution = distribution_of({3ms, 1ms});
  CHECK(distribution.median == 1ms);  // the first of two is the half of them
  CHECK(distribution.p95 == 3ms);
}

TEST_CASE("nothing has no percentiles") {
  CHECK(distribution_of({}).median == kNoDuration);
  CHECK(distribution_of({}).total == kNoDuration);
}

TEST_CASE("calls are open at once while the one began and the other did not end") {
  //  |--------|            0 to 10
  //      |--------|        5 to 15
  //                |---|   15 to 20
  Parallel parallel = of({call(0, 10), call(5, 10), call(15, 5)}, parallel_of);
  CHECK(parallel.most == 2);  // one that begins as another ends comes after it
  CHECK(parallel.mean == Approx(25.0 / 20));
}

TEST_CASE("time in which no call is open is in no mean") {
  CHECK(of({call(0, 10), call(1000, 10)}, parallel_of).mean == Approx(1));
  CHECK(of({}, parallel_of).most == 0);
}

TEST_CASE("a window is used by what a call sends, of the models whose window is known") {
  WindowUse use = of({sent("claude-opus-4-5", 50'000), sent("claude-opus-4-5", 100'000),
                      sent("house-model-1", 199'000)},
                     window_use);
  CHECK(use.limit == 200'000);
  CHECK(use.most == Approx(0.5));
  CHECK(use.median == Approx(0.25));
  CHECK(use.most_sent == 100'000);
}

TEST_CASE("of several times that a model was asked for one answer, the longest fills its window") {
  Work again = sent("claude-opus-4-5", 250'000);
  again.sum.usage.tokens.most_sent = 150'000;
  CHECK(of({again}, window_use).limit == 200'000);
  CHECK(of({again}, window_use).most == Approx(0.75));
}

TEST_CASE("what does not fit into the window went into the longer one, where there is one") {
  CHECK(of({sent("claude-sonnet-4-5", 300'000)}, window_use).limit == 1'000'000);
  CHECK(of({sent("claude-opus-4-5", 300'000)}, window_use).limit == kNoCount);
}
