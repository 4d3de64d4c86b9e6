#include "link/reach/cause_graph.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <tuple>

using namespace xtrace;

namespace {

/// Some nodes that others may have led to, each link as sure as the number says.
CauseGraph graph_of(size_t nodes, std::vector<std::tuple<uint32_t, uint32_t, double>> links) {
  std::vector<CauseLink> all;
  uint32_t row = 0;
  for (const auto& [from, to, confidence] : links) all.push_back({from, to, confidence, row++, 0});
  return {nodes, std::move(all)};
}

std::vector<uint32_t> only_through(const CauseGraph& graph, std::vector<uint32_t> from) {
  const std::vector<bool> only = find_only_through(graph, find_reached(graph, from), from);
  std::vector<uint32_t> nodes;
  for (uint32_t i = 0; i < only.size(); ++i)
    if (only[i]) nodes.push_back(i);
  return nodes;
}

/// Links only lead on, so there are no circles; some nodes are beginnings.
CauseGraph random_graph(std::mt19937& random, size_t nodes) {
  std::vector<std::tuple<uint32_t, uint32_t, double>> links;
  for (uint32_t to = 1; to < nodes; ++to)
    for (uint32_t n = random() % 4; n > 0; --n)
      links.emplace_back(random() % to, to, 0.05 * static_cast<double>(1 + random() % 20));
  return graph_of(nodes, std::move(links));
}

/// The nodes from which `to` can be reached without `left_out`, by following all ways.
bool has_way(const CauseGraph& graph, uint32_t to, uint32_t left_out) {
  if (to == left_out) return false;
  const std::span<const uint32_t> causes = graph.causes_of(to);
  return causes.empty() || std::ranges::any_of(causes, [&](uint32_t link) {
           return has_way(graph, graph[link].from, left_out);
         });
}

/// The largest product on any way.
double best_way(const CauseGraph& graph, uint32_t from, uint32_t to) {
  if (from == to) return 1;
  double best = 0;
  for (uint32_t link : graph.causes_of(to))
    best = std::max(best, graph[link].confidence * best_way(graph, from, graph[link].from));
  return best;
}

using Nodes = std::vector<uint32_t>;

}  // namespace

TEST_CASE("what two causes led to is reached from each, and only through what both come from") {
  //  0 → 1 → 3 → 4
  //    ↘ 2 ↗
  const CauseGraph graph =
      graph_of(5, {{0, 1, 1}, {0, 2, 1}, {1, 3, 0.9}, {2, 3, 0.8}, {3, 4, 0.5}});
  CHECK(find_reached(graph, Nodes{1}).nodes == Nodes{3, 4});
  CHECK(only_through(graph, {1}).empty());
  CHECK(only_through(graph, {0}) == Nodes{1, 2, 3, 4});
  CHECK(only_through(graph, {1, 2}) == Nodes{3, 4});
  const Dominators tree(graph);
  CHECK(tree.chain(4) == Nodes{0, 3});
  CHECK(tree.chain(0).empty());
  CHECK(tree.common(1, 2) == 0);
  CHECK(tree.dominates(3, 4));
  CHECK_FALSE(tree.dominates(1, 4));
}

TEST_CASE("the surest path is a lower bound, and all paths together an upper one") {
  const CauseGraph graph = graph_of(4, {{0, 1, 0.5}, {0, 2, 0.8}, {1, 3, 1}, {2, 3, 0.5}});
  const Reached reached = find_reached(graph, Nodes{0});
  CHECK(reached.best[3] == Approx(0.5));
  CHECK(graph[reached.last_link[3]].from == 1);
  CHECK(reached.upper[3] == Approx(1 - 0.5 * 0.6));
  CHECK(reached.distance[3] == 2);
}

TEST_CASE("several links between two nodes are one, as sure as the surest of them") {
  std::vector<CauseLink> links = {{0, 1, 0.4, 7, 3}, {0, 1, 0.9, 8, 1}, {1, 1, 1, 9, 0}};
  const CauseGraph graph(2, std::move(links));
  REQUIRE(graph.links().size() == 1);
  CHECK(graph[0].row == 8);
  CHECK(graph[0].confidence == 0.9);
  CHECK(graph[0].strength == 3);
}

TEST_CASE("a link that closes a circle is left out, and what comes after the circle is kept") {
  const CauseGraph graph = graph_of(4, {{0, 1, 1}, {1, 2, 1}, {2, 1, 1}, {2, 3, 1}});
  CHECK(graph.left_out() == 1);
  CHECK(find_reached(graph, Nodes{0}).nodes == Nodes{1, 2, 3});
  const CauseGraph circle = graph_of(3, {{1, 2, 1}, {2, 1, 1}, {2, 0, 1}});
  CHECK(circle.left_out() == 1);
  CHECK(find_reached(circle, Nodes{1}).nodes == Nodes{2, 0});
}

TEST_CASE("what only a rival of a link would lead to is possible; rivals of one link add up") {
  //  0 → 3, or else 1 → 3 or 2 → 3; 3 → 4
  const CauseGraph graph = graph_of(5, {{0, 3, 0.4}, {3, 4, 0.5}});
  const std::vector<CauseRival> rivals = {{1, 3, 0.3, 0}, {2, 3, 0.3, 0}};
  const Nodes from = {1, 2};
  const std::vector<Possible> possible = find_possible(graph, find_reached(graph, from), rivals);
  REQUIRE(possible.size() == 2);
  CHECK(possible[0].node == 3);
  CHECK(possible[0].confidence == Approx(0.6));
  CHECK(possible[1].node == 4);
  CHECK(possible[1].confidence == Approx(0.3));
  CHECK(find_possible(graph, find_reached(graph, Nodes{0}), rivals).empty());
}

TEST_CASE("in any graph, dominators are what removal shows, and bounds hold") {
  std::mt19937 random(59);
  for (int round = 0; round < 150; ++round) {
    const size_t count = 2 + random() % 9;
    const CauseGraph graph = random_graph(random, count);
    const Dominators tree(graph);
    CAPTURE(round);
    for (uint32_t node = 0; node < count; ++node) {
      const Nodes from = {node};
      const Reached reached = find_reached(graph, from);
      const std::vector<bool> only = find_only_through(graph, reached, from);
      for (uint32_t other = 0; other < count; ++other) {
        if (other == node) continue;
        const bool is_cut_off = !has_way(graph, other, node);
        CHECK(only[other] == is_cut_off);
        CHECK(tree.dominates(node, other) == is_cut_off);
        CHECK(find_causes(graph, Nodes{other})[node] == reached.has(other));
        if (!reached.has(other)) continue;
        CHECK(reached.best[other] == Approx(best_way(graph, node, other)));
        CHECK(reached.upper[other] >= reached.best[other] - 1e-12);
      }
    }
  }
}

TEST_CASE("long chains that join again and again take no longer for each joint") {
  // A walk up the tree at each joint would take 10¹⁰ steps.
  constexpr uint32_t kLong = 100'000;
  std::vector<CauseLink> links;
  for (uint32_t i = 1; i < kLong; ++i) links.push_back({i - 1, i, 1, i, 0});
  for (uint32_t i = kLong; i < 2 * kLong; ++i) {
    links.push_back({kLong - 1, i, 1, i, 0});
    links.push_back({0, i, 1, i, 0});
  }
  const CauseGraph graph(2 * kLong, std::move(links));
  const Dominators tree(graph);
  CHECK(tree.chain(2 * kLong - 1) == Nodes{0});
  CHECK(tree.chain(kLong - 1).size() == kLong - 1);
}
