#pragma once

#include <cstdint>
#include <string>

namespace xtrace {

/// A count as an eye compares them: `950`, `1.2k`, `38.4k`, `123k`, `12.2M`.
std::string show_count(int64_t number);

}  // namespace xtrace
