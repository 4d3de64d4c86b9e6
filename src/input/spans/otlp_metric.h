#pragma once

#include "input/common/json.h"
#include "input/common/shard.h"
#include "input/spans/span_tags.h"

namespace xtrace {

/// Does a metric count money, by its unit (`USD`, `{USD}`) or its name (`opencost.cost.usd`,
/// `claude_code.cost.usage`)?
bool counts_money(json::element metric);

/// Adds the points of a metric of OpenTelemetry's that tells what steps are described by, whose key
/// is `key` (remark_names.h), as measurements. `resource`: what stands around it, or nullptr.
void read_measurements(std::string_view key, json::element metric, const Extent& place,
                       const SpanTags* resource, Shard& shard);

}  // namespace xtrace
