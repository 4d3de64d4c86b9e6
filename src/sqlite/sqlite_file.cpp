#include "sqlite/sqlite_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <map>
#include <ostream>

#include "base/deferred_signals.h"
#include "base/file.h"
#include "base/text.h"

namespace xtrace {

Result<SqliteFile> SqliteFile::open(const std::string& path, std::chrono::milliseconds patience) {
  return open(path, patience, SQLITE_OPEN_READWRITE);
}

Result<SqliteFile> SqliteFile::open_to_read(const std::string& path) {
  return open(path, std::chrono::seconds(5), SQLITE_OPEN_READONLY);
}

Result<SqliteFile> SqliteFile::open_bytes(std::string_view bytes, const std::string& path) {
  SqliteFile file(path);
  file.is_written_ = false;
  sqlite3* database = nullptr;
  int code = sqlite3_open_v2(":memory:", &database, SQLITE_OPEN_READWRITE, nullptr);
  file.database_.reset(database);
  if (code != SQLITE_OK) return file.failed();
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  // A text made of rows is hardly longer than they are, whatever a hostile schema joins: escapes
  // double it, and a small file gets a megabyte more.
  constexpr sqlite3_int64 kLongest = INT_MAX, kTimes = 4, kSmall = 1 << 20;
  const sqlite3_int64 size = static_cast<sqlite3_int64>(bytes.size());
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH,
                static_cast<int>(std::min(kLongest, kSmall + kTimes * size)));
  // It takes a pointer to bytes that may change, and does not change them.
  unsigned char* start = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
  if (sqlite3_deserialize(database, "main", start, size, size, SQLITE_DESERIALIZE_READONLY) !=
      SQLITE_OK)
    return file.failed();
  return file;
}

size_t SqliteFile::longest_text() const {
  return static_cast<size_t>(sqlite3_limit(database_.get(), SQLITE_LIMIT_LENGTH, -1));
}

Result<SqliteFile> SqliteFile::in_memory(const std::string& path) {
  SqliteFile file(path);
  sqlite3* database = nullptr;
  const int code = sqlite3_open_v2(":memory:", &database, SQLITE_OPEN_READWRITE, nullptr);
  file.database_.reset(database);
  if (code != SQLITE_OK) return file.failed();
  return file;
}

bool SqliteFile::write(std::ostream& out) const {
  struct Free {
    void operator()(unsigned char* bytes) const { sqlite3_free(bytes); }
  };
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, Free> bytes(
      sqlite3_serialize(database_.get(), "main", &size, 0));
  if (bytes == nullptr) return false;
  out.write(reinterpret_cast<const char*>(bytes.get()), size);
  return true;
}

int64_t SqliteFile::application() {
  return number("PRAGMA application_id").value_or(0);
}

bool SqliteFile::has_table(std::string_view name) {
  // Generated columns and virtual tables make what no file stores: a text of any length from
  // nothing.
  Statement select = prepare(
      "SELECT 1 FROM sqlite_schema AS t WHERE type = 'table' AND rootpage > 0 AND name = ? AND NOT "
      "EXISTS (SELECT 1 FROM pragma_table_xinfo(t.name) WHERE hidden = 2)");
  return select != nullptr && SqliteBinding(select.get()).all(std::string(name)) &&
         sqlite3_step(select.get()) == SQLITE_ROW;
}

Result<SqliteFile> SqliteFile::open(const std::string& path, std::chrono::milliseconds patience,
                                    int flags) {
  SqliteFile file(path);
  file.is_written_ = flags != SQLITE_OPEN_READONLY;
  // A name like ":memory:" or "file:x?mode=memory" means a file here, as everywhere else.
  std::string name = path.starts_with('/') ? path : "./" + path;
  sqlite3* database = nullptr;
  int code = sqlite3_open_v2(name.c_str(), &database, flags, nullptr);
  file.database_.reset(database);
  if (code != SQLITE_OK) return file.failed();
  sqlite3_extended_result_codes(database, 1);
  sqlite3_busy_timeout(database, static_cast<int>(patience.count()));
  // The file may come from anywhere: what its schema calls must be harmless.
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  return file;
}

