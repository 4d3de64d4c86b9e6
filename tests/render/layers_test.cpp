#include "render/chart/layers.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("what follows stands behind all that it follows") {
  const Layers layers = layers_of(4, {{0, 1}, {1, 2}, {0, 2}, {2, 3}});
  CHECK(layers.layer == std::vector<uint32_t>{0, 1, 2, 3});
  CHECK(layers.rows.size() == 4);
}

TEST_CASE("nodes stand where fewest lines cross") {
  // 0 leads to 3, and 1 to 2: the second layer turns around.
  const Layers layers = layers_of(4, {{0, 3}, {1, 2}});
  REQUIRE(layers.rows.size() == 2);
  const std::vector<uint32_t>&first = layers.rows[0], &second = layers.rows[1];
  CHECK((first[0] == 0) == (second[0] == 3));
}

TEST_CASE("a circle is laid out as if it were open") {
  const Layers layers = layers_of(3, {{0, 1}, {1, 2}, {2, 0}, {1, 1}});
  CHECK(layers.layer == std::vector<uint32_t>{0, 1, 2});
}

TEST_CASE("layers of nothing are none, and of what has no links one") {
  CHECK(layers_of(0, {}).rows.empty());
  CHECK(layers_of(3, {}).rows == std::vector<std::vector<uint32_t>>{{0, 1, 2}});
}

TEST_CASE("a long chain is laid out without recursion") {
  std::vector<Layers::Edge> edges;
  constexpr uint32_t kNodes = 30'000;  // more than a stack has room for, and soon done
  for (uint32_t i = 1; i < kNodes; ++i) edges.emplace_back(i - 1, i);
  CHECK(layers_of(kNodes, edges).layer.back() == kNodes - 1);
}
