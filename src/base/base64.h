#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// `bytes` in base64 (RFC 4648, 4), with padding.
std::string base64(std::string_view bytes);

}  // namespace xtrace
