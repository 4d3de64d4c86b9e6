#include "input/keep.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>

#include "base/text.h"

namespace xtrace {

namespace {

std::string temporary_folder() {
  const char* named = getenv("TMPDIR");
  return named == nullptr || *named == '\0' ? "/tmp" : named;
}

/// For file systems that make no files without a name: nothing may come between making it and
/// taking its name away.
File make_and_unlink(const std::string& folder) {
  std::string name = folder + "/xtrace-XXXXXX";
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  File file(mkostemp(name.data(), O_CLOEXEC));
  int error = errno;
  if (file.fd() >= 0) unlink(name.c_str());
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return file;
}

File make_nameless(const std::string& folder) {
  File file(open(folder.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600));
  bool unsupported = file.fd() < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL);
  return unsupported ? make_and_unlink(folder) : std::move(file);
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t count = write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

tl::unexpected<Error> cannot_keep(const Input& stream, const std::string& folder, int error) {
  return fail(Exit::input,
              fmt::format("cannot keep a copy of '{}' in '{}': {}\n"
                          "name a folder with more room (TMPDIR=FOLDER xtrace ...), or write the "
                          "log to a file and read that",
                          printable(stream.path), printable(folder), std::strerror(error)));
}

}  // namespace

Status keep(Input& stream, Progress& progress) {
  std::string folder = temporary_folder();
  File copy = make_nameless(folder);
  if (copy.fd() < 0) return cannot_keep(stream, folder, errno);
  constexpr size_t kBlock = 256 << 10;
  std::unique_ptr<char[]> block = std::make_unique_for_overwrite<char[]>(kBlock);
  for (;;) {
    ssize_t count = read(stream.file->fd(), block.get(), kBlock);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return cannot("read", stream.path, errno);
    if (count == 0) break;
    if (!write_all(copy.fd(), {block.get(), static_cast<size_t>(count)}))
      return cannot_keep(stream, folder, errno);
    stream.bytes += static_cast<uint64_t>(count);
    progress.bytes += static_cast<uint64_t>(count);
  }
  stream.file = std::make_shared<const File>(std::move(copy));
  stream.seekable = true;
  return {};
}

}  // namespace xtrace
