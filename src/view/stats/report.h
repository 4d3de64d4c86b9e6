#pragma once

#include <span>

#include "view/stats/budget.h"

namespace xtrace {

/// The answer of `report`: the groups of `--by` with what they add up to, and nothing else.
void add_report_tables(const Stats& stats, const Budget& budget, Document& document);
void add_report_outlines(const Stats& stats, const Budget& budget, std::span<const Text> foot,
                         Document& document);
/// Its tables without their rows.
std::vector<Section> report_sections();

}  // namespace xtrace
