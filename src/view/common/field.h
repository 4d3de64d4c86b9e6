#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/one_of.h"
#include "doc/document.h"
#include "facts/call.h"

namespace xtrace {

/// A column and the function that fills it, so that a field of the output is defined in one place.
template <class Row>
struct Field {
  using RowType = Row;
  Column column;
  Cell (*get)(const Row& row);
};

template <auto kMember>
struct MemberOf;
template <class Row, class Value, Value Row::*kMember>
struct MemberOf<kMember> {
  static Cell get(const Row& row) { return Cell(row.*kMember); }
};
/// Fills a field with a member of its row: `{{"at", "where it is recorded"},
/// member<&Warning::at>}`.
template <auto kMember>
inline constexpr auto member = &MemberOf<kMember>::get;

/// What the fields of an array are of.
template <class Fields>
using RowIn = typename std::remove_cvref_t<decltype(std::declval<const Fields&>()[0])>::RowType;

/// The same column in a table where every row has a value.
constexpr Column always(Column column) {
  column.always = true;
  return column;
}

/// The columns of an array of fields.
template <const auto& kFields>
inline constexpr auto kColumnsOf = [] {
  std::array<Column, std::size(kFields)> columns;
  for (size_t i = 0; i < columns.size(); ++i) columns[i] = kFields[i].column;
  return columns;
}();
template <const auto& kFields>
constexpr std::span<const Column> columns_of() {
  return kColumnsOf<kFields>;
}

/// Adds a row to a table that has the columns of these fields.
template <class Fields>
void add_fields(const Fields& fields, const RowIn<Fields>& row, Table& table) {
  for (const auto& field : fields) table.cells.push_back(field.get(row));
}

/// A table without rows, that has the columns of these fields.
template <const auto& kFields>
Table table_of(std::string_view name) {
  return {name, columns_of<kFields>()};
}

/// An object with these fields; without a name, its keys are at the top level.
template <const auto& kFields>
Record record_of(std::string_view name, const RowIn<decltype(kFields)>& row) {
  Record record{table_of<kFields>(name)};
  add_fields(kFields, row, record.table);
  return record;
}

/// The fields of several arrays, one after another.
template <class... Fields>
constexpr auto joined_fields(const Fields&... fields) {
  using First = std::tuple_element_t<0, std::tuple<Fields...>>;
  using One = Field<RowIn<First>>;
  std::array<One, ((sizeof(Fields) / sizeof(One)) + ...)> all{};
  auto next = all.begin();
  ((next = std::copy(std::begin(fields), std::end(fields), next)), ...);
  return all;
}

/// The fields of a part of a row as fields of the row; the part is a member, or what a member
/// function returns: `fields_in<&TurnRow::sum, kSums>`.
template <auto kPart, const auto& kFields>
inline constexpr auto fields_in =
    []<class Row, class Part, size_t... kAt>(Part Row::*, std::index_sequence<kAt...>) {
      return std::array{Field<Row>{kFields[kAt].column, [](const Row& row) {
                                     return kFields[kAt].get(std::invoke(kPart, row));
                                   }}...};
    }(kPart, std::make_index_sequence<std::size(kFields)>());

/// Writes the rows of a Stream one after another. The lists and the texts that were put together
/// for a row are gone when it is written.
template <class Row>
class Rows {
 public:
  Rows(std::span<const Field<Row>> fields, Door& door, const Stream::Write& write)
      : fields_(fields), door_(door), write_(write), mark_(door.composed_so_far()) {}

  /// For the cells of the row at hand.
  CellArena& arena() { return arena_; }
  /// If the row has a place(), the Door gets it as the place of the texts that pass for this row.
  void write(const Row& row) {
    std::optional<Door::At> at;
    if constexpr (requires { row.place(); }) at.emplace(door_, row.place());
    cells_.clear();
    for (const Field<Row>& field : fields_) cells_.push_back(field.get(row));
    write_(cells_);
    arena_.clear();
    door_.forget_composed(mark_);
  }

 private:
  std::span<const Field<Row>> fields_;
  Door& door_;
  const Stream::Write& write_;
  size_t mark_;
  CellArena arena_;
  std::vector<Cell> cells_;
};

/// A few fields of a thing in a picture, for databases.
template <class Row>
class Properties {
 public:
  Properties(std::span<const Field<Row>> fields, std::initializer_list<std::string_view> keys) {
    for (const Field<Row>& field : fields)
      if (is_one_of(field.column.key, keys)) fields_.push_back(&field);
  }

  /// Those that are known.
  Entries of(const Row& row) const {
    Entries entries;
    for (const Field<Row>* field : fields_)
      if (Cell cell = field->get(row); !std::holds_alternative<std::monostate>(cell))
        entries.add(Door::own(field->column.key), cell);
    return entries;
  }

 private:
  std::vector<const Field<Row>*> fields_;
};

/// Adds what an object holds under its name, `params.k`: databases find and compare values, and an
/// object would be one text to most of them.
void add_parts(std::string_view name, const Entries& parts, Door& door, Entries& entries);

// Cells for values that may be unknown; monostate where they are.
Cell known(int64_t count);
Cell known(Duration length);
Cell known(Moment moment);
Cell known(Text text);
/// Of an amount in billionths of a dollar.
Cell dollars(int64_t billionths);
/// Since 1970: the unit of Jaeger, and of every field that ends in `_ts` or `_us`.
Cell microseconds(Time time);
Cell microseconds(Duration length);
/// Rounds to thousandths: further digits of a share or a mean mean nothing.
double thousandths(double number);
/// Compares what answers print.
bool reaches(double confidence, double least);
/// Left out where there are none.
Cell some(int64_t count);
Cell some(Texts texts, CellArena& arena);
Cell some(Table table, CellArena& arena);
/// Left out unless true.
Cell if_true(bool truth);

}  // namespace xtrace
