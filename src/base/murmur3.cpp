#include "base/murmur3.h"

#include <bit>
#include <cstddef>

namespace xtrace {

uint32_t murmur3_of(std::string_view text) {
  constexpr uint32_t kFirst = 0xcc9e2d51, kSecond = 0x1b873593;
  const auto mixed = [](uint32_t block) { return std::rotl(block * kFirst, 15) * kSecond; };
  const auto byte = [&](size_t at) { return uint32_t{static_cast<unsigned char>(text[at])}; };
  uint32_t hash = 0;
  size_t at = 0;
  for (; at + 4 <= text.size(); at += 4) {
    const uint32_t block = byte(at) | byte(at + 1) << 8 | byte(at + 2) << 16 | byte(at + 3) << 24;
    hash = std::rotl(hash ^ mixed(block), 13) * 5 + 0xe6546b64;
  }
  uint32_t rest = 0;
  for (size_t i = text.size(); i-- > at;) rest = rest << 8 | byte(i);
  if (at < text.size()) hash ^= mixed(rest);
  hash ^= static_cast<uint32_t>(text.size());
  hash = (hash ^ hash >> 16) * 0x85ebca6b;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35;
  return hash ^ hash >> 16;
}

}  // namespace xtrace
