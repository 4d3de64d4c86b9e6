#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "doc/document.h"

namespace xtrace {

/// A column and how to fill it: all there is to say about a field of the output stands in one
/// place.
template <class Row>
struct Field {
  Column column;
  Cell (*get)(const Row& row);
};

template <class Row>
std::vector<Column> columns_of(std::span<const Field<Row>> fields) {
  std::vector<Column> columns;
  for (const Field<Row>& field : fields) columns.push_back(field.column);
  return columns;
}

template <class Row>
void add_row(std::span<const Field<Row>> fields, const Row& row, Table& table) {
  for (const Field<Row>& field : fields) table.cells.push_back(field.get(row));
}

// Cells for values that may be unknown.
inline Cell known(int64_t count) {
  return count < 0 ? Cell() : Cell(count);
}
inline Cell known(Duration length) {
  return length == kNoDuration ? Cell() : Cell(length);
}
inline Cell known(Moment moment) {
  return moment.time == kNoTime ? Cell() : Cell(moment);
}
inline Cell known(Text text) {
  return text.empty() ? Cell() : Cell(text);
}
/// Left out unless true.
inline Cell if_true(bool truth) {
  return truth ? Cell(true) : Cell();
}

}  // namespace xtrace
