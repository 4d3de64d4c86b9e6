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

/// The rows of a table, sorted by message, that belong to one.
template <class Row>
std::span<const Row> rows_of(const std::vector<Row>& table, MessageId message) {
  struct ByMessage {
    bool operator()(const Row& row, MessageId id) const { return row.message < id; }
    bool operator()(MessageId id, const Row& row) const { return id < row.message; }
  };
  auto [begin, end] = std::equal_range(table.begin(), table.end(), message, ByMessage{});
  return {begin, end};
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
