#pragma once

#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace xtrace {

/// A table of ours. More columns than these do no harm; another key would make an update something
/// else.
struct SqliteTable {
  std::string_view name;
  const char* create;  ///< the statement that makes it
  std::span<const std::string_view> columns;
  std::span<const std::string_view> keys;  ///< its primary key, in order
  int version;                             ///< PRAGMA user_version of a database that holds it
};

/// PRAGMA application_id of an answer that is a database: "xtrc".
inline constexpr int64_t kAnswerApplication = 0x78747263;

/// An SQLite database that others may read and write at the same time. It may come from anywhere.
class SqliteFile {
 public:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  using Statement = std::unique_ptr<sqlite3_stmt, Close>;

  /// One that is there, if only as an empty file. Another writer is waited for, so long.
  static Result<SqliteFile> open(const std::string& path, std::chrono::milliseconds patience);

  /// One that is there; it is not written to.
  static Result<SqliteFile> open_to_read(const std::string& path);

  /// One in memory that is not written to; the bytes must outlive it.
  static Result<SqliteFile> open_bytes(std::string_view bytes, const std::string& path);

  /// A new one, in memory alone; `write` makes a file of it, which errors name `path`.
  static Result<SqliteFile> in_memory(const std::string& path = "an answer in memory");

  /// All of it, as it would be in a file. False: there is no memory for a copy.
  bool write(std::ostream& out) const;

  /// A table all of which is stored in the file.
  bool has_table(std::string_view name);

  /// The most bytes that a text made of its rows may have.
  size_t longest_text() const;

  /// PRAGMA application_id: which program's kind of file it is; 0: it does not say.
  int64_t application();

  /// Is the table in it? An error: it is something else, or was made by a newer version.
  Status check(const SqliteTable& table);

  /// Does `work` on the table, which is made where the database is empty: all of it or nothing, and
  /// interrupts wait. A database that is something else, or was made by a newer version, is left as
  /// it is.
  Status change(const SqliteTable& table, const std::function<Status()>& work);

  bool run(const std::string& sql);
  Statement prepare(const std::string& sql);

  tl::unexpected<Error> refused(const std::string& why) const;
  /// Did the last statement fail because the file is not whole, or no database at all?
  bool is_damaged() const;
  /// Of the last call that went wrong.
  tl::unexpected<Error> failed() const;

 private:
  explicit SqliteFile(std::string path) : path_(std::move(path)) {}
  static Result<SqliteFile> open(const std::string& path, std::chrono::milliseconds patience,
                                 int flags);
  Status prepare_table(const SqliteTable& table);
  bool has(const SqliteTable& table);
  std::optional<int64_t> number(const std::string& sql);

  std::string path_;
  bool is_written_ = true;
  std::unique_ptr<sqlite3, Close> database_;
};

/// Binds the values of a row one after another; text is bound, never part of a statement.
class SqliteBinding {
 public:
  explicit SqliteBinding(sqlite3_stmt* statement) : statement_(statement) {}
  template <class... Values>
  bool all(const Values&... values) {
    return (bind(values) && ...);
  }
  /// Must live until the row is written.
  bool text(std::string_view text) {
    return sqlite3_bind_text64(statement_, ++at_, text.data() == nullptr ? "" : text.data(),
                               text.size(), SQLITE_STATIC, SQLITE_UTF8) == SQLITE_OK;
  }
  bool null() { return sqlite3_bind_null(statement_, ++at_) == SQLITE_OK; }

 private:
  bool bind(const std::string& text) {
    return sqlite3_bind_text64(statement_, ++at_, text.data(), text.size(), SQLITE_STATIC,
                               SQLITE_UTF8) == SQLITE_OK;
  }
  bool bind(int64_t number) { return sqlite3_bind_int64(statement_, ++at_, number) == SQLITE_OK; }
  bool bind(double number) { return sqlite3_bind_double(statement_, ++at_, number) == SQLITE_OK; }
  template <class Value>
  bool bind(const std::optional<Value>& value) {
    return value ? bind(*value) : sqlite3_bind_null(statement_, ++at_) == SQLITE_OK;
  }

  sqlite3_stmt* statement_;
  int at_ = 0;
};

}  // namespace xtrace
