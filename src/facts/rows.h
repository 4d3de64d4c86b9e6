#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/id.h"

namespace xtrace {

/// A position in the table of such rows that is kept as a plain number: the first of several.
template <class Row>
struct RowIndex {
  uint32_t& at;
};

/// The first place from `begin` on where `is_before(place)` is false, if it is true for all places
/// before it; near ones are found first. `end`: it is true for all.
template <class IsBefore>
size_t gallop(size_t begin, size_t end, IsBefore is_before) {
  size_t step = 1;
  while (begin + step <= end && is_before(begin + step - 1)) begin += step, step *= 2;
  end = std::min(end, begin + step - 1);
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    if (is_before(middle))
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

/// The rows of a table, sorted by message, that belong to one. Rows are spread over messages evenly
/// enough for a guess of where they are, which halving has to come to from far away.
template <class Row>
std::span<const Row> rows_of(const std::vector<Row>& table, MessageId message) {
  if (table.empty() || table.back().message < message) return {table.end(), table.end()};
  const uint64_t last = table.size() - 1, most = table.back().message.index;
  const size_t guess = static_cast<size_t>(last * message.index / (most + 1));
  const auto is_before = [&](size_t row) { return table[row].message < message; };
  const auto is_not_before = [&](size_t back) { return !is_before(guess - back - 1); };
  const size_t begin = is_before(guess) ? gallop(guess + 1, table.size(), is_before)
                                        : guess - gallop(0, guess, is_not_before);
  const size_t end =
      gallop(begin, table.size(), [&](size_t row) { return !(message < table[row].message); });
  return std::span(table).subspan(begin, end - begin);
}
/// Those of them that belong to one of the message's tool uses, counted from 0: such tables are
/// sorted by use, too.
template <class Row>
std::span<const Row> rows_of_use(const std::vector<Row>& table, MessageId message, size_t use) {
  struct ByUse {
    bool operator()(const Row& row, size_t nth) const { return row.use < nth; }
    bool operator()(size_t nth, const Row& row) const { return nth < row.use; }
  };
  const std::span<const Row> beside = rows_of(table, message);
  auto [begin, end] = std::equal_range(beside.begin(), beside.end(), use, ByUse{});
  return {begin, end};
}
/// The same as rows_of(), to be changed.
template <class Row>
std::span<Row> rows_to_change(std::vector<Row>& table, MessageId message) {
  const std::span<const Row> found = rows_of(table, message);
  return std::span(table).subspan(static_cast<size_t>(found.data() - table.data()), found.size());
}

}  // namespace xtrace
