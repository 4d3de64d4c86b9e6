#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "view/stats/stats.h"

namespace xtrace {

/// What may be spent in a day, a week or a month: `--budget 50/day`.
struct Budget {
  int64_t limit = kNoCount;  ///< in billionths of a dollar; kNoCount: none was given
  StatsBy per = StatsBy::day;
};
/// An amount in dollars, and behind a slash the period; without one it is for a day.
Result<Budget> read_budget(std::string_view text);

/// A period in which more was spent.
struct Overspent {
  std::string period;  ///< see period_of()
  Usage usage;
};
/// In order of time. Usage without a time is in no period.
std::vector<Overspent> overspent(const Stats& stats, const Budget& budget);
/// Is the cost of a period that kept to the budget only partly known?
bool has_unknown_costs(const Stats& stats);

/// The answer of `report`: the groups of `--by` with what they add up to, and nothing else.
void add_report_tables(const Stats& stats, const Budget& budget, Document& document);
void add_report_outlines(const Stats& stats, const Budget& budget, std::span<const Text> foot,
                         Document& document);
/// Its tables without their rows.
std::vector<Section> report_sections();

}  // namespace xtrace
