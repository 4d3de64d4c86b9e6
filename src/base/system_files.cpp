#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <utility>

#include "base/system_internal.h"
#include "base/system_private.h"

namespace xtrace {

namespace {

constexpr int kListed = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

FileStatus status_from(const struct stat& found) {
  FileStatus status;
  status.kind = S_ISREG(found.st_mode)   ? FileStatus::Kind::regular
                : S_ISDIR(found.st_mode) ? FileStatus::Kind::folder
                : S_ISLNK(found.st_mode) ? FileStatus::Kind::link
                                         : FileStatus::Kind::other;
  status.id = {static_cast<uint64_t>(found.st_dev), found.st_ino};
  status.bytes = static_cast<uint64_t>(found.st_size);
#ifdef __APPLE__
  const timespec& changed = found.st_mtimespec;  // POSIX has another name for it
#else
  const timespec& changed = found.st_mtim;
#endif
  status.changed = {changed.tv_sec, changed.tv_nsec};
  status.permissions = found.st_mode & 07777;
  return status;
}

#ifdef __wasi__
/// The host gives them for an open file only.
FileStatus with_permissions(FileStatus status, int folder, const std::string& name) {
  if (status.is_regular())
    if (const File file(openat(folder, name.c_str(), O_RDONLY)); file.is_open())
      status.permissions = permissions_of(file.fd());
  return status;
}
#else
FileStatus with_permissions(const FileStatus& status, int, const std::string&) {
  return status;
}
#endif

/// Repeats a call that a signal interrupted.
template <class Call>
std::optional<size_t> count_of(Call call) {
  ssize_t count = call();
  while (count < 0 && errno == EINTR) count = call();
  return count < 0 ? std::nullopt : std::optional(static_cast<size_t>(count));
}

}  // namespace

const int kCurrentFolder = AT_FDCWD;

File& File::operator=(File&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

File::~File() {
  if (fd_ > kStandardError) close(fd_);
}

std::optional<FileStatus> file_status(const std::string& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) return std::nullopt;
  return with_permissions(status_from(found), AT_FDCWD, path);
}

std::optional<FileStatus> file_status(int fd) {
  struct stat found {};
  if (fstat(fd, &found) != 0) return std::nullopt;
  FileStatus status = status_from(found);
#ifdef __wasi__
  status.permissions = permissions_of(fd);
#endif
  return status;
}

std::optional<FileStatus> entry_status(int folder, const std::string& name) {
  struct stat found {};
  if (fstatat(folder, name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  return with_permissions(status_from(found), folder, name);
}

File open_file(const std::string& path, Access access) {
  int flags = kListed;
  switch (access) {
    case Access::read: flags = O_RDONLY; break;
    case Access::read_now: flags = O_RDONLY | O_NONBLOCK; break;
    case Access::write: flags = O_WRONLY; break;
    case Access::append: flags = O_WRONLY | O_CREAT | O_APPEND; break;
    case Access::list: break;
  }
  return File(open(path.c_str(), flags | O_CLOEXEC, 0666));
}

File open_folder(int folder, const std::string& name) {
  return File(openat(folder, name.c_str(), kListed | O_NOFOLLOW));
}

bool make_folder(int folder, const std::string& name) {
  return mkdirat(folder, name.c_str(), 0777) == 0 || errno == EEXIST;
}

File open_entry(int folder, const std::string& name) {
  File file(openat(folder, name.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  struct stat found {};
  if (!file.is_open() || fstat(file.fd(), &found) != 0) return File();
  if (S_ISREG(found.st_mode)) return file;
  errno = ENOTSUP;
  return File();
}

bool remove_entry(int folder, const std::string& name) {
  return unlinkat(folder, name.c_str(), 0) == 0;
}

bool is_private(int fd) {
  struct stat found {};
  if (fstat(fd, &found) != 0) return false;
#ifdef __wasi__
  return true;  // its host has no users
#else
  return found.st_uid == geteuid() && (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
#endif
}

std::optional<std::vector<std::string>> list_folder(int folder) {
  const int fd = openat(folder, ".", kListed);  // which closedir() closes
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(fd < 0 ? nullptr : fdopendir(fd), closedir);
  if (entries == nullptr) return std::nullopt;
  std::vector<std::string> names;
  while (const dirent* entry = readdir(entries.get())) names.emplace_back(entry->d_name);
  return names;
}

std::optional<size_t> read_at(int fd, char* to, size_t most, uint64_t at) {
  size_t held = 0;
  while (held < most) {
    const std::optional<size_t> count =
        count_of([&] { return pread(fd, to + held, most - held, static_cast<off_t>(at + held)); });
    if (!count && held == 0) return std::nullopt;
    if (count.value_or(0) == 0) break;
    held += *count;
  }
  return held;
}

std::optional<size_t> read_from(int fd, char* to, size_t most) {
  return count_of([&] { return read(fd, to, most); });
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const std::optional<size_t> count =
        count_of([&] { return write(fd, bytes.data(), bytes.size()); });
    if (!count) return false;
    bytes.remove_prefix(*count);
  }
  return true;
}

bool write_at(int fd, std::string_view bytes, uint64_t at) {
  return pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(at)) ==
         static_cast<ssize_t>(bytes.size());
}

bool resize_file(int fd, uint64_t bytes) {
  return ftruncate(fd, static_cast<off_t>(bytes)) == 0;
}

std::optional<uint64_t> position_of(int fd) {
  const off_t at = lseek(fd, 0, SEEK_CUR);
  return at < 0 ? std::nullopt : std::optional(static_cast<uint64_t>(at));
}

void move_to(int fd, uint64_t at) {
  lseek(fd, static_cast<off_t>(at), SEEK_SET);
}

bool can_read(int fd) {
  pollfd waiting{fd, POLLIN, 0};
  return poll(&waiting, 1, 0) > 0;
}

StandardInput probe_standard_input(std::chrono::milliseconds most) {
  struct stat status {};
  if (fstat(kStandardInput, &status) != 0) return StandardInput::none;
  if (isatty(kStandardInput) == 1) return StandardInput::terminal;
  if (S_ISREG(status.st_mode)) {
    const bool has_rest = lseek(kStandardInput, 0, SEEK_CUR) < status.st_size;
    return has_rest ? StandardInput::bytes : StandardInput::empty;
  }
  if (!S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode)) return StandardInput::none;
  pollfd waiting{kStandardInput, POLLIN, 0};
  if (poll(&waiting, 1, static_cast<int>(most.count())) <= 0) return StandardInput::silent;
  return has_bytes_waiting(kStandardInput, waiting.revents) ? StandardInput::bytes
                                                            : StandardInput::empty;
}

}  // namespace xtrace
