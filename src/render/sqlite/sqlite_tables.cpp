#include "render/sqlite/sqlite_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/lower.h"
#include "base/number.h"
#include "base/overloaded.h"
#include "render/flat.h"
#include "render/json_cells.h"

namespace xtrace {

namespace {

/// Names are ours, so that nothing in them needs to be doubled.
std::string quoted(std::string_view name) {
  return fmt::format("\"{}\"", name);
}

std::string column_name(std::string_view key) {
  std::string name(key);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

/// Lengths of time and amounts are real, so that dividing them never drops decimals. Where any
/// value is allowed, each keeps its own type.
std::string_view type_of(CellKind kind) {
  switch (kind) {
    case CellKind::integer:
    case CellKind::boolean: return " INTEGER";
    case CellKind::number:
    case CellKind::milliseconds: return " REAL";
    case CellKind::entries: return "";
    default: return " TEXT";
  }
}

/// Tables within tables that have a word of their own.
struct Named {
  std::string_view parent, key, name;
};
constexpr Named kNamed[] = {{"nodes", "tool_uses", "tools"},
                            {"nodes", "tool_results", "tool_results"}};

std::string child_name(std::string_view parent, std::string_view key) {
  for (const Named& named : kNamed)
    if (named.parent == parent && named.key == key) return std::string(named.name);
  return fmt::format("{}_{}", parent, column_name(key));
}

/// The columns of a row one after another; lists and objects as JSON.
class Row {
 public:
  explicit Row(SqliteFile::Statement& insert) : insert_(insert.get()), binding_(insert_) {}
  ~Row() { sqlite3_reset(insert_); }
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;

  bool integer(int64_t number) { return binding_.all(number); }
  bool text(std::string_view text) { return binding_.text(text); }
  bool cell(const Cell& cell) {
    return std::visit(
        Overloaded{[&](std::monostate) { return binding_.null(); },
                   [&](std::nullptr_t) { return binding_.null(); },
                   [&](bool truth) { return binding_.all(int64_t{truth}); },
                   [&](int64_t number) { return binding_.all(number); },
                   [&](double number) { return binding_.all(number); },
                   [&](Dollars amount) { return binding_.all(number_in(format_dollars(amount))); },
                   [&](Duration) { return binding_.all(number_in(json_of(cell))); },
                   [&](Moment moment) { return kept(format_time(moment)); },
                   [&](Text text) { return binding_.text(text.view()); },
                   [&](const auto&) { return kept(json_of(cell)); }},
        cell);
  }
  bool write() { return sqlite3_step(insert_) == SQLITE_DONE; }

 private:
  static std::string json_of(const Cell& cell) {
    std::string json;
    append_json(json, cell);
    return json;
  }
  /// What JSON says, as who reads it gets it.
  static double number_in(std::string_view json) {
    double number = 0;
    read_double(json, number);
    return number;
  }
  bool kept(std::string text) { return binding_.text(texts_.emplace_back(std::move(text))); }

  sqlite3_stmt* insert_;
  SqliteBinding binding_;
  std::deque<std::string> texts_;
};

}  // namespace

std::string SqliteTables::lower_name(std::string_view name) {
  return lower(name);
}

std::string SqliteTables::unused(std::string name) {
  const std::string wanted = name;
  for (int copy = 2; !names_.insert(lower(name)).second; ++copy)
    name = fmt::format("{}_{}", wanted, copy);
  return name;
}

SqliteTables::SqlTable* SqliteTables::make(const std::string& name, std::string_view parent,
                                           std::span<const Column> columns) {
  SqlTable& table = tables_.emplace_back();
  table.name = unused(name);
  std::set<std::string> taken;
  std::vector<std::string> defined;
  auto add = [&](const std::string& wanted, std::string_view type) {
    std::string column = wanted;
    for (int copy = 2; !taken.insert(lower(column)).second; ++copy)
      column = fmt::format("{}_{}", wanted, copy);
    defined.push_back(quoted(column) + std::string(type));
    table.columns.push_back(std::move(column));
  };
  add("row", " INTEGER PRIMARY KEY");
  table.is_child = !parent.empty();
  if (table.is_child) add(fmt::format("{}_row", parent), " INTEGER NOT NULL");
  std::vector<size_t> nested;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].kind == CellKind::rows && !columns[i].of.empty()) {
      nested.push_back(i);
      continue;
    }
    add(column_name(columns[i].key), type_of(columns[i].kind));
    table.cells.push_back(i);
  }
  if (!file_.run(fmt::format("CREATE TABLE {} ({})", quoted(table.name), fmt::join(defined, ", "))))
    return nullptr;
  std::string marks = "?";
  for (size_t i = 1; i < defined.size(); ++i) marks += ", ?";
  table.insert =
      file_.prepare(fmt::format("INSERT INTO {} VALUES ({})", quoted(table.name), marks));
  if (table.insert == nullptr) return nullptr;
  for (size_t i : nested) {
    SqlTable* child = make(child_name(table.name, columns[i].key), table.name, columns[i].of);
    if (child == nullptr) return nullptr;
    table.children.emplace(i, child);
  }
  return &table;
}

