#pragma once

#include <cstddef>
#include <cstdint>

namespace xtrace {

// The format of columns, for their writer and their reader.

/// Each further row takes a byte, so that a few bytes cannot request all memory.
inline constexpr size_t kRowsForNothing = 1 << 16;

/// `recent`: one number means that there is none; others are differences from the last number that
/// there was, which are often 0.
enum class ColumnEncoding : uint8_t { same, plain, differences, scaled_differences, recent };

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
