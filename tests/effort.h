#pragma once

namespace xtrace {

/// Sanitizers look at how memory is used, which some of many made-up worlds show as well as all.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif

/// How many of something a test makes or asks.
template <class Count>
constexpr Count effort(Count usual, Count sanitized) {
  return kIsSanitized ? sanitized : usual;
}

}  // namespace xtrace
