#pragma once

#include <cstdint>
#include <string_view>

namespace xtrace {

/// MurmurHash3 of 32 bits, with the seed 0: other tools name texts by it.
uint32_t murmur3_of(std::string_view text);

}  // namespace xtrace
