#pragma once

#include "view/calls/call_fields.h"

namespace xtrace {

/// The flow from the results of each tool into the arguments of later ones, over all shown calls.
/// Empty: no call has read a result.
Table tool_flows(const CallScene& scene);
std::span<const Column> tool_flow_columns();

}  // namespace xtrace
