#include "base/deferred_signals.h"

namespace xtrace {

// WASI has no signals.
struct DeferredSignals::Before {};
DeferredSignals::DeferredSignals() = default;
DeferredSignals::~DeferredSignals() = default;

}  // namespace xtrace
