#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

#include "doc/document.h"

namespace xtrace {

/// Finds a cell by the key of its column, for the head of a page; nodes and edges have roles.
class CellKey {
 public:
  /// The first of `keys` that is one of `columns`.
  CellKey(std::span<const Column> columns, std::initializer_list<std::string_view> keys);

  const Cell& in(std::span<const Cell> row) const;
  bool is_there() const { return at_ != SIZE_MAX; }

 private:
  size_t at_ = SIZE_MAX;
};

// The value of a cell; kUnknown of chart.h where it has none.

bool truth_of(const Cell& cell);
int64_t count_of(const Cell& cell);
/// Since 1970, with the digits that the answer prints of it, cut off behind the microsecond.
int64_t moment_us(const Cell& cell);
/// To the nearest microsecond.
int64_t length_us(const Cell& cell);
/// What has to be added to that, in nanoseconds.
int16_t finer_ns(const Cell& cell);
int64_t billionths_of(const Cell& cell);
/// Of 10,000; all where nothing is said.
int64_t confidence_of(const Cell& cell);
/// nullptr: no rows.
const Table* rows_of(const Cell& cell);

}  // namespace xtrace
