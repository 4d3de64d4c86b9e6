#include "base/base64.h"

#include <openssl/evp.h>

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

}  // namespace xtrace
