#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "base/number.h"
#include "base/parts.h"
#include "base/system_internal.h"

namespace xtrace {

bool is_terminal(int fd) {
  return isatty(fd) == 1;
}

bool has_keyboard() {
  return open_file("/dev/tty", Access::read).is_open();
}

std::optional<TerminalSize> terminal_size(int fd) {
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return {};
  return TerminalSize{size.ws_row, size.ws_col};
}

size_t terminal_columns(size_t otherwise, int fd) {
  size_t columns = 0;
  if (const char* set = getenv("COLUMNS")) columns = number_of<size_t>(set).value_or(0);
  if (columns == 0)
    if (std::optional<TerminalSize> size = terminal_size(fd)) columns = size->columns;
  return columns == 0 ? otherwise : std::max<size_t>(columns, 40);
}

void load_local_zone() {
  tzset();
}

LocalZone local_zone_at(std::chrono::seconds since_1970) {
  const time_t instant = static_cast<time_t>(since_1970.count());
  tm parts{};
  localtime_r(&instant, &parts);
  return {std::chrono::seconds(parts.tm_gmtoff), parts.tm_zone};
}

bool has_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0;
  const char* path = getenv("PATH");
  bool is_there = false;
  for_each_part(path != nullptr ? path : "", ':', [&](std::string_view folder) {
    is_there |= access((std::string(folder) + '/' + name).c_str(), X_OK) == 0;
  });
  return is_there;
}

int64_t process_id() {
  return getpid();
}

void start_detached(const std::string& program, const std::string& argument) {
  // Twice, so that the program is nobody's child and outlives us without being waited for.
  const pid_t process = fork();
  if (process == 0) {
    if (fork() != 0) _exit(0);
    setsid();
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int end : {kStandardInput, kStandardOutput, kStandardError}) dup2(nowhere, end);
    execlp(program.c_str(), program.c_str(), argument.c_str(), nullptr);
    _exit(127);
  }
  if (process > 0) waitpid(process, nullptr, 0);
}

PipedCommand::PipedCommand(const std::string& command, const std::vector<Variable>& defaults) {
  const PipeEnds pipe = make_pipe();
  if (!pipe.from.is_open()) return;
  process_ = fork();
  if (process_ == 0) {
    dup2(pipe.from.fd(), kStandardInput);
    signal(SIGPIPE, SIG_DFL);
    for (const Variable& variable : defaults) setenv(variable.name, variable.value, 0);
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  if (process_ < 0) return;
  output_ = fcntl(kStandardOutput, F_DUPFD_CLOEXEC, 0);
  dup2(pipe.to.fd(), kStandardOutput);
}

PipedCommand::~PipedCommand() {
  if (process_ <= 0) return;
  dup2(output_, kStandardOutput);  // the command reads to the end of its input
  close(output_);
  while (waitpid(static_cast<pid_t>(process_), nullptr, 0) < 0 && errno == EINTR) {
  }
  signal(SIGINT, SIG_DFL);
}

}  // namespace xtrace
