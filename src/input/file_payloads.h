#pragma once

#include <memory>

#include "facts/payloads.h"
#include "facts/trace.h"

namespace xtrace {

/// Goes back to the files that the trace was read from; it must outlive what is returned.
std::unique_ptr<const Payloads> file_payloads(const Trace& trace);

}  // namespace xtrace
