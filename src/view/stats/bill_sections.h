#pragma once

#include <string_view>
#include <vector>

#include "view/stats/stats.h"

namespace xtrace {

/// A kind of tokens that was paid for, or what nothing says what for.
struct BillLine {
  std::string_view kind, words;  ///< for programs, for people
  int64_t tokens = kNoCount;
  int64_t cost = 0;  ///< in billionths of a dollar; -1: it is part of what is not told apart
};
/// Those that are known add up to the cost of bill_of().
std::vector<BillLine> bill_lines(const Stats& stats);
/// All that is shown.
CallSum bill_of(const Stats& stats);

/// The bill and the time as tables. Of spans, the bill by kind alone.
void add_bill_tables(const Stats& stats, Document& document);
void add_time_tables(const Stats& stats, Document& document);
/// The same without rows.
std::vector<Section> bill_sections();
std::vector<Section> time_sections();

/// And as text.
void add_bill_outlines(const Stats& stats, Document& document);
void add_time_outlines(const Stats& stats, Document& document);
/// `3m = 1m waiting for you + 2m model`; empty: no time is recorded.
Text time_sum_line(const Stats& stats);

/// Left out where one of the costs is not known.
Cell paid_for(const BroughtSum::Of& sum, int64_t cost);
void add_part_times(const PartTimes& parts, Duration total, Table& table);

}  // namespace xtrace
