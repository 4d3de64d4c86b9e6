#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/id.h"

namespace xtrace {

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

}  // namespace xtrace
