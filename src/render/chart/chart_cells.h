#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

#include "doc/document.h"

namespace xtrace {

/// Where a row has what an answer calls by one of several keys.
class CellKey {
 public:
  /// The first of `keys` that is one of `columns`.
  CellKey(std::span<const Column> columns, std::initializer_list<std::string_view> keys);

  const Cell& in(std::span<const Cell> row) const;
  bool is_there() const { return at_ != SIZE_MAX; }
  size_t column() const { return at_; }

 private:
  size_t at_ = SIZE_MAX;
};

// What a cell says; kUnknown of chart.h, or an empty text, where it does not.

std::string_view text_of(const Cell& cell);
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
