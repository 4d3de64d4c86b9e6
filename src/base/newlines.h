#pragma once

#include <cstddef>
#include <string_view>

namespace xtrace {

/// How many newlines a text has, at several times the speed of std::count().
size_t count_newlines(std::string_view text);

}  // namespace xtrace
