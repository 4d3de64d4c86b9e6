#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace xtrace {

/// A file descriptor that closes itself.
class File {
 public:
  explicit File(int fd = -1) : fd_(fd) {}
  File(File&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  File& operator=(File&& other) noexcept;
  ~File();
  int fd() const { return fd_; }

 private:
  int fd_;
};

Result<File> open_to_read(const std::string& path);

/// One input that will be read: a file that can be read at any place, or a stream.
struct Input {
  std::string path;  ///< as the user named it, or as it is found below a folder they named
  uint64_t bytes = 0;
  bool seekable = true;
  bool listed = true;  ///< the user named this very file; what is below a folder may be anything
  File stream;         ///< open if not seekable
};

/// Looks up what the user named. A folder stands for the regular files below it, in the order of
/// their names, hidden ones left out.
Result<std::vector<Input>> find_inputs(const std::vector<std::string>& paths);

}  // namespace xtrace
