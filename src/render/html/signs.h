#pragma once

#include <string>
#include <vector>

#include "render/chart/chart.h"

namespace xtrace {

/// What marks and links of a page's timeline may have that hue does not tell: `↻ retry`. Only what
/// occurs in it.
std::vector<std::string> signs_of(const Chart& chart);

}  // namespace xtrace
