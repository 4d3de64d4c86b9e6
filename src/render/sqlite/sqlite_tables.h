#pragma once

#include <deque>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "doc/document.h"
#include "sqlite/sqlite_file.h"

namespace xtrace {

/// The tables of an answer as those of a database, by the names and columns that its JSON has: a
/// dot becomes `_`, and rows within a row become a table of their own, whose first column says
/// which row of the other they belong to.
class SqliteTables {
 public:
  explicit SqliteTables(SqliteFile& file) : file_(file) {}

  /// False: the database failed, as it does where there is no memory left.
  bool add(const Document& document);

  /// By the rows they belong to, those within rows.
  bool index_children() const;

  /// Does the database have a table of this name with all of these columns?
  bool has(std::string_view table, std::span<const std::string_view> columns) const;
  /// Has it an object of this name, in whichever case?
  bool has(std::string_view table) const { return names_.contains(lower_name(table)); }

 private:
  struct SqlTable {
    std::string name;
    std::vector<std::string> columns;      ///< those before the ones of the answer too
    std::vector<Column> of;                ///< those of the answer that have a column here
    std::vector<size_t> cells;             ///< their places in a row
    std::map<size_t, SqlTable*> children;  ///< by the cell that holds their rows
    bool is_child = false;
    int64_t rows = 0;
    SqliteFile::Statement insert{};
  };

  static std::string lower_name(std::string_view name);
  std::string unused(std::string name);
  SqlTable* make(const std::string& name, std::string_view parent, std::span<const Column> columns);
  bool add_row(SqlTable& table, int64_t parent, std::span<const Cell> row);
  bool add_children(SqlTable& table, std::span<const Cell> row);
  bool add_to_head(std::span<const Column> columns, std::span<const Cell> row);
  bool add_pair(std::string_view key, const Cell& cell);

  SqliteFile& file_;
  std::deque<SqlTable> tables_;
  std::set<std::string, std::less<>> names_;  ///< in lower case, because SQL ignores case
  SqlTable* head_ = nullptr;                  ///< of keys and values
};

}  // namespace xtrace
