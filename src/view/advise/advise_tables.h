#pragma once

#include <vector>

#include "link/waste/waste.h"
#include "view/calls/call_fields.h"

namespace xtrace {

/// The findings as tables.
void add_waste_tables(const CallScene& scene, const std::vector<Waste>& found, Document& document);
/// The same without rows.
std::vector<Section> waste_sections();

}  // namespace xtrace
