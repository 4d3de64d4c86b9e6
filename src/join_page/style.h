#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// Fills in the colours that pages share with pictures, at `@HUES@`.
std::string with_hues(std::string style);

/// Writes `light-dark(…)` of the first rule, which browsers from before 2024 do not know, as a rule
/// for each theme. The dark one is the second of all, under the condition that the system prefers
/// it: whoever switches turns that condition. Paper is light.
std::string with_both_themes(const std::string& style);

/// A minified style without the rules for classes that the scripts of a page never name.
std::string style_for(std::string_view style, std::string_view scripts);

}  // namespace xtrace
