#include "doc/page.h"

#include <catch2/catch.hpp>
#include <string>

using namespace xtrace;

namespace {

const std::string kLine(20, 'x');

/// `count` boxes, each below the one before, or all below the first.
Blueprint boxes(uint32_t count, bool in_chain) {
  Blueprint blueprint;
  for (uint32_t at = 0; at < count; ++at) {
    blueprint.add_box(std::vector<std::string_view>{kLine});
    if (at > 0) blueprint.arrows.push_back({in_chain ? at - 1 : 0, at});
  }
  return blueprint;
}

}  // namespace

TEST_CASE("a chain is long the way its arrows lead, a fan the other way") {
  PaperSize down = size_of(boxes(10, true), false), right = size_of(boxes(10, true), true);
  CHECK(down.height > 3 * down.width);
  CHECK(right.width > 3 * right.height);
  CHECK(size_of(boxes(10, false), false).width > 1500);
  CHECK(size_of(boxes(10, false), true).width < 600);
}

TEST_CASE("arrows lead to where the picture fits a page, down if both fit") {
  CHECK(direction_for(boxes(5, true), Direction::automatic) == Direction::down);
  CHECK(direction_for(boxes(30, false), Direction::automatic) == Direction::right);
  CHECK(direction_for(boxes(30, false), Direction::down) == Direction::down);
  CHECK(fits_page(boxes(30, false), Direction::automatic));
  CHECK_FALSE(fits_page(boxes(30, false), Direction::down));
  CHECK_FALSE(fits_page(boxes(300, false), Direction::automatic));
}

TEST_CASE("rings and boxes that lead to themselves have a size, too") {
  Blueprint ring = boxes(3, true);
  ring.arrows.push_back({2, 0});
  ring.arrows.push_back({1, 1});
  CHECK(size_of(ring, false).height > 50);
  CHECK(size_of({}, false).width == 0);
}
