#pragma once

#include <functional>
#include <string>
#include <vector>

#include "link/waste/waste.h"

namespace xtrace {

/// What is found in a log, with the graph that it is found in.
void find_waste_in(const std::string& log,
                   const std::function<void(const Graph&, const std::vector<Waste>&)>& look);

/// `loop 3`, a line each: what is found in a log, and how often.
std::string found_in(const std::string& log, double least = 0);

/// What `say` records about each that is found in a log, a line each.
std::string wastes_in(const std::string& log, const std::function<std::string(const Waste&)>& say);

}  // namespace xtrace
