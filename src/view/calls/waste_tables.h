#pragma once

#include <string_view>
#include <vector>

#include "link/waste/waste.h"
#include "view/calls/call_fields.h"

namespace xtrace {

/// What all of them cost, as one object.
Record waste_sum(std::string_view name, std::span<const Waste> found);
/// A row for each, in `findings`.
Table waste_table(const CallScene& scene, std::span<const Waste> found);
/// Both without rows.
std::vector<Section> waste_sections(std::string_view name_of_sum);

}  // namespace xtrace
