#include "live/request_lines.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace xtrace {

std::vector<std::string> RequestLines::take() {
  std::array<char, 4096> block;
  for (pollfd ready{fd_, POLLIN, 0}; fd_ >= 0 && poll(&ready, 1, 0) > 0;) {
    ssize_t count = read(fd_, block.data(), block.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) break;
    if (count > 0) {
      begun_.append(block.data(), static_cast<size_t>(count));
      continue;
    }
    fd_ = -1;
    if (!begun_.empty()) begun_ += '\n';  // the last line may lack its newline
  }
  std::vector<std::string> lines;
  for (size_t end; (end = begun_.find('\n')) != std::string::npos; begun_.erase(0, end + 1))
    if (begun_.find_first_not_of(" \t\r") < end) lines.push_back(begun_.substr(0, end));
  return lines;
}

}  // namespace xtrace
