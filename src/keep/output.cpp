#include "keep/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <ostream>
#include <streambuf>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/text.h"

namespace xtrace {

namespace {

/// A stream buffer over a file descriptor that remembers why writing failed.
class Descriptor final : public std::streambuf {
 public:
  explicit Descriptor(int fd) : fd_(fd), buffer_(64 << 10) { reset(); }
  int failed() const { return failed_; }
  bool finish() { return flush() && failed_ == 0; }

 protected:
  int_type overflow(int_type next) override {
    if (!flush()) return traits_type::eof();
    if (!traits_type::eq_int_type(next, traits_type::eof())) sputc(traits_type::to_char_type(next));
    return traits_type::not_eof(next);
  }
  int sync() override { return flush() ? 0 : -1; }

 private:
  void reset() { setp(buffer_.data(), buffer_.data() + buffer_.size()); }

  bool flush() {
    const char* at = pbase();
    while (failed_ == 0 && at < pptr()) {
      ssize_t count = write(fd_, at, static_cast<size_t>(pptr() - at));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0)
        failed_ = errno;
      else
        at += count;
    }
    reset();
    return failed_ == 0;
  }

  int fd_;
  int failed_ = 0;
  std::vector<char> buffer_;
};

// The handler may only touch what is safe at any moment: flags and a fixed array.
char temporary[PATH_MAX];
volatile sig_atomic_t temporary_folder = AT_FDCWD;
volatile sig_atomic_t temporary_exists = 0;

void remove_and_leave(int) {
  if (temporary_exists) unlinkat(temporary_folder, temporary, 0);
  _exit(static_cast<int>(Exit::interrupted));
}

/// A mapped input lost pages that it had when it was opened.
void input_shrank(int) {
  if (temporary_exists) unlinkat(temporary_folder, temporary, 0);
  constexpr char kWhy[] = "xtrace: an input was truncated, or its disk failed, while it was read\n";
  ssize_t ignored = write(STDERR_FILENO, kWhy, sizeof kWhy - 1);
  static_cast<void>(ignored);
  _exit(static_cast<int>(Exit::input));
}

/// Returns errno, 0 if all was written.
int write_to(int fd, const std::function<void(std::ostream&)>& write) {
  Descriptor descriptor(fd);
  std::ostream stream(&descriptor);
  write(stream);
  descriptor.finish();
  if (descriptor.failed() != 0) return descriptor.failed();
  return stream.bad() ? ENOMEM : 0;  // what was to be written could not be made
}

Status replace_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  struct stat status {};
  bool exists = stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return cannot_write(path, EISDIR);
  // A device or pipe has no old content to protect and must not be replaced by a file.
  if (exists && !S_ISREG(status.st_mode)) {
    int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return cannot_write(path, errno);
    int error = write_to(fd, write);
    close(fd);
    return error == 0 ? Status() : cannot_write(path, error);
  }
  // What a link leads to is replaced, never the link: /dev/stdout is one.
  std::unique_ptr<char, decltype(&std::free)> place(
      exists ? realpath(path.c_str(), nullptr) : nullptr, &std::free);
  int error = write_whole(AT_FDCWD, place != nullptr ? place.get() : path, write);
  return error == 0 ? Status() : cannot_write(path, error);
}

/// A new file beside `name` that goes away unless it takes that name. Hidden, so that nobody takes
/// it for an answer.
class TemporaryFile {
 public:
  TemporaryFile(int folder, const std::string& name) {
    size_t file = name.rfind('/') + 1;  // npos + 1 is 0
    uint64_t random = 0;
    if (getentropy(&random, sizeof random) != 0) return;
    std::string hidden = fmt::format("{}.{}.{:016x}", name.substr(0, file),
                                     head(std::string_view(name).substr(file), 200), random);
    if (hidden.size() >= sizeof temporary) {
      errno = ENAMETOOLONG;
      return;
    }
    std::memcpy(temporary, hidden.c_str(), hidden.size() + 1);
    temporary_folder = folder;
    temporary_exists = 1;  // before it does, or an interrupt in between would leave it
    fd_ = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd_ < 0) temporary_exists = 0;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (fd_ >= 0) close(fd_);
    if (temporary_exists) unlinkat(temporary_folder, temporary, 0);
    temporary_exists = 0;
  }

  int fd() const { return fd_; }
  /// Returns errno.
  int become(const std::string& name) {
    if (close(std::exchange(fd_, -1)) != 0) return errno;
    if (renameat(temporary_folder, temporary, temporary_folder, name.c_str()) != 0) return errno;
    temporary_exists = 0;
    return 0;
  }

 private:
  int fd_ = -1;
};

}  // namespace

int write_whole(int folder, const std::string& name,
                const std::function<void(std::ostream&)>& write) {
  struct stat old {};
  bool exists = fstatat(folder, name.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0;
  TemporaryFile file(folder, name);
  if (file.fd() < 0) return errno;
  if (exists && S_ISREG(old.st_mode)) fchmod(file.fd(), old.st_mode & 07777);
  int error = write_to(file.fd(), write);
  return error != 0 ? error : file.become(name);
}

Status write_answer(const std::string& path, const std::function<void(std::ostream&)>& write) {
  if (!path.empty()) return replace_file(path, write);
  int error = write_to(STDOUT_FILENO, write);
  // Whoever read the other end has seen enough: `| head` is no failure.
  if (error == 0 || error == EPIPE) return {};
  return fail(Exit::output,
              fmt::format("cannot write to standard output: {}", std::strerror(error)));
}

bool is_same_file(const std::string& path, const std::string& other) {
  struct stat a {
  }, b{};
  return stat(path.c_str(), &a) == 0 && stat(other.c_str(), &b) == 0 && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

void clean_up_on_signals() {
  struct sigaction action {};
  action.sa_handler = remove_and_leave;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGHUP, &action, nullptr);
  action.sa_handler = input_shrank;
  sigaction(SIGBUS, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);  // a closed pipe becomes EPIPE, a full quota EFBIG
  signal(SIGXFSZ, SIG_IGN);
}

}  // namespace xtrace
