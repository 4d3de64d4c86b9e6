#pragma once

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/file.h"
#include "reading.h"

namespace xtrace {

/// Reads a pipe that says `told`, and logs behind it while something happens to them: when the pipe
/// is looked into, the logs were found, and nothing of them was read.
template <class Happens>
Result<Trace> load_while(const Folder& folder, const std::vector<std::string>& logs,
                         std::string_view told, Happens happens, const LoadOptions& loading = {}) {
  const std::string fifo = folder.path() + "/fifo";
  if (mkfifo(fifo.c_str(), 0600) != 0) return cannot("make", fifo, errno);
  std::thread writer([&] {
    std::signal(SIGPIPE, SIG_IGN);
    File out(open(fifo.c_str(), O_WRONLY));
    int unread = write(out.fd(), "\n", 1) == 1 ? 1 : 0;
    while (unread > 0 && ioctl(out.fd(), FIONREAD, &unread) == 0) std::this_thread::yield();
    happens();
    static_cast<void>(!write(out.fd(), told.data(), told.size()));
  });
  std::vector<std::string> paths = {fifo};
  paths.insert(paths.end(), logs.begin(), logs.end());
  Progress progress;
  Result<Trace> trace = load(paths, loading, progress);
  writer.join();
  return trace;
}

}  // namespace xtrace
