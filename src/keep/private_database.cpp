#include "keep/private_database.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <ostream>

#include "base/file.h"
#include "base/text.h"
#include "keep/output.h"

namespace xtrace {

namespace {

/// Returns errno, 0 if it was made; EEXIST: another program made one.
Result<int> make_database(const std::string& path, const SqliteTable& table,
                          const std::function<Status(SqliteFile&)>& work) {
  Result<SqliteFile> made = SqliteFile::in_memory(path);
  if (!made) return tl::unexpected(made.error());
  if (Status changed = made->change(table, [&] { return work(*made); }); !changed)
    return tl::unexpected(changed.error());
  return write_new(kCurrentFolder, path, Readers::owner, [&](std::ostream& out) {
    if (!made->write(out)) out.setstate(std::ios::badbit);
  });
}

}  // namespace

Status change_private_database(const std::string& path, std::chrono::milliseconds patience,
                               const SqliteTable& table,
                               const std::function<Status(SqliteFile&)>& work) {
  if (!file_status(path) && errno == ENOENT) {
    const Result<int> error = make_database(path, table, work);
    if (!error) return tl::unexpected(error.error());
    if (*error == 0) return {};
    if (*error != EEXIST) return cannot_write(path, *error);
  }
  Result<SqliteFile> file = SqliteFile::open(path, patience);
  if (!file) return tl::unexpected(file.error());
  return file->change(table, [&]() -> Status {
    // Journals have the permissions of their database.
    if (const int error = make_private(path); error != 0)
      return fail(Exit::output,
                  fmt::format("cannot make '{}' readable only by you: {}; nothing was "
                              "changed; use another file",
                              printable(path), std::strerror(error)));
    return work(*file);
  });
}

}  // namespace xtrace
