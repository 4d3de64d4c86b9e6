#pragma once

#include <cstdint>
#include <string>

namespace xtrace {

/// 16 hex digits in small letters.
std::string hex(uint64_t number);

}  // namespace xtrace
