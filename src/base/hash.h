#pragma once

#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace xtrace {

/// 64 bits that name `text`. Equal on every machine; good enough that two different texts of one
/// log do not meet, not a defence against someone who wants them to.
inline uint64_t hash_of(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

/// The name of "`before`, then `next`"; order matters.
inline uint64_t chain(uint64_t before, uint64_t next) {
  const uint64_t both[2] = {before, next};
  return XXH3_64bits(both, sizeof both);
}

/// Two numbers as one key.
constexpr uint64_t pair_of(uint32_t high, uint32_t low) {
  return uint64_t{high} << 32 | low;
}

/// As hash_of(); of a long text of both its ends and places between, so that megabytes are not read
/// twice. Enough to recognize a copy, or other contents at the same place.
inline uint64_t sample_hash_of(std::string_view text) {
  constexpr size_t kWhole = 32 << 10, kEnd = 8 << 10, kBetween = 16, kLooked = 1 << 10;
  if (text.size() <= kWhole) return hash_of(text);
  uint64_t hash = chain(
      text.size(), chain(hash_of(text.substr(0, kEnd)), hash_of(text.substr(text.size() - kEnd))));
  const size_t step = (text.size() - 2 * kEnd - kLooked) / (kBetween - 1);
  for (size_t i = 0; i < kBetween; ++i)
    hash = chain(hash, hash_of(text.substr(kEnd + i * step, kLooked)));
  return hash;
}

}  // namespace xtrace
