#include "settings/threshold.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

Threshold read(std::string_view text) {
  Result<Threshold> threshold = read_threshold(text);
  REQUIRE(threshold);
  return *threshold;
}

std::string wrong(std::string_view text) {
  Result<Threshold> threshold = read_threshold(text);
  REQUIRE(!threshold);
  CHECK(threshold.error().exit == Exit::usage);
  return threshold.error().what;
}

}  // namespace

TEST_CASE("a threshold is a share of what was before, or an amount") {
  Threshold cost = read("cost=+20%");
  CHECK(cost.of == Threshold::Of::cost);
  CHECK(cost.is_share);
  CHECK(cost.most == Approx(0.2));
  CHECK(!cost.is_fall);
  CHECK(cost.text == "+20%");
  CHECK(read("calls=+5").most == 5);
  CHECK(!read("calls=+5").is_share);
  CHECK(read("cost=+$0.05").most == Approx(0.05));
  CHECK(read("duration=+500ms").most == Approx(0.5));
  CHECK(read("tokens=-10%").is_fall);
}

TEST_CASE("a threshold that cannot be heeded says what it should have been") {
  CHECK(wrong("cost") == "'cost' is not of the form METRIC=BOUND, such as cost=+20%");
  CHECK(wrong("cots=+1") ==
        "unknown metric 'cots'; metrics: cost, calls, tokens, duration, errors; did you mean "
        "'cost'?");
  CHECK(wrong("calls=5") ==
        "calls: '5' is not a bound; use an allowed increase, such as +20% or +5");
  for (std::string_view text : {"calls=+", "calls=+x", "calls=+1.5", "calls=++1", "cost=+-1",
                                "duration=+2", "errors=+%", "cost=+nan", "calls=+1e400"}) {
    CAPTURE(text);
    CHECK(wrong(text).find("is not a bound") != std::string::npos);
  }
}

TEST_CASE("to stand on a bound is not to be beyond it") {
  Threshold cost = read("cost=+20%");
  CHECK(is_beyond(cost, 0.1, 0.12) == false);
  CHECK(is_beyond(cost, 0.1, 0.1201) == true);
  CHECK(is_beyond(cost, 0.1, 0.05) == false);
  CHECK(is_beyond(read("errors=+0"), 2, 2) == false);
  CHECK(is_beyond(read("errors=+0"), 2, 3) == true);
  CHECK(is_beyond(read("tokens=-10%"), 100, 89) == true);
  CHECK(is_beyond(read("tokens=-10%"), 100, 200) == false);
}

TEST_CASE("from nothing, any growth is beyond any share; what is not known is not judged") {
  CHECK(is_beyond(read("errors=+50%"), 0, 1) == true);
  CHECK(is_beyond(read("errors=+50%"), 0, 0) == false);
  CHECK(is_beyond(read("cost=+50%"), std::nullopt, 1) == std::nullopt);
  CHECK(is_beyond(read("cost=+50%"), 1, std::nullopt) == std::nullopt);
}

TEST_CASE("how a figure moved is told in the terms of its threshold") {
  CHECK(moved(read("cost=+20%"), 0.1, 0.125) == "+25%");
  CHECK(moved(read("calls=+5"), 5, 2) == "-3");
  CHECK(moved(read("duration=+1s"), 1, 2.5) == "+1.5s");
  CHECK(moved(read("cost=+20%"), 0, 0.02) == "+$0.02");
}

TEST_CASE("a figure known only from below decides where no larger one would decide otherwise") {
  const auto at_least = [](double amount) { return MeasuredFigure{amount, true}; };
  const auto exactly = [](double amount) { return MeasuredFigure{amount}; };
  const Threshold growth = read("cost=+20%"), fall = read("cost=-20%");
  CHECK(is_beyond(growth, exactly(1), at_least(2)) == true);
  CHECK(is_beyond(growth, exactly(1), at_least(1)) == std::nullopt);
  CHECK(is_beyond(growth, at_least(1), exactly(1)) == false);
  CHECK(is_beyond(growth, at_least(1), exactly(2)) == std::nullopt);
  CHECK(is_beyond(growth, at_least(1), at_least(1)) == std::nullopt);
  CHECK(is_beyond(growth, at_least(1), at_least(2)) == std::nullopt);
  CHECK(is_beyond(fall, at_least(2), exactly(1)) == true);
  CHECK(is_beyond(fall, at_least(1), exactly(1)) == std::nullopt);
  CHECK(is_beyond(fall, exactly(1), at_least(1)) == false);
  CHECK(is_beyond(fall, exactly(2), at_least(1)) == std::nullopt);
}
