#pragma once

#include <algorithm>

#include "facts/call.h"

namespace xtrace {

/// Can this be a sum that has the earlier one in it?
inline bool is_at_least(const Tokens& sum, const Tokens& earlier) {
  return sum.input >= earlier.input && sum.output >= earlier.output &&
         sum.cache_read >= earlier.cache_read && sum.cache_creation >= earlier.cache_creation &&
         sum.cache_creation_1h >= earlier.cache_creation_1h;
}

/// What came since. What is not counted in the sum stays so.
inline Tokens difference(Tokens sum, const Tokens& earlier) {
  const auto take_off = [](int64_t& count, int64_t before) {
    if (count >= 0) count -= std::max<int64_t>(before, 0);
  };
  take_off(sum.input, earlier.input);
  take_off(sum.output, earlier.output);
  take_off(sum.cache_read, earlier.cache_read);
  take_off(sum.cache_creation, earlier.cache_creation);
  take_off(sum.cache_creation_1h, earlier.cache_creation_1h);
  return sum;
}

}  // namespace xtrace
