#pragma once

#include <initializer_list>
#include <stdexcept>

#include "doc/table.h"

namespace xtrace {

/// Fills a row of a test's table; the program fills rows by fields, which cannot miss a cell.
inline void add_row(Table& table, std::initializer_list<Cell> row) {
  if (row.size() != table.columns.size())
    throw std::logic_error("a row needs one cell for each column");
  table.cells.insert(table.cells.end(), row);
}

}  // namespace xtrace
