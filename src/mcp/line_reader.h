#pragma once

#include <optional>
#include <string>

namespace xtrace::mcp {

/// A request is some hundred bytes long; what a client may write before it has to end the line.
inline constexpr size_t kLongestLine = 1 << 20;

/// Reads lines from a stream; memory is bounded, however long a line is.
class LineReader {
 public:
  explicit LineReader(int fd) : fd_(fd) {}

  struct Line {
    std::string text;
    bool is_too_long = false;  ///< then the text is empty
  };
  /// Waits for the next line that is not blank; nothing at the end. The last may have no newline.
  std::optional<Line> next();

 private:
  bool fill();

  int fd_;
  std::string read_;  ///< and not returned yet
  size_t searched_ = 0;
};

}  // namespace xtrace::mcp
