#pragma once

#include <array>
#include <cstdint>
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
enum class Role : uint8_t {
  none,
  level,   ///< of redaction, in the head of an answer
  node,    ///< the id, or ids, of nodes in the graph behind the answer
  detail,  ///< of a node: shown when it is selected
  // A node:
  id,
  parent,
  children,
  members,   ///< of a summary
  previous,  ///< in its conversation
  place,
  session,
  task,
  turn,
  start,
  duration,
  waited,
  waited_for,
  agent,
  agent_type,
  agent_colour,  ///< as the log has it: `#RRGGBB` or a name
  service,
  name,
  kind,  ///< of hop
  model,
  status,
  error,
  errors,
  tokens,
  input,
  output,
  cache_read,
  cache_write,
  output_is_low,
  cost,
  cost_is_partial,
  subtree_cost,
  subtree_unpriced,
  subtree_partial,
  on_critical_path,
  prompt,
  reply,
  tool_uses,
  permission,  ///< wait for it
  error_text,  ///< of a tool, what it reported
  arguments,
  targets,
  // An edge, and some nodes:
  source,
  target,
  type,
  count,
  method,
  confidence,
  evidence,
  alternatives,
  is_error,
  last = is_error
};

constexpr CellKind kind_of(Role role) {
  switch (role) {
    case Role::turn:
    case Role::errors:
    case Role::tokens:
    case Role::input:
    case Role::output:
    case Role::cache_read:
    case Role::cache_write:
    case Role::subtree_unpriced:
    case Role::subtree_partial:
    case Role::count: return CellKind::integer;
    case Role::duration:
    case Role::waited:
    case Role::permission: return CellKind::milliseconds;
    case Role::cost:
    case Role::subtree_cost:
    case Role::confidence: return CellKind::number;
    case Role::output_is_low:
    case Role::cost_is_partial:
    case Role::on_critical_path:
    case Role::is_error: return CellKind::boolean;
    case Role::start: return CellKind::moment;
    case Role::children:
    case Role::members:
    case Role::targets: return CellKind::texts;
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

/// Finds the cells of a row by the roles of its columns.
class RoleColumns {
 public:
  explicit RoleColumns(std::span<const Column> columns);

  bool has(Role role) const { return at_[static_cast<size_t>(role)] != kNone; }
  /// The first that exists of these columns; an empty cell where there is none.
  const Cell& in(std::span<const Cell> row, Role role, Role otherwise = Role::none) const;

 private:
  static constexpr size_t kNone = SIZE_MAX;
  std::array<size_t, static_cast<size_t>(Role::last) + 1> at_;
};
/// Empty if the cell is no text.
std::string_view text_of(const Cell& cell);

/// Rows of cells, in the order of the columns; dotted keys of one object are adjacent.
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

/// One object: a table of one row. Without a name, its keys are at the top level.
struct Record {
  Table table;
};

}  // namespace xtrace
