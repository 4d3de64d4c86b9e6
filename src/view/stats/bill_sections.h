#pragma once

#include <string_view>
#include <vector>

#include "view/stats/stats.h"

namespace xtrace {

/// A kind of tokens that was paid for, or what nothing says what for.
struct BillLine {
  std::string_view kind, words;  ///< for programs, for people
  int64_t tokens = kNoCount;
  int64_t cost = 0;  ///< in billionths of a dollar; -1: it is part of what is not split
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

// Of a turn or all of the time. Where nothing has a time, a part of it is not known to be 0.
template <class Of>
Cell total_time(const Of& of) {
  return of.total > Duration{0} ? Cell(of.total) : Cell();
}
template <PathPart kPart, class Of>
Cell part_time(const Of& of) {
  return of.total > Duration{0} ? Cell(of.parts[static_cast<size_t>(kPart)]) : Cell();
}

}  // namespace xtrace
