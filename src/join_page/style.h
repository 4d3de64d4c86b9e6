#pragma once

#include <string>

namespace xtrace {

/// Fills in the colours that pages share with pictures, at `@HUES@`.
std::string with_hues(std::string style);

/// Writes `light-dark(…)` of the first rule, which browsers from before 2024 do not know, as rules
/// for each theme: what the system prefers, unless `data-theme` of the root says the other. Paper
/// is light.
std::string with_both_themes(const std::string& style);

/// Without comments, and of white space only the blanks that part words.
std::string shortened_style(const std::string& text);

}  // namespace xtrace
