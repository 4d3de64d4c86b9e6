#pragma once

#include <cstdint>

namespace xtrace {

class Graph;
class Payloads;

/// How many tools answers in spans of models ask for of which no span of a tool tells. Reads all of
/// these answers again.
int64_t count_untold_tools(const Graph& graph, const Payloads& payloads);

}  // namespace xtrace
