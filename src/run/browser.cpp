#include "run/browser.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/programs.h"

namespace xtrace {

std::string temporary_page(std::string_view command) {
  const char* folder = std::getenv("TMPDIR");
  return fmt::format("{}/xtrace-{}-{}.html", folder != nullptr && *folder != 0 ? folder : "/tmp",
                     command, getpid());
}

Status open_in_browser(const std::string& path) {
  const char* chosen = std::getenv("BROWSER");
  std::string program = chosen != nullptr ? chosen : "";
  for (const char* other : {"xdg-open", "open", "sensible-browser"})
    if (program.empty() && has_program(other)) program = other;
  if (program.empty() || !has_program(program))
    return fail(Exit::usage,
                fmt::format("--open: no browser found; set BROWSER, or open {} yourself", path));
  const std::string page = std::filesystem::absolute(path).string();
  // Twice, so that the browser is nobody's child and outlives us without being waited for.
  const pid_t process = fork();
  if (process == 0) {
    if (fork() != 0) _exit(0);
    setsid();
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int end : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, end);
    execlp(program.c_str(), program.c_str(), page.c_str(), nullptr);
    _exit(127);
  }
  if (process > 0) waitpid(process, nullptr, 0);
  return {};
}

}  // namespace xtrace
