#include <signal.h>
#include <unistd.h>

#include "base/system_internal.h"

namespace xtrace {

namespace {

// All that end a process by default and can be caught, but for those that follow below.
constexpr int kOtherEnds[] = {SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGFPE,    SIGSEGV, SIGSYS,
                              SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF};

int exit_interrupted = 0, exit_shrank = 0;
std::string_view why_shrank;

void remove_and_leave(int) {
  remove_temporary();
  _exit(exit_interrupted);
}

/// Other signals end the process in their own way, such as with a core dump: what they do by
/// default is done when the handler returns.
void remove_and_end(int signal) {
  remove_temporary();
  raise(signal);
}

/// A mapped input lost pages that it had when it was opened.
void input_shrank(int) {
  remove_temporary();
  const ssize_t ignored = write(kStandardError, why_shrank.data(), why_shrank.size());
  static_cast<void>(ignored);
  _exit(exit_shrank);
}

}  // namespace

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
  action.sa_handler = remove_and_end;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : kOtherEnds) {
    struct sigaction now {};
    // What somebody ignores remains ignored, and sanitizers keep their own handlers.
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_DFL)
      sigaction(signal, &action, nullptr);
  }
  signal(SIGPIPE, SIG_IGN);  // a closed pipe becomes EPIPE, a full quota EFBIG
  signal(SIGXFSZ, SIG_IGN);
}

}  // namespace xtrace
