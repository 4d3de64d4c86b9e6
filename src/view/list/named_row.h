#pragma once

#include <string>
#include <string_view>

#include "view/calls/costs.h"
#include "view/calls/groups.h"

namespace xtrace {

/// A row of a table, by the keys of its columns.
struct NamedRow {
  const Table& table;
  size_t at;

  const Cell& operator[](std::string_view key) const {
    size_t column = 0;
    while (table.columns[column].key != key) ++column;
    return table.row(at)[column];
  }
  int64_t count(std::string_view key) const {
    const int64_t* number = std::get_if<int64_t>(&(*this)[key]);
    return number == nullptr ? kNoCount : *number;
  }
  int64_t sent() const {
    return sum_of_known(
        {count("tokens.input"), count("tokens.cache_read"), count("tokens.cache_creation")});
  }
};

/// The cost of the row, or with `subtree_` all that it spawned as well.
inline Usage usage_in(const NamedRow& row, std::string_view prefix) {
  Usage usage;
  const std::string of(prefix);
  if (const Dollars* amount = std::get_if<Dollars>(&row[of + "cost_usd"]))
    usage.cost = amount->billionths;
  usage.unpriced = std::max<int64_t>(row.count(of + "unpriced_calls"), 0);
  usage.partly = std::max<int64_t>(row.count(of + "partly_priced_calls"), 0);
  usage.low = std::max<int64_t>(row.count(of + "low_output_calls"), 0);
  return usage;
}

}  // namespace xtrace
