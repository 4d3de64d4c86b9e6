#pragma once

#include <string>

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

/// Of a pipe, waits for somebody who writes to it.
Result<File> open_to_read(const std::string& path);

/// Nothing is waited for: a pipe or device is an error.
Result<File> open_regular(const std::string& path);

/// `cannot open 'logs.jsonl': Permission denied`, of an input.
tl::unexpected<Error> cannot(std::string_view verb, std::string_view path, int error);
/// The same of an output; names the folder where that is what is missing.
tl::unexpected<Error> cannot_write(const std::string& path, int error);

}  // namespace xtrace