Status SqliteFile::change(const SqliteTable& table, const std::function<Status()>& work) {
  // From here on no other writer can come between looking and writing.
  if (!run("BEGIN IMMEDIATE")) return failed();
  // A journal that remained would keep others from reading.
  const DeferredSignals deferred;
  Status done = prepare_table(table);
  if (done) done = work();
  if (done && !run("COMMIT")) done = failed();
  if (!done) run("ROLLBACK");
  return done;
}

Status SqliteFile::prepare_table(const SqliteTable& table) {
  std::optional<int64_t> version = number("PRAGMA user_version");
  std::optional<int64_t> tables = number("SELECT count(*) FROM sqlite_schema");
  if (!version || !tables) return failed();
  if (*tables > 0 || *version > table.version) return check(table);
  bool made = run(table.create) && run(fmt::format("PRAGMA user_version = {}", table.version));
  return made ? Status() : failed();
}

Status SqliteFile::check(const SqliteTable& table) {
  std::optional<int64_t> version = number("PRAGMA user_version");
  if (!version) return failed();
  if (*version > table.version)
    return refused(
        fmt::format("was made by a newer xtrace (table version {}, supported version {}); use the "
                    "newer xtrace, or another file",
                    *version, table.version));
  if (!has(table))
    return refused(fmt::format(
        "is not an xtrace database: its table {} is missing or different; use another file",
        table.name));
  return {};
}

bool SqliteFile::has(const SqliteTable& table) {
  std::map<std::string, int64_t, std::less<>> found;
  Statement columns =
      prepare(fmt::format("SELECT name, pk FROM pragma_table_info('{0}') "
                          "WHERE (SELECT type FROM sqlite_schema WHERE name = '{0}') = 'table'",
                          table.name));
  size_t key_columns = 0;
  while (columns != nullptr && sqlite3_step(columns.get()) == SQLITE_ROW) {
    const unsigned char* name = sqlite3_column_text(columns.get(), 0);
    int64_t place = sqlite3_column_int64(columns.get(), 1);
    if (name != nullptr) found[reinterpret_cast<const char*>(name)] = place;
    key_columns += place > 0;
  }
  for (std::string_view column : table.columns)
    if (!found.contains(column)) return false;
  for (size_t i = 0; i < table.keys.size(); ++i)
    if (found.find(table.keys[i])->second != static_cast<int64_t>(i) + 1) return false;
  return key_columns == table.keys.size();
}

bool SqliteFile::run(const std::string& sql) {
  return sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
}

SqliteFile::Statement SqliteFile::prepare(const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &statement, nullptr);
  return Statement(statement);
}

std::optional<int64_t> SqliteFile::number(const std::string& sql) {
  Statement statement = prepare(sql);
  if (statement == nullptr || sqlite3_step(statement.get()) != SQLITE_ROW) return std::nullopt;
  return sqlite3_column_int64(statement.get(), 0);
}

tl::unexpected<Error> SqliteFile::refused(const std::string& why) const {
  if (!is_written_) return fail(Exit::input, fmt::format("'{}' {}", printable(path_), why));
  return fail(Exit::output, fmt::format("'{}' {}; nothing was changed", printable(path_), why));
}

bool SqliteFile::is_damaged() const {
  const int code = sqlite3_errcode(database_.get()) & 0xff;
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

tl::unexpected<Error> SqliteFile::failed() const {
  switch (sqlite3_errcode(database_.get()) & 0xff) {
    case SQLITE_NOTADB: return refused("is not an SQLite database; use another file");
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return refused("is in use by another program; try again later");
    case SQLITE_CANTOPEN:
      if (const int why = sqlite3_system_errno(database_.get()); why != 0)
        return is_written_ ? cannot_write(path_, why) : cannot("read", path_, why);
      break;
    default: break;
  }
  if (!is_written_)
    return fail(Exit::input, fmt::format("cannot read '{}': {}", printable(path_),
                                         printable(sqlite3_errmsg(database_.get()))));
  return fail(Exit::output,
              fmt::format("cannot write '{}': {}; nothing was changed", printable(path_),
                          printable(sqlite3_errmsg(database_.get()))));
}

}  // namespace xtrace
