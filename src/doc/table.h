#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/dollars.h"
#include "base/time.h"
#include "redact/door.h"

namespace xtrace {

struct Table;
struct Entries;

/// A list of names inside one cell.
using Texts = std::vector<Text>;
using TextLists = std::vector<Texts>;
using Integers = std::vector<int64_t>;

/// A JSON value of the input as a JsonWriter wrote it, with what the Door replaced in it: for
/// formats whose readers expect the value itself, and not its text.
struct JsonText {
  Text json;
};

/// One value to be shown. The type says what it means; how a moment, a length of time or an amount
/// of money looks is each renderer's own affair. monostate: unknown, left out; nullptr: known to be
/// nothing.
using Cell = std::variant<std::monostate, std::nullptr_t, bool, int64_t, double, Moment, Duration,
                          Dollars, Text, const Texts*, const TextLists*, const Integers*,
                          const Table*, const Entries*, JsonText>;

/// An object whose keys are not ours: `{"k": 8, "depth": 2}`.
struct Entries {
  std::vector<std::pair<Text, Cell>> items;
  void add(Text key, Cell value);
};

/// What a column holds, for readers, schemas and the manual.
enum class CellKind : uint8_t {
  text,
  text_or_null,
  integer,
  number,
  boolean,
  moment,
  milliseconds,
  texts,
  text_lists,
  integers,
  rows,
  entries
};

/// The meaning of a column, by which renderers find it whatever its key or title is.
enum class Role : uint8_t { none, status, errors, duration, waited, cost, tokens, input, output };

constexpr CellKind kind_of(Role role) {
  switch (role) {
    case Role::errors:
    case Role::tokens:
    case Role::input:
    case Role::output: return CellKind::integer;
    case Role::duration:
    case Role::waited: return CellKind::milliseconds;
    case Role::cost: return CellKind::number;
    default: return CellKind::text;
  }
}

/// A field of the answer, part of the stable output.
struct Column {
  constexpr Column() = default;
  constexpr Column(std::string_view its_key, std::string_view its_help,
                   CellKind its_kind = CellKind::text, bool is_always = false,
                   std::span<const Column> rows = {}, Role its_role = Role::none)
      : key(its_key), help(its_help), kind(its_kind), role(its_role), always(is_always), of(rows) {}
  constexpr Column(std::string_view its_key, std::string_view its_help, Role its_role,
                   bool is_always = false)
      : Column(its_key, its_help, kind_of(its_role), is_always, {}, its_role) {}

  std::string_view key;  ///< a dot opens an object: `tokens.input`
  std::string_view
      help;  ///< in the schema, and in answers that describe it; empty if the key says it
  CellKind kind = CellKind::text;
  Role role = Role::none;
  bool always = false;              ///< never absent
  std::span<const Column> of = {};  ///< the columns of the rows in this cell
};

/// Rows of cells, in the order of the columns; dotted keys of one object stand side by side.
struct Table {
  std::string_view name;
  std::span<const Column> columns;
  std::vector<Cell> cells{};
  size_t rows() const { return columns.empty() ? 0 : cells.size() / columns.size(); }
  std::span<const Cell> row(size_t at) const {
    return std::span(cells).subspan(at * columns.size(), columns.size());
  }
};

/// A table whose rows are made while they are written: a million of them need no more memory than
/// one.
struct Stream {
  using Write = std::function<void(std::span<const Cell>)>;
  std::string_view name;
  std::span<const Column> columns;
  std::function<void(const Write& write)> rows;  ///< calls `write` with one row after another
};

/// One object: a table of one row. Without a name its keys stand at the top level.
struct Record {
  Table table;
};

}  // namespace xtrace
