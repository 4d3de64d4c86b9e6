#include "base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/text.h"

namespace xtrace {

File& File::operator=(File&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

File::~File() {
  if (fd_ > STDERR_FILENO) close(fd_);
}

Result<File> open_to_read(const std::string& path) {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return cannot("open", path, errno);
  return File(fd);
}

tl::unexpected<Error> cannot(std::string_view verb, std::string_view path, int error) {
  return fail(Exit::input,
              fmt::format("cannot {} '{}': {}", verb, printable(path), std::strerror(error)));
}

}  // namespace xtrace
