#pragma once

#include <cstddef>
#include <cstdint>

namespace xtrace {

// How columns are written, for who writes them and who reads them.

/// Of more rows each takes a byte, so that a few bytes cannot ask for all the memory there is.
inline constexpr size_t kRowsForNothing = 1 << 16;

/// `recent`: one number means that there is none; others are told by what they differ by from the
/// last that there was, which often is nothing.
enum class Way : uint8_t { same, plain, differences, scaled_differences, recent };

constexpr uint64_t zigzag(uint64_t difference) {
  return (difference << 1) ^ (difference >> 63 != 0 ? ~uint64_t{0} : 0);
}
constexpr uint64_t unzigzag(uint64_t folded) {
  return (folded >> 1) ^ (~(folded & 1) + 1);
}

enum class TextKind : uint8_t { words, id, hex, uuid };

inline constexpr size_t kUuid = 36;
constexpr bool is_dash(size_t at) {
  return at == 8 || at == 13 || at == 18 || at == 23;
}
}  // namespace xtrace
