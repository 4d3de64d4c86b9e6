#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

/// Those of `known` that someone who typed `word` may have meant, at most `most`: names that
/// contain it, or else names the fewest keystrokes away.
std::vector<std::string_view> nearest(std::string_view word,
                                      std::span<const std::string_view> known, size_t most = 3);

/// "; did you mean 'a' or 'b'?", or nothing when nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

}  // namespace xtrace
