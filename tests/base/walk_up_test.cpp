#include "base/walk_up.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

using Items = std::vector<size_t>;
constexpr size_t kNone = SIZE_MAX;

Items order_of(const Items& above) {
  Items order;
  visit_top_down(
      above.size(), [&](size_t i) { return above[i]; }, [&](size_t i) { order.push_back(i); });
  return order;
}

Items broken_in(Items above) {
  Items broken;
  break_circles(
      above.size(), [&](size_t i) { return above[i]; },
      [&](size_t i) {
        broken.push_back(i);
        above[i] = kNone;
      });
  return broken;
}

}  // namespace

TEST_CASE("what is above an item is visited before it, each item once") {
  CHECK(order_of({}).empty());
  CHECK(order_of({2, 0, kNone, 1}) == Items{2, 0, 1, 3});
  CHECK(order_of({1, 2, 0}) == Items{2, 1, 0});  // a circle
}

TEST_CASE("each circle is broken once, where it was met first") {
  CHECK(broken_in({2, 0, kNone, 1}).empty());
  CHECK(broken_in({1, 2, 1, 3}) == Items{1, 3});
}