bool SqliteTables::add_row(SqlTable& table, int64_t parent, std::span<const Cell> row) {
  {
    Row out(table.insert);
    if (!out.integer(++table.rows) || (table.is_child && !out.integer(parent))) return false;
    for (size_t i : table.cells)
      if (!out.cell(row[i])) return false;
    if (!out.write()) return false;
  }
  return add_children(table, row);
}

bool SqliteTables::add_children(SqlTable& table, std::span<const Cell> row) {
  const int64_t parent = table.rows;
  for (auto& [at, child] : table.children) {
    const Table* const* rows = std::get_if<const Table*>(&row[at]);
    if (rows == nullptr || *rows == nullptr) continue;
    for (size_t i = 0; i < (*rows)->rows(); ++i)
      if (!add_row(*child, parent, (*rows)->row(i))) return false;
  }
  return true;
}

bool SqliteTables::add_pair(std::string_view key, const Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) return true;
  if (head_ == nullptr) {
    static constexpr Column kPair[] = {{"key", ""}, {"value", "", CellKind::entries}};
    head_ = make("answer", {}, kPair);
    if (head_ == nullptr) return false;
  }
  Row out(head_->insert);
  return out.integer(++head_->rows) && out.text(key) && out.cell(cell) && out.write();
}

bool SqliteTables::add_to_head(std::span<const Column> columns, std::span<const Cell> row) {
  for (size_t i = 0; i < columns.size(); ++i)
    if (!add_pair(columns[i].key, row[i])) return false;
  return true;
}

bool SqliteTables::add(const Document& document) {
  bool is_sound = true;
  flat_tables(document, [&](const FlatTable& flat) {
    if (!is_sound) return;
    if (flat.name.empty() && flat.group.empty()) {
      flat.rows([&](size_t, std::span<const Cell> row) {
        is_sound = is_sound && add_to_head(flat.columns, row);
      });
      return;
    }
    // Of several answers in one, each is a row, and their tables say of which they are.
    const bool is_member = flat.name.empty();
    SqlTable* table = make(std::string(is_member ? flat.group : flat.name),
                           is_member ? std::string_view() : flat.group, flat.columns);
    is_sound = table != nullptr;
    flat.rows([&](size_t nth, std::span<const Cell> row) {
      if (is_member && table != nullptr) table->rows = static_cast<int64_t>(nth) - 1;
      is_sound = is_sound && add_row(*table, static_cast<int64_t>(nth), row);
    });
  });
  if (is_sound && document.closing() != nullptr) {
    CellArena arena;
    const std::vector<Cell> cells = document.closing()->cells(arena);
    is_sound = add_to_head(document.closing()->columns, cells);
  }
  return is_sound;
}

bool SqliteTables::index_children() const {
  return std::all_of(tables_.begin(), tables_.end(), [&](const SqlTable& table) {
    return !table.is_child || file_.run(fmt::format("CREATE INDEX {} ON {} ({})",
                                                    quoted(table.name + "_by_" + table.columns[1]),
                                                    quoted(table.name), quoted(table.columns[1])));
  });
}

bool SqliteTables::has(std::string_view table, std::span<const std::string_view> columns) const {
  for (const SqlTable& known : tables_) {
    if (known.name != table) continue;
    return std::all_of(columns.begin(), columns.end(), [&](std::string_view column) {
      return std::find(known.columns.begin(), known.columns.end(), column) != known.columns.end();
    });
  }
  return false;
}

}  // namespace xtrace
