#include "input/parts/whole_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/file.h"

namespace xtrace {

Result<std::string> whole_file(const std::string& path) {
  Result<File> file = open_regular(path);
  if (!file) return tl::unexpected(file.error());
  struct stat status {};
  if (fstat(file->fd(), &status) != 0) return cannot("read", path, errno);
  std::string bytes(static_cast<size_t>(status.st_size), '\0');
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t got =
        pread(file->fd(), bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot("read", path, errno);
    if (got == 0) bytes.resize(at);
    at += static_cast<size_t>(got);
  }
  return bytes;
}

}  // namespace xtrace
