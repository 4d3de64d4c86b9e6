#pragma once

#include <string>
#include <string_view>

namespace xtrace {

std::string gzipped(std::string_view text);
/// `window_bits`: as `zstd --long=N` does from a pipe; 0: as zstd chooses for a text this long.
std::string zstd_packed(std::string_view text, int window_bits = 0);

}  // namespace xtrace
