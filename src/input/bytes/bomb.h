#pragma once

#include <cstdint>

namespace xtrace {

// What no log does, and bombs must do to be any. Logs of agents repeat themselves: a conversation
// sent again with each of its thousand turns packs 261:1 with gzip and 4800:1 with zstd. Zeros and
// blanks pack 1030:1 and 32,000:1. And each record tells at least its own id and time, so that it
// cannot be packed into less than a byte, which copies of one record can.
inline constexpr uint64_t kFreeToUnpack = 64 << 20;  ///< so much harms nobody
inline constexpr uint64_t kMostOfGzip = 600, kMostOfZstd = 10'000;

/// So many bytes that came out of so many others, of an archive that packs at most `most` to one.
constexpr bool unpacks_like_a_bomb(uint64_t unpacked, uint64_t packed, uint64_t most) {
  return unpacked > kFreeToUnpack && unpacked / most > packed;
}

}  // namespace xtrace
