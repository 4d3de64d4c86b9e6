#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/system_internal.h"
#include "base/system_random.h"
#include "base/text.h"

namespace xtrace {

namespace {

// A signal handler may only touch what is safe at any moment: flags and fixed arrays.
char temporary[PATH_MAX];
std::atomic<int> temporary_folder = AT_FDCWD;
std::atomic<bool> temporary_exists = false;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

}  // namespace

void remove_temporary() {
  if (temporary_exists) unlinkat(temporary_folder, temporary, 0);
}

TemporaryFile::TemporaryFile(int folder, const std::string& name, unsigned permissions) {
  const size_t file = name.rfind('/') + 1;  // npos + 1 is 0
  uint64_t random = 0;
  const std::optional<std::string> bytes = random_bytes(sizeof random);
  if (!bytes) return;
  std::memcpy(&random, bytes->data(), sizeof random);
  const std::string hidden = fmt::format("{}.{}.{:016x}", name.substr(0, file),
                                         head(std::string_view(name).substr(file), 200), random);
  if (hidden.size() >= sizeof temporary) {
    errno = ENAMETOOLONG;
    return;
  }
  std::memcpy(temporary, hidden.c_str(), hidden.size() + 1);
  temporary_folder = folder;
  temporary_exists = true;  // before it does, or an interrupt in between would leave it
  fd_ = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
               static_cast<mode_t>(permissions));
  if (fd_ < 0) temporary_exists = false;
}

TemporaryFile::~TemporaryFile() {
  if (fd_ >= 0) close(fd_);
  remove_temporary();
  temporary_exists = false;
}

bool TemporaryFile::become(const std::string& name) {
  if (fd_ >= 0 && close(std::exchange(fd_, -1)) != 0) return false;
  if (renameat(temporary_folder, temporary, temporary_folder, name.c_str()) != 0) return false;
  temporary_exists = false;
  return true;
}

bool TemporaryFile::become_new(const std::string& name) {
  if (fd_ >= 0 && close(std::exchange(fd_, -1)) != 0) return false;
  const int folder = temporary_folder;
  // Linking fails where something has the name already, which renaming would replace.
  if (linkat(folder, temporary, folder, name.c_str(), 0) == 0) {
    remove_temporary();
    temporary_exists = false;
    return true;
  }
  // FAT has no links, and each system says so in its own way.
  const int error = errno;
  if (error != EPERM && error != ENOTSUP && error != EOPNOTSUPP && error != ENOSYS) return false;
  if (entry_status(folder, name)) {
    errno = EEXIST;
    return false;
  }
  return become(name);
}

}  // namespace xtrace
