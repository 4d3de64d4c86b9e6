#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/system_internal.h"

namespace xtrace {

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

PipeEnds make_pipe() {
  int ends[2];
  if (pipe(ends) != 0) return PipeEnds();
  for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  return {File(ends[0]), File(ends[1])};
}

bool set_permissions(int fd, unsigned permissions) {
  return fchmod(fd, static_cast<mode_t>(permissions)) == 0;
}

bool set_permissions(const std::string& path, unsigned permissions) {
  return chmod(path.c_str(), static_cast<mode_t>(permissions)) == 0;
}

std::optional<size_t> write_now(int fd, std::string_view bytes) {
  // A pipe that can be written to takes PIPE_BUF bytes; more might wait.
  const ssize_t count = write(fd, bytes.data(), std::min<size_t>(bytes.size(), PIPE_BUF));
  return count < 0 ? std::nullopt : std::optional(static_cast<size_t>(count));
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

bool has_bytes_waiting(int fd, short /*events*/) {
  int bytes = 0;
  return ioctl(fd, FIONREAD, &bytes) == 0 && bytes > 0;
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
  poll(waiting.data(), static_cast<nfds_t>(waiting.size()), static_cast<int>(most.count()));
}

}  // namespace xtrace
