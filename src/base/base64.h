#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace xtrace {

/// `bytes` in base64 (RFC 4648, 4), with padding.
std::string base64(std::string_view bytes);

/// The bytes that a text in base64 or base64url encodes, at most `most` of them, up to its first
/// character that is no digit of either.
std::string base64_bytes(std::string_view text, size_t most = SIZE_MAX);

}  // namespace xtrace
