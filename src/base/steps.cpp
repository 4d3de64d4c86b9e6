#include "base/steps.h"

namespace xtrace {

#ifdef XTRACE_COUNT_STEPS

static thread_local uint64_t steps = 0;

/// The compiler calls it at the beginning of each piece of code.
extern "C" __attribute__((no_sanitize_coverage, no_sanitize_address)) void
__sanitizer_cov_trace_pc() {  // NOLINT(bugprone-reserved-identifier)
  ++steps;
}

uint64_t steps_taken() {
  return steps;
}

#else

uint64_t steps_taken() {
  return 0;
}

#endif

}  // namespace xtrace
