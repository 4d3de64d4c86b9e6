#include "run/pager.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/programs.h"

namespace xtrace {

namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string pager_command() {
  for (const char* name : {"XTRACE_PAGER", "PAGER"})
    if (std::getenv(name) != nullptr) return std::string(variable(name));
  return "less";
}

/// Is the program there that a command begins with? A shell would say so too late.
bool is_there(const std::string& command) {
  return has_program(command.substr(0, command.find_first_of(" \t")));
}

[[noreturn]] void become(const std::string& command, int input) {
  dup2(input, STDIN_FILENO);
  signal(SIGPIPE, SIG_DFL);
  setenv("LESS", "FRX", 0);  // leave one screen where it is, keep colours, do not clear
  setenv("LV", "-c", 0);
  execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
  _exit(127);
}

}  // namespace

bool may_page() {
  const std::string_view terminal = variable("TERM");
  if (!variable("CI").empty() || terminal.empty() || terminal == "dumb") return false;
  for (int end : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (isatty(end) != 1) return false;
  // A pager is driven by the keys of the terminal that rules over the process, if one does.
  const int keys = open("/dev/tty", O_RDONLY | O_CLOEXEC);
  if (keys >= 0) close(keys);
  return keys >= 0;
}

Pager::Pager(bool is_wanted) {
  const std::string command = is_wanted ? pager_command() : std::string();
  if (command.empty() || command == "cat" || !is_there(command)) return;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  process_ = fork();
  if (process_ == 0) become(command, ends[0]);
  if (process_ > 0) {
    terminal_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    dup2(ends[1], STDOUT_FILENO);
  }
  close(ends[0]);
  close(ends[1]);
}

Pager::~Pager() {
  if (process_ <= 0) return;
  dup2(terminal_, STDOUT_FILENO);  // the pager's last writer goes
  close(terminal_);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  sigaction(SIGINT, &interrupted_, nullptr);
}

}  // namespace xtrace
