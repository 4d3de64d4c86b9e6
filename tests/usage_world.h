#pragma once

#include <cstdint>
#include <string>

#include "hop_story.h"
#include "link/graph/graph.h"

namespace xtrace {

/// A made trace whose usage is known: calls of models below agents, chains, workflows, tools and
/// spans of no kind, nested to any depth, any of which may state what all below it used up. Helper
/// agents have no spans of their calls; some calls are seen by two libraries. The same seed makes
/// the same trace.
struct UsageWorld {
  HopStory story;
  // What its statements come to, each token and each dollar once:
  int64_t input = 0, output = 0;
  int64_t cost = 0;  ///< in billionths of a dollar
  int64_t calls = 0;

  /// About so many spans, from 1.
  UsageWorld(uint64_t seed, size_t size);
};

/// What calls that count and what no call accounts for come to.
struct UsageTotal {
  Tokens tokens;
  int64_t cost = 0, calls = 0;
};
UsageTotal total_of(const Graph& graph);
/// Tokens that no call accounts for.
Tokens tokens_beyond_calls(const Graph& graph);

}  // namespace xtrace
