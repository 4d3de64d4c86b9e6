#pragma once

#include <xxhash.h>

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

}  // namespace xtrace
