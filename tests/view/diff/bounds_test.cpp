#include "view/diff/bounds.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

JudgedThreshold bound(const std::string& text, MeasuredFigure before, MeasuredFigure now) {
  Result<std::vector<Threshold>> read = read_bounds({text});
  REQUIRE(read);
  JudgedThreshold bound{read->front(), before, now, {}};
  bound.is_broken = is_beyond(bound.threshold, before, now);
  return bound;
}

}  // namespace

TEST_CASE("a bound says what a figure was and is, and whether it moved too far") {
  CHECK(sentence_of(bound("cost=+20%", {0.1}, {0.15})) ==
        "cost: $0.1000 → $0.1500, +50% (limit +20%): FAILED");
  CHECK(sentence_of(bound("calls=+5", {10}, {12})) == "calls: 10 → 12, +2 (limit +5): passed");
  CHECK(sentence_of(bound("duration=+2s", {1.5}, {2.5})) ==
        "duration: 1.5s → 2.5s, +1.0s (limit +2s): passed");
}

TEST_CASE("what is not on record is no pass") {
  const JudgedThreshold unknown = bound("cost=+20%", {std::nullopt}, {0.15});
  CHECK(sentence_of(unknown) ==
        "cost: not recorded → $0.1500 (limit +20%): cannot be checked, because a figure is not "
        "recorded");
  CHECK(any_fails({unknown}));
  CHECK(any_fails({bound("calls=+5", {10}, {12}), bound("errors=+0", {0}, {1})}));
  CHECK_FALSE(any_fails({bound("calls=+5", {10}, {12})}));
  CHECK_FALSE(any_fails({}));
}

TEST_CASE("a sum of which a part is not on record is told as such, and is no pass") {
  const JudgedThreshold low = bound("cost=+20%", {0.1}, {0.11, true});
  CHECK(sentence_of(low) ==
        "cost: $0.1000 → ≥$0.1100 (limit +20%): cannot be checked, because incomplete records make "
        "these figures lower bounds; a limit on calls or duration can be checked");
  CHECK(any_fails({low}));
  CHECK(sentence_of(bound("cost=+20%", {0.1}, {0.15, true})) ==
        "cost: $0.1000 → ≥$0.1500, at least +50% (limit +20%): FAILED");
}

TEST_CASE("what is not a bound is said with the option's name") {
  Result<std::vector<Threshold>> read = read_bounds({"price=+20%"});
  REQUIRE_FALSE(read);
  CHECK(read.error().exit == Exit::usage);
  CHECK(read.error().what.starts_with("--fail-if: "));
}
