#include "render/chart/bands.h"

#include <catch2/catch.hpp>
#include <set>

using namespace xtrace;

namespace {

/// Boxes so many rows below the top, each in its column.
Actors boxes(const std::vector<std::pair<int32_t, int32_t>>& places,
             const std::vector<std::pair<uint32_t, uint32_t>>& calls) {
  Actors actors;
  for (auto [column, row] : places) {
    actors.actors.push_back(
        {.id = {}, .label = {}, .kind = "agent", .x = 16 + column * 300, .y = 16 + row * 56});
    actors.actors.back().width = 168;
    actors.actors.back().height = 34;
    actors.height = std::max(actors.height, actors.actors.back().y + 34 + 16);
  }
  for (auto [from, to] : calls) actors.edges.push_back({.from = from, .to = to});
  lay_bands(actors);
  return actors;
}

/// Points close to each other upon a way.
std::vector<Actors::Point> along(const Actors::Edge& edge) {
  std::vector<Actors::Point> points;
  for (size_t i = 0; i + 3 < edge.way.size(); i += 3)
    for (int step = 0; step <= 50; ++step) {
      const double t = step / 50.0, u = 1 - t;
      const auto mix = [&](int32_t Actors::Point::*of) {
        return static_cast<int32_t>(
            u * u * u * (edge.way[i].*of) + 3 * u * u * t * (edge.way[i + 1].*of) +
            3 * u * t * t * (edge.way[i + 2].*of) + t * t * t * (edge.way[i + 3].*of));
      };
      points.push_back({mix(&Actors::Point::x), mix(&Actors::Point::y)});
    }
  return points;
}

/// Is no box but those at its ends nearer to a band than half of the widest is wide?
bool is_clear(const Actors& actors, const Actors::Edge& edge) {
  constexpr int32_t kHalf = 7;
  for (uint32_t i = 0; i < actors.actors.size(); ++i) {
    if (i == edge.from || i == edge.to) continue;
    const Actors::Actor& box = actors.actors[i];
    for (auto [x, y] : along(edge))
      if (x > box.x && x < box.x + box.width && y > box.y - kHalf && y < box.y + box.height + kHalf)
        return false;
  }
  return true;
}

}  // namespace

TEST_CASE("a band goes past the boxes that stand between its ends, whichever way it leads") {
  const Actors row = boxes({{0, 0}, {1, 0}, {2, 0}, {3, 0}}, {{0, 3}, {3, 0}, {0, 2}, {1, 2}});
  for (const Actors::Edge& edge : row.edges) {
    CHECK(is_clear(row, edge));
    for (auto [x, y] : along(edge)) CHECK((y > 0 && y < row.height));
  }
  std::vector<std::pair<int32_t, int32_t>> places{{0, 4}, {2, 4}};
  for (int32_t i = 0; i < 9; ++i) places.emplace_back(1, i);
  const Actors column = boxes(places, {{0, 1}, {1, 0}});
  for (const Actors::Edge& edge : column.edges) CHECK(is_clear(column, edge));
}

TEST_CASE("bands that leave or reach one box do so beside each other") {
  const Actors actors = boxes({{0, 0}, {1, 0}, {2, 0}}, {{0, 1}, {0, 2}, {1, 2}});
  CHECK(std::abs(actors.edges[0].way.front().y - actors.edges[1].way.front().y) >= 10);
  CHECK(std::abs(actors.edges[1].way.back().y - actors.edges[2].way.back().y) >= 10);
}

TEST_CASE("bands that pass one gap do not merge in it") {
  const Actors actors =
      boxes({{0, 0}, {0, 1}, {0, 2}, {1, 1}, {2, 0}, {2, 1}, {2, 2}}, {{0, 6}, {1, 5}, {2, 4}});
  std::set<int32_t> heights;
  for (const Actors::Edge& edge : actors.edges) {
    CHECK(is_clear(actors, edge));
    heights.insert(edge.way[3].y);
  }
  CHECK(heights.size() == actors.edges.size());
}

TEST_CASE("the number of a band stands upon it, and first where no other band is") {
  const Actors actors = boxes({{0, 0}, {1, 0}, {2, 0}}, {{0, 1}, {0, 2}, {1, 2}});
  for (const Actors::Edge& edge : actors.edges) {
    REQUIRE_FALSE(edge.spots.empty());
    const auto [x, y] = edge.spots.front();
    for (const Actors::Edge& other : actors.edges) {
      int32_t nearest = 1000;
      for (const Actors::Point& point : along(other))
        nearest = std::min(nearest, std::abs(point.x - x) + std::abs(point.y - y));
      if (&other == &edge) CHECK(nearest <= 3);
      if (&other != &edge) CHECK(nearest > 7);
    }
  }
}

TEST_CASE("a call of an agent by itself and one within its column keep beside the column") {
  const Actors actors = boxes({{0, 0}, {0, 1}, {0, 40}, {1, 0}}, {{0, 0}, {0, 2}, {2, 1}});
  for (const Actors::Edge& edge : actors.edges)
    for (auto [x, y] : along(edge)) CHECK((x >= 184 && x < 316));
}
