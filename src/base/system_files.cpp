#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <glob.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <utility>

#include "base/system.h"

namespace xtrace {

namespace {

constexpr int kListed = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
constexpr uint32_t kComings = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE;
constexpr uint32_t kChanges = IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | kComings;

FileStatus status_from(const struct stat& found) {
  FileStatus status;
  status.kind = S_ISREG(found.st_mode)   ? FileStatus::Kind::regular
                : S_ISDIR(found.st_mode) ? FileStatus::Kind::folder
                : S_ISLNK(found.st_mode) ? FileStatus::Kind::link
                                         : FileStatus::Kind::other;
  status.id = {found.st_dev, found.st_ino};
  status.bytes = static_cast<uint64_t>(found.st_size);
  status.changed = {found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
  status.permissions = found.st_mode & 07777;
  return status;
}

/// Repeats a call that a signal interrupted.
template <class Call>
std::optional<size_t> count_of(Call call) {
  ssize_t count = call();
  while (count < 0 && errno == EINTR) count = call();
  return count < 0 ? std::nullopt : std::optional(static_cast<size_t>(count));
}

/// For file systems that make no files without a name: no signal may come between making it and
/// removing its name.
File make_and_unlink(const std::string& folder) {
  std::string name = folder + "/xtrace-XXXXXX";
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  File file(mkostemp(name.data(), O_CLOEXEC));
  const int error = errno;
  if (file.is_open()) unlink(name.c_str());
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return file;
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
  return stat(path.c_str(), &found) == 0 ? std::optional(status_from(found)) : std::nullopt;
}

std::optional<FileStatus> file_status(int fd) {
  struct stat found {};
  return fstat(fd, &found) == 0 ? std::optional(status_from(found)) : std::nullopt;
}

std::optional<FileStatus> entry_status(int folder, const std::string& name) {
  struct stat found {};
  const bool is_there = fstatat(folder, name.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0;
  return is_there ? std::optional(status_from(found)) : std::nullopt;
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

File open_again(int fd) {
  File again = open_file(fmt::format("/proc/self/fd/{}", fd), Access::read);
  return again.is_open() ? std::move(again) : File(fcntl(fd, F_DUPFD_CLOEXEC, 0));
}

File open_folder(int folder, const std::string& name) {
  return File(openat(folder, name.c_str(), kListed | O_NOFOLLOW));
}

bool make_folder(int folder, const std::string& name) {
  return mkdirat(folder, name.c_str(), 0777) == 0 || errno == EEXIST;
}

std::optional<std::vector<std::string>> list_folder(int folder) {
  const int fd = openat(folder, ".", kListed);  // which closedir() closes
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(fd < 0 ? nullptr : fdopendir(fd), closedir);
  if (entries == nullptr) return std::nullopt;
  std::vector<std::string> names;
  while (const dirent* entry = readdir(entries.get())) names.emplace_back(entry->d_name);
  return names;
}

File make_nameless_file(const std::string& folder) {
  File file(open(folder.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600));
  const bool is_unsupported =
      !file.is_open() && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL);
  return is_unsupported ? make_and_unlink(folder) : std::move(file);
}

std::vector<std::string> expand_pattern(const std::string& pattern) {
  std::vector<std::string> paths;
  glob_t found{};
  if (glob(pattern.c_str(), GLOB_NOSORT | GLOB_BRACE | GLOB_TILDE, nullptr, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; ++i) paths.emplace_back(found.gl_pathv[i]);
  globfree(&found);
  return paths;
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

std::optional<size_t> write_now(int fd, std::string_view bytes) {
  // A pipe that can be written to takes PIPE_BUF bytes; more might wait.
  const ssize_t count = write(fd, bytes.data(), std::min<size_t>(bytes.size(), PIPE_BUF));
  return count < 0 ? std::nullopt : std::optional(static_cast<size_t>(count));
}

bool write_at(int fd, std::string_view bytes, uint64_t at) {
  return pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(at)) ==
         static_cast<ssize_t>(bytes.size());
}

bool resize_file(int fd, uint64_t bytes) {
  return ftruncate(fd, static_cast<off_t>(bytes)) == 0;
}

bool set_permissions(int fd, unsigned permissions) {
  return fchmod(fd, permissions) == 0;
}

std::optional<uint64_t> position_of(int fd) {
  const off_t at = lseek(fd, 0, SEEK_CUR);
  return at < 0 ? std::nullopt : std::optional(static_cast<uint64_t>(at));
}

void move_to(int fd, uint64_t at) {
  lseek(fd, static_cast<off_t>(at), SEEK_SET);
}

uint64_t open_file_limit() {
  rlimit files{};
  return getrlimit(RLIMIT_NOFILE, &files) == 0 ? files.rlim_cur : 0;
}

void raise_open_file_limit() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == files.rlim_max) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
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
  // The end of a stream can be read as well: it has no byte.
  int bytes = 0;
  const bool has_bytes = ioctl(kStandardInput, FIONREAD, &bytes) == 0 && bytes > 0;
  return has_bytes ? StandardInput::bytes : StandardInput::empty;
}

void open_standard_input() {
  if (fcntl(kStandardInput, F_GETFD) >= 0 || errno != EBADF) return;
  open("/dev/null", O_RDONLY);  // takes the lowest number that is free
}

bool can_write(int fd, std::chrono::milliseconds most) {
  pollfd waiting{fd, POLLOUT, 0};
  return poll(&waiting, 1, static_cast<int>(most.count())) > 0;
}

bool has_lost_reader(int fd) {
  pollfd waiting{fd, 0, 0};
  return poll(&waiting, 1, 0) > 0 && (waiting.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
}

void wait_for_any(const std::vector<int>& inputs, int output, bool writes,
                  std::chrono::milliseconds most) {
  std::vector<pollfd> waiting;
  waiting.reserve(inputs.size() + 1);
  for (const int input : inputs) waiting.push_back({input, POLLIN, 0});
  waiting.push_back({output, static_cast<short>(writes ? POLLOUT : 0), 0});
  poll(waiting.data(), waiting.size(), static_cast<int>(most.count()));
}

File open_watch() {
  return File(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
}

bool watch_folder(const File& watch, const std::string& folder) {
  return inotify_add_watch(watch.fd(), folder.c_str(), kChanges) >= 0;
}

bool read_notices(const File& watch) {
  bool came = false;
  alignas(inotify_event) std::array<char, 16 << 10> notices;
  for (ssize_t count; (count = read(watch.fd(), notices.data(), notices.size())) > 0;)
    for (ssize_t at = 0; at < count;) {
      const inotify_event* notice = reinterpret_cast<const inotify_event*>(notices.data() + at);
      came |= (notice->mask & (kComings | IN_Q_OVERFLOW)) != 0;
      at += static_cast<ssize_t>(sizeof(inotify_event) + notice->len);
    }
  return came;
}

}  // namespace xtrace
