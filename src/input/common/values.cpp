#include "input/common/values.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace xtrace {

namespace {

/// Bytes of `text`, which begins inside a string, up to and including its closing quote; npos if it
/// does not close. Long strings are passed at the speed of memchr.
size_t end_of_string(std::string_view text) {
  for (size_t at = text.find('"'); at != std::string_view::npos; at = text.find('"', at + 1)) {
    size_t backslashes = 0;
    while (backslashes < at && text[at - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return at + 1;
  }
  return std::string_view::npos;
}

using Bytes16 [[gnu::vector_size(16)]] = uint8_t;

/// A bit for each byte of a comparison that holds, the first byte's lowest.
uint64_t bits_of(Bytes16 is_equal) {
#ifdef __SSE2__
  return static_cast<uint32_t>(_mm_movemask_epi8(std::bit_cast<__m128i>(is_equal)));
#else
  const auto halves = std::bit_cast<std::array<uint64_t, 2> >(is_equal);
  // The product moves the lowest bit of byte i to bit 56 + i.
  const auto bits = [](uint64_t half) {
    return (half & 0x0101010101010101U) * 0x0102040810204080U >> 56;
  };
  return bits(halves[0]) | bits(halves[1]) << 8;
#endif
}

constexpr size_t kBlock = 64;

/// What 64 bytes have that decides where a value ends, a bit for each byte.
struct BlockSigns {
  uint64_t quotes = 0, backslashes = 0, opens = 0, closes = 0;

  explicit BlockSigns(const char* begin) {
    constexpr uint8_t kToBrace = '{' ^ '[';
    for (size_t at = 0; at < kBlock; at += sizeof(Bytes16)) {
      Bytes16 bytes;
      std::memcpy(&bytes, begin + at, sizeof bytes);
      const Bytes16 braces = bytes | kToBrace;
      quotes |= bits_of(bytes == '"') << at;
      backslashes |= bits_of(bytes == '\\') << at;
      opens |= bits_of(braces == '{') << at;
      closes |= bits_of(braces == '}') << at;
    }
  }
};

/// Without the instruction, which not every x86-64 processor has, std::popcount() is a call.
size_t count_bits(uint64_t bits) {
  bits -= bits >> 1 & 0x5555555555555555U;
  bits = (bits & 0x3333333333333333U) + (bits >> 2 & 0x3333333333333333U);
  return ((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fU) * 0x0101010101010101U >> 56;
}

/// Bit i: are there an odd number of bits up to i?
uint64_t odd_up_to(uint64_t bits) {
  for (int width = 1; width < 64; width *= 2) bits ^= bits << width;
  return bits;
}

}  // namespace

size_t ValueScanner::pass_block(uint64_t quotes, uint64_t opens, uint64_t closes) {
  const uint64_t in_strings = odd_up_to(quotes) ^ (in_string_ ? ~uint64_t{0} : 0);
  in_string_ = (in_strings >> 63) != 0;
  opens &= ~in_strings;
  closes &= ~in_strings;
  opened_ |= opens != 0;
  const size_t closed_here = count_bits(closes);
  if (depth_ > closed_here) {
    depth_ += count_bits(opens) - closed_here;
    return 0;
  }
  for (uint64_t left = opens | closes; left != 0; left &= left - 1) {
    if ((opens & left & -left) != 0) {
      ++depth_;
    } else if (depth_ > 0 && --depth_ == 0) {
      in_string_ = false;
      return static_cast<size_t>(std::countr_zero(left)) + 1;
    }
  }
  return 0;
}

size_t ValueScanner::feed(std::string_view bytes) {
  size_t at = 0, by_block = 0;
  if (in_string_ && escaped_ && !bytes.empty()) {  // the backslash was the last byte before
    escaped_ = false;
    at = 1;
  }
  while (at < bytes.size()) {
    if (at >= by_block && bytes.size() - at >= kBlock) {
      const BlockSigns signs(bytes.data() + at);
      // Escapes are rare, and a string of many blocks is passed faster by its bytes.
      if (signs.backslashes == 0 && (!in_string_ || signs.quotes != 0)) {
        if (const size_t end = pass_block(signs.quotes, signs.opens, signs.closes)) return at + end;
        at += kBlock;
        continue;
      }
      by_block = at + kBlock;
    }
    if (in_string_) {
      size_t length = end_of_string(bytes.substr(at));
      if (length == std::string_view::npos) {
        size_t text_end = bytes.find_last_not_of('\\');
        size_t backslashes = bytes.size() - (text_end == std::string_view::npos ? 0 : text_end + 1);
        escaped_ = std::min(backslashes, bytes.size() - at) % 2 == 1;
        return bytes.size();
      }
      in_string_ = false;
      at += length;
      continue;
    }
    char c = bytes[at++];
    if (c == '"') {
      in_string_ = true;
    } else if (c == '{' || c == '[') {
      opened_ = true;
      ++depth_;
    } else if ((c == '}' || c == ']') && depth_ > 0 && --depth_ == 0) {
      return at;
    }
  }
  return bytes.size();
}

}  // namespace xtrace
