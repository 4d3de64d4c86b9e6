#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

std::string gzipped(std::string_view text);
/// `window_bits`: as `zstd --long=N` does from a pipe; 0: as zstd chooses for a text this long.
std::string zstd_packed(std::string_view text, int window_bits = 0);

/// A ZIP archive of these files.
struct ZipFile {
  enum class How { stored, deflated, zstd };
  std::string name, text;
  How how = How::deflated;
  bool is_damaged = false;  ///< its sum is that of something else
};
std::string zipped(const std::vector<ZipFile>& files);

}  // namespace xtrace
