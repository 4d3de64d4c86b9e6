#include <fcntl.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <array>
#include <cerrno>
#include <utility>

#include "base/system_internal.h"

namespace xtrace {

namespace {

constexpr uint32_t kComings = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE;
constexpr uint32_t kChanges = IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | kComings;

sigset_t before_interrupts;  // the signals that were blocked before Interrupts were

}  // namespace

File make_nameless_file(const std::string& folder) {
  File file(open(folder.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600));
  const bool is_unsupported =
      !file.is_open() && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL);
  return is_unsupported ? make_and_unlink(folder) : std::move(file);
}

FolderWatch::FolderWatch() : notices_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}

bool FolderWatch::add(const std::string& folder) {
  return inotify_add_watch(fd(), folder.c_str(), kChanges) >= 0;
}

bool FolderWatch::read_notices() {
  bool came = false;
  alignas(inotify_event) std::array<char, 16 << 10> notices;
  for (ssize_t count; (count = read(fd(), notices.data(), notices.size())) > 0;)
    for (ssize_t at = 0; at < count;) {
      const inotify_event* notice = reinterpret_cast<const inotify_event*>(notices.data() + at);
      came |= (notice->mask & (kComings | IN_Q_OVERFLOW)) != 0;
      at += static_cast<ssize_t>(sizeof(inotify_event) + notice->len);
    }
  return came;
}

Interrupts::Interrupts() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  pthread_sigmask(SIG_BLOCK, &set, &before_interrupts);
  file_ = File(signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
}

bool Interrupts::came() {
  signalfd_siginfo notice;
  return read(file_.fd(), &notice, sizeof notice) == static_cast<ssize_t>(sizeof notice);
}

void Interrupts::let_through() {
  pthread_sigmask(SIG_SETMASK, &before_interrupts, nullptr);
}

#ifdef __GLIBC__
void give_back_large_tables() {
  constexpr int kLarge = 128 << 10;  // bytes; what glibc starts with
  mallopt(M_MMAP_THRESHOLD, kLarge);
}

void keep_large_tables() {
  constexpr int kLargest = 32 << 20;  // bytes; the most that glibc takes
  constexpr int kKept = 256 << 20;    // at the end of the heap
  mallopt(M_MMAP_THRESHOLD, kLargest);
  mallopt(M_TRIM_THRESHOLD, kKept);
}
#else
void give_back_large_tables() {}
void keep_large_tables() {}
#endif

}  // namespace xtrace
