#include "view/eval/pass_rate.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("an interval of Wilson's, as it is tabled") {
  // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
  auto check = [](int64_t passed, int64_t judged, double low, double high) {
    Interval interval = wilson_interval(passed, judged);
    CHECK(interval.low == Approx(low).margin(0.00005));
    CHECK(interval.high == Approx(high).margin(0.00005));
  };
  check(81, 263, 0.2553, 0.3662);
  check(15, 148, 0.0624, 0.1605);
  check(0, 20, 0.0, 0.1611);
  check(1, 29, 0.0061, 0.1718);
  check(20, 20, 0.8389, 1.0);
  check(0, 0, 0, 1);
}

TEST_CASE("k trials in a row pass as often as all choices of k do") {
  PassRate rate{3, 1, 2};
  CHECK(rate.judged() == 4);
  CHECK(rate.trials() == 6);
  CHECK(rate.share() == 0.75);
  CHECK(rate.is_flaky());
  CHECK(pass_hat(rate, 1) == Approx(0.75));
  CHECK(pass_hat(rate, 2) == Approx(0.5));   // 3 of 6 pairs
  CHECK(pass_hat(rate, 3) == Approx(0.25));  // 1 of 4
  CHECK(pass_hat(rate, 4) == 0);
  CHECK(!pass_hat(rate, 5));
  CHECK(!pass_hat(rate, 0));
  CHECK(!PassRate().share());
}
