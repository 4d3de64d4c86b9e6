#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// The body of a made-up secret. Prefixes and bodies meet at run time only, so that no scanner
/// takes a test for a leak.
inline std::string body(size_t length, std::string_view alphabet = "aB3dE5gH7jK9mN2pQ4sT6vW8xZ") {
  std::string out;
  for (size_t i = 0; i < length; ++i) out += alphabet[(i * 7 + i / 5) % alphabet.size()];
  return out;
}
inline constexpr std::string_view kHex = "0a1b2c3d4e5f6789";

}  // namespace xtrace
