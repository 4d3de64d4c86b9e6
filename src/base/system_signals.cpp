#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/system.h"
#include "base/text.h"

namespace xtrace {

namespace {

sigset_t before_interrupts;  // the signals that were blocked before Interrupts were

// A signal handler may only touch what is safe at any moment: flags and fixed arrays.
char temporary[PATH_MAX];
volatile sig_atomic_t temporary_folder = AT_FDCWD;
volatile sig_atomic_t temporary_exists = 0;
int exit_interrupted = 0, exit_shrank = 0;
std::string_view why_shrank;

void remove_temporary() {
  if (temporary_exists) unlinkat(temporary_folder, temporary, 0);
}

void remove_and_leave(int) {
  remove_temporary();
  _exit(exit_interrupted);
}

/// A mapped input lost pages that it had when it was opened.
void input_shrank(int) {
  remove_temporary();
  const ssize_t ignored = write(kStandardError, why_shrank.data(), why_shrank.size());
  static_cast<void>(ignored);
  _exit(exit_shrank);
}

}  // namespace

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

TemporaryFile::TemporaryFile(int folder, const std::string& name) {
  const size_t file = name.rfind('/') + 1;  // npos + 1 is 0
  uint64_t random = 0;
  if (getentropy(&random, sizeof random) != 0) return;
  const std::string hidden = fmt::format("{}.{}.{:016x}", name.substr(0, file),
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

TemporaryFile::~TemporaryFile() {
  if (fd_ >= 0) close(fd_);
  remove_temporary();
  temporary_exists = 0;
}

bool TemporaryFile::become(const std::string& name) {
  if (close(std::exchange(fd_, -1)) != 0) return false;
  if (renameat(temporary_folder, temporary, temporary_folder, name.c_str()) != 0) return false;
  temporary_exists = 0;
  return true;
}

void end_on_signals(int interrupted, int shrank, std::string_view why) {
  exit_interrupted = interrupted;
  exit_shrank = shrank;
  why_shrank = why;
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
