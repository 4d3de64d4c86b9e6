#include "live/pace.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

/// The share of a core that updates get, each of which takes so many seconds, after a minute.
double share_of(double spent) {
  Pace pace;
  double used = 0, passed = 0, pause = 0;
  while (passed < 60) {
    used += spent;
    passed += pause + spent;
    pause = pace.pause_after(Pace::Span(spent), Pace::Span(pause + spent)).count();
  }
  return used / passed;
}

}  // namespace

TEST_CASE("what is cheap is told at once") {
  Pace pace;
  CHECK(pace.pause_after(Pace::Span(0.001), Pace::Span(1)).count() == Approx(0.003));
  CHECK(pace.pause_after(Pace::Span(0.1), Pace::Span(1)).count() == Approx(0.015));
}

TEST_CASE("in the long run a quarter of a core is spent") {
  CHECK(share_of(0.001) < 0.26);
  CHECK(share_of(0.02) < 0.29);
  CHECK(share_of(0.2) < 0.29);
}

TEST_CASE("nobody waits for ever") {
  Pace pace;
  for (int i = 0; i < 10; ++i)
    CHECK(pace.pause_after(Pace::Span(2), Pace::Span(2.75)).count() <= 0.75);
}
