#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "input/common/line_range.h"

namespace xtrace {

/// Calls `each` with the bytes of a file from `begin` to `end`, a block after another.
Status each_block(const std::string& path, uint64_t begin, uint64_t end,
                  const std::function<void(std::string_view)>& each);

/// Of what is in the ranges, one behind another, as 64 hexadecimal digits.
Result<std::string> sha256_of_ranges(const std::string& path, std::span<const LineRange> ranges);

}  // namespace xtrace
