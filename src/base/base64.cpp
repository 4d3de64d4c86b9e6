#include "base/base64.h"

#include <openssl/evp.h>

#include "base/digits.h"

namespace xtrace {

std::string base64(std::string_view bytes) {
  // EVP_EncodeBlock counts in ints, and a multiple of three needs no padding before the end.
  constexpr size_t kPart = size_t{3} << 20;
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4 + 1);
  for (size_t from = 0; from < bytes.size(); from += kPart) {
    const std::string_view part = bytes.substr(from, kPart);
    const size_t at = text.size();
    text.resize(at + (part.size() + 2) / 3 * 4 + 1);  // and a zero at its end
    const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data() + at),
                                       reinterpret_cast<const unsigned char*>(part.data()),
                                       static_cast<int>(part.size()));
    text.resize(at + static_cast<size_t>(length));
  }
  return text;
}

std::string base64_bytes(std::string_view text, size_t most) {
  std::string bytes;
  uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const int digit = base64_digit(c);
    if (digit < 0 || bytes.size() == most) break;
    bits = bits << 6 | static_cast<uint32_t>(digit);
    if ((held += 6) < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 0xff);
  }
  return bytes;
}

}  // namespace xtrace
