#include "input/parts/whole_file.h"

#include <cerrno>

#include "base/file.h"

namespace xtrace {

Result<std::string> whole_file(const std::string& path) {
  Result<File> file = open_regular(path);
  if (!file) return tl::unexpected(file.error());
  const std::optional<FileStatus> status = file_status(file->fd());
  if (!status) return cannot("read", path, errno);
  std::string bytes(status->bytes, '\0');
  const std::optional<size_t> read = read_at(file->fd(), bytes.data(), bytes.size(), 0);
  if (!read) return cannot("read", path, errno);
  bytes.resize(*read);
  return bytes;
}

}  // namespace xtrace
