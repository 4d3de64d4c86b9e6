#include "base/newlines.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace xtrace {

size_t count_newlines(std::string_view text) {
  using Bytes16 [[gnu::vector_size(16)]] = uint8_t;
  size_t newlines = 0;
  while (text.size() >= sizeof(Bytes16)) {
    Bytes16 counts{};
    // As many as a byte can count.
    const size_t blocks = std::min<size_t>(text.size() / sizeof(Bytes16), UINT8_MAX);
    for (size_t i = 0; i < blocks; ++i) {
      Bytes16 bytes;
      std::memcpy(&bytes, text.data() + i * sizeof bytes, sizeof bytes);
      counts -= bytes == '\n';  // -1 where it holds
    }
    for (size_t lane = 0; lane < sizeof(Bytes16); ++lane) newlines += counts[lane];
    text.remove_prefix(blocks * sizeof(Bytes16));
  }
  return newlines + static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace xtrace
