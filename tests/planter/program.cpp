#include "planter/program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <stdexcept>

namespace xtrace {

namespace {

/// How long an answer about a small file may take, with sanitizers on and other work beside it.
constexpr auto kLongest = std::chrono::seconds(60);

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment() {
  std::vector<std::string> kept = {"HOME=/nonexistent"};
  for (const char* name :
       {"PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LLVM_PROFILE_FILE"})
    if (const char* value = std::getenv(name)) kept.push_back(std::string(name) + '=' + value);
  return kept;
}

/// Reads both until they end or time is out; says whether they ended.
bool drain(std::array<pollfd, 2> ends, std::array<std::string*, 2> into) {
  const auto stop = std::chrono::steady_clock::now() + kLongest;
  std::array<char, 1 << 16> block{};
  for (int open = 2; open > 0;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        stop - std::chrono::steady_clock::now());
    if (left.count() <= 0 || poll(ends.data(), ends.size(), static_cast<int>(left.count())) == 0)
      return false;
    for (size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      const ssize_t count = read(ends[i].fd, block.data(), block.size());
      if (count > 0) {
        into[i]->append(block.data(), static_cast<size_t>(count));
      } else {
        ends[i].fd = -1;
        --open;
      }
    }
  }
  return true;
}

}  // namespace

Ran run_program(const std::string& path, const std::vector<std::string>& words) {
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0)
    throw std::runtime_error("cannot make a pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err[1], 2);
  std::vector<std::string> line = {path}, settings = environment();
  line.insert(line.end(), words.begin(), words.end());
  pid_t child = 0;
  const int failure = posix_spawn(&child, path.c_str(), &actions, nullptr, pointers(line).data(),
                                  pointers(settings).data());
  posix_spawn_file_actions_destroy(&actions);
  close(out[1]);
  close(err[1]);
  Ran ran;
  if (failure == 0) {
    ran.is_late =
        !drain({pollfd{out[0], POLLIN, 0}, pollfd{err[0], POLLIN, 0}}, {&ran.out, &ran.err});
    if (ran.is_late) kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) ran.exit = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) ran.signal = WTERMSIG(status);
  }
  close(out[0]);
  close(err[0]);
  if (failure != 0) throw std::runtime_error("cannot run " + path);
  return ran;
}

}  // namespace xtrace
