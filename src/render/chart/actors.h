#pragma once

#include <string>
#include <vector>

#include "render/chart/chart.h"

namespace xtrace {

/// Who asked whom, summed up: the user, agents by type, models, tools and resources, in columns
/// from left to right; with the tokens of its edges it is a picture of where they flow.
struct Actors {
  struct Actor {
    std::string id, label;
    std::string kind;  ///< user, agent, model, tool, resource; of a flow: result, arguments, reply
    int32_t x = 0, y = 0, width = 0, height = 0;
  };
  struct Point {
    int32_t x = 0, y = 0;
  };
  struct Edge {
    uint32_t from = 0, to = 0;
    int64_t calls = 0, tokens = 0, cost_nusd = 0, time_us = 0, failed = 0;
    int64_t bytes = 0;          ///< of results; its calls are results then
    bool costs_more = false;    ///< than is known
    bool is_estimated = false;  ///< its tokens are, in part
    bool counts_turns = false;  ///< its calls are turns of the user
    std::vector<Point> way{};   ///< where it begins, then two points it bends to and one it reaches
    std::vector<Point> spots{};  ///< upon it, where its number is read best before the others
  };
  std::vector<Actor> actors;
  std::vector<Edge> edges;
  int32_t width = 0, height = 0;
  uint32_t busiest = 0;  ///< the agent with the most calls
  size_t hidden = 0;     ///< those that take part least, where they are more than kMost

  static constexpr size_t kMost = 60;
};

Actors actors_of(const Chart& chart);
/// Which tools' results went into which later tools: results left, arguments and replies right.
Actors flows_of(const Chart& chart);

}  // namespace xtrace
