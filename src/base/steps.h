#pragma once

#include <cstdint>

namespace xtrace {

/// How many steps this thread has taken: pieces of code without a branch, counted by the compiler
/// in a build with XTRACE_COUNT_STEPS (preset debug), which takes as many for the same input on
/// every machine; 0 in any other. Tests find by them what grows faster than its input.
uint64_t steps_taken();

}  // namespace xtrace
