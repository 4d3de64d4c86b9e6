#include "mcp/line_reader.h"

#include <array>
#include <cerrno>

#include "base/system.h"

namespace xtrace::mcp {

bool LineReader::fill() {
  std::array<char, 1 << 16> block;  // what a pipe holds
  std::optional<size_t> count;
  do count = read_from(fd_, block.data(), block.size());
  while (!count && errno == EINTR);
  if (count.value_or(0) == 0) return false;
  read_.append(block.data(), *count);
  return true;
}

std::optional<LineReader::Line> LineReader::next() {
  bool is_too_long = false;
  for (;;) {
    const size_t end = read_.find('\n', searched_);
    const bool has_line = end != std::string::npos;
    if (!has_line) {
      searched_ = read_.size();
      if (read_.size() > kLongestLine) {
        is_too_long = true;
        read_.clear();
        searched_ = 0;
      }
      if (fill()) continue;
      if (read_.empty() && !is_too_long) return std::nullopt;
    }
    Line line{.text = read_.substr(0, end), .is_too_long = is_too_long};
    read_.erase(0, has_line ? end + 1 : read_.size());
    searched_ = 0;
    if (line.text.size() > kLongestLine) line.is_too_long = true;
    if (line.is_too_long) line.text.clear();
    if (line.is_too_long || line.text.find_first_not_of(" \t\r") != std::string::npos) return line;
    if (!has_line) return std::nullopt;
  }
}

}  // namespace xtrace::mcp
