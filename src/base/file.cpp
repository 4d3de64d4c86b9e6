#include "base/file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/text.h"

namespace xtrace {

Result<File> open_to_read(const std::string& path) {
  File file = open_file(path, Access::read);
  if (!file.is_open()) return cannot("open", path, errno);
  return file;
}

Result<File> open_regular(const std::string& path) {
  File file = open_file(path, Access::read_now);
  if (!file.is_open()) return cannot("open", path, errno);
  const std::optional<FileStatus> status = file_status(file.fd());
  if (!status) return cannot("open", path, errno);
  if (status->is_folder()) return cannot("read", path, EISDIR);
  if (!status->is_regular()) return cannot("read", path, ESPIPE);
  return file;
}

tl::unexpected<Error> cannot(std::string_view verb, std::string_view path, int error) {
  if (path == "-" && error == EBADF)
    return fail(Exit::input, "standard input is closed; name a file or pipe a log in");
  return fail(Exit::input,
              fmt::format("cannot {} '{}': {}", verb, printable(path), std::strerror(error)));
}

tl::unexpected<Error> cannot_write(const std::string& path, int error) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(path).parent_path();
  std::error_code unknown;
  const bool has_no_folder = error == ENOENT && !folder.empty() && !fs::exists(folder, unknown);
  // Folders such as /proc exist and refuse every new file as if they did not.
  const std::string why = error != ENOENT ? std::string(std::strerror(error))
                          : has_no_folder
                              ? fmt::format("there is no folder '{}'", printable(folder.string()))
                              : fmt::format("no file can be created in '{}'",
                                            printable(folder.empty() ? "." : folder.string()));
  return fail(Exit::output, fmt::format("cannot write '{}': {}", printable(path), why));
}

}  // namespace xtrace
