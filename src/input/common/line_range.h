#pragma once

#include <cstdint>

namespace xtrace {

/// Whole lines of a file that stand one behind another.
struct LineRange {
  uint64_t begin = 0, end = 0;  ///< in bytes
  uint32_t line = 0;            ///< the number of the first, from 1
};

}  // namespace xtrace
