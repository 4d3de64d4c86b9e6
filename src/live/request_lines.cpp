#include "live/request_lines.h"

#include <array>
#include <cerrno>

#include "base/system.h"

namespace xtrace {

std::vector<std::string> RequestLines::take() {
  std::array<char, 4096> block;
  while (fd_ >= 0 && can_read(fd_)) {
    const std::optional<size_t> count = read_from(fd_, block.data(), block.size());
    if (!count && errno == EAGAIN) break;
    if (count.value_or(0) > 0) {
      begun_.append(block.data(), *count);
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
