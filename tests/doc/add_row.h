#pragma once

#include <catch2/catch.hpp>
#include <initializer_list>

#include "doc/table.h"

namespace xtrace {

/// Fills a row of a test's table; the program fills rows by fields, which cannot miss a cell.
inline void add_row(Table& table, std::initializer_list<Cell> row) {
  REQUIRE(row.size() == table.columns.size());
  table.cells.insert(table.cells.end(), row);
}

}  // namespace xtrace
