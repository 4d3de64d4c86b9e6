#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/event.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "base/build.h"
#include "base/system_internal.h"

namespace xtrace {

namespace {

constexpr std::array kInterrupts{SIGINT, SIGTERM, SIGHUP};

// What Interrupts replaces while it lives: signal handlers have no other way to find it.
int to_interrupts = -1;
std::array<struct sigaction, kInterrupts.size()> before_interrupts;
bool replaces_interrupts = false;

void note_interrupt(int) {
  const int error = errno;
  const ssize_t ignored = write(to_interrupts, "", 1);
  static_cast<void>(ignored);
  errno = error;
}

}  // namespace

std::string build_id() {
  return {};
}

File open_again(int fd) {
  // Opening /dev/fd/N duplicates the descriptor here: only the path leads to another position.
  char path[PATH_MAX];
  File again(fcntl(fd, F_GETPATH, path) == 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1);
  const std::optional<FileStatus> status = file_status(fd), opened = file_status(again.fd());
  const bool is_same = status && opened && status->id == opened->id;
  return is_same ? std::move(again) : File(fcntl(fd, F_DUPFD_CLOEXEC, 0));
}

File make_nameless_file(const std::string& folder) {
  return make_and_unlink(folder);
}

// A watched folder reports entries that come and go, but not that one of them grew:
// GrowingInputs looks at its files four times a second as well.
FolderWatch::FolderWatch() : notices_(kqueue()) {
  fcntl(fd(), F_SETFD, FD_CLOEXEC);
}

bool FolderWatch::add(const std::string& folder) {
  File file(open(folder.c_str(), O_EVTONLY | O_CLOEXEC));
  if (!file.is_open()) return false;
  struct kevent change {};
  EV_SET(&change, static_cast<uintptr_t>(file.fd()), EVFILT_VNODE, EV_ADD | EV_CLEAR,
         NOTE_WRITE | NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE, 0, nullptr);
  if (kevent(fd(), &change, 1, nullptr, 0, nullptr) != 0) return false;
  folders_.push_back(std::move(file));
  return true;
}

bool FolderWatch::read_notices() {
  constexpr timespec kNow{};
  std::array<struct kevent, 64> notices;
  bool came = false;
  while (kevent(fd(), nullptr, 0, notices.data(), static_cast<int>(notices.size()), &kNow) > 0)
    came = true;
  return came;
}

Interrupts::Interrupts() {
  PipeEnds pipe = make_pipe();
  if (!pipe.from.is_open()) return;
  for (const File* end : {&pipe.from, &pipe.to}) fcntl(end->fd(), F_SETFL, O_NONBLOCK);
  to_interrupts = pipe.to.release();
  file_ = std::move(pipe.from);
  struct sigaction action {};
  action.sa_handler = note_interrupt;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < kInterrupts.size(); ++i)
    sigaction(kInterrupts[i], &action, &before_interrupts[i]);
  replaces_interrupts = true;
}

bool Interrupts::came() {
  char notice = 0;
  return read(file_.fd(), &notice, 1) == 1;
}

void Interrupts::let_through() {
  if (!std::exchange(replaces_interrupts, false)) return;
  for (size_t i = 0; i < kInterrupts.size(); ++i)
    sigaction(kInterrupts[i], &before_interrupts[i], nullptr);
  close(std::exchange(to_interrupts, -1));
}

// The allocator of macOS gives large tables back by itself.
void give_back_large_tables() {}
void keep_large_tables() {}

}  // namespace xtrace
