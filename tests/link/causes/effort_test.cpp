#include "link/causes/effort.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

/// Looks at candidates in all sweeps, where each of `calls` overlaps with `callers`.
double cost(size_t calls, double callers) {
  const double looks = static_cast<double>(calls) * callers;
  return looks * effort_for({calls, looks, looks}).all_sweeps();
}

}  // namespace

TEST_CASE("ordinary recordings get the full effort") {
  // Requests at once and calls in doubt of the busiest services of recordings at 25 requests.
  for (auto [calls, callers] : {std::pair<size_t, double>{298, 10.9}, {894, 19.5}, {1444, 21.5}}) {
    const double looks = static_cast<double>(calls) * callers;
    CHECK(effort_for({calls, looks, looks}).all_sweeps() == Effort{}.all_sweeps());
  }
  // Few calls in doubt are settled by fewer rounds, however many callers each has.
  CHECK(effort_for({3, 9, 9}).rounds == 24);
  CHECK(effort_for({3, 9, 9}).answer_sweeps == Effort{}.answer_sweeps);
}

TEST_CASE("the effort grows with the calls where all overlap with all") {
  for (size_t calls = 200; calls < 100'000; calls *= 4) {
    const double once = cost(calls, static_cast<double>(calls) / 4);
    const double again = cost(calls * 4, static_cast<double>(calls));
    CHECK(again < 6 * std::max(once, 64'000.0));
  }
}

TEST_CASE("no effort is made for calls that nobody can tell apart") {
  CHECK(effort_for({1'000, 1e6, 64e3}).is_none());
  CHECK(effort_for({1'000'000, 25e6, 25e6}).is_none());
}
