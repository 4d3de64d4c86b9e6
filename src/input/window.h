#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace xtrace {

/// A moving view of a file or pipe. Bytes are read in blocks that fit the cache; memory grows with
/// the longest record, never with the file. Behind the bytes there is always the room that simdjson
/// reads beyond its input.
class Window {
 public:
  /// Reads from `offset` on; a pipe (`seekable` false) from where it is. Does not own `fd`.
  Window(int fd, uint64_t offset, bool seekable);

  /// Reads another block behind the bytes at hand. False at the end, or when reading failed.
  bool grow();
  /// What was read and not yet dropped. Valid until grow() or drop().
  std::string_view bytes() const { return {buffer_.get() + begin_, end_ - begin_}; }
  void drop(size_t count) { begin_ += count; }
  /// Where bytes() begins in the file.
  uint64_t offset() const { return read_ - (end_ - begin_); }
  /// errno of a failed read, else 0.
  int failed() const { return failed_; }

 private:
  void make_room();

  int fd_;
  bool seekable_;
  int failed_ = 0;
  uint64_t read_;  ///< offset behind the last byte read
  std::unique_ptr<char[]> buffer_;
  size_t capacity_ = 0, begin_ = 0, end_ = 0;
};

}  // namespace xtrace
