#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/sha256.h"

namespace xtrace {

/// A moving view of a file or pipe. Large files are mapped, which saves copying what is only looked
/// at; pipes and small files are read in blocks. Either way memory grows with the longest record,
/// never with the file. Behind the bytes there is always the room that simdjson reads beyond its
/// input.
class Window {
 public:
  /// Views the bytes of a file from `begin` up to `end`. Does not own `fd`.
  Window(int fd, uint64_t begin, uint64_t end);
  /// Views a pipe from where it is to its end. `digests`: hashes what comes out of it.
  Window(int fd, bool digests);
  Window(Window&& other) noexcept;
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window();

  /// Adds another block behind the bytes at hand. False at the end, or when reading failed.
  bool grow();
  /// Adds what can be had for nothing: of a mapped file, enough to hold all but the longest lines.
  void look_ahead();
  /// What was read and not yet dropped. Valid until grow() or drop().
  std::string_view bytes() const { return {start_ + begin_, end_ - begin_}; }
  void drop(size_t count) { begin_ += count; }
  /// Where bytes() begins in the file.
  uint64_t offset() const { return read_ - (end_ - begin_); }
  /// errno of a failed read, else 0.
  int failed() const { return failed_; }
  /// Of all that came out of a pipe, if it was asked for.
  std::string sha256() const { return digest_ ? digest_->hex() : std::string(); }

 private:
  bool map();
  bool grow_mapped();
  ssize_t read_some();
  void make_room();

  int fd_;
  bool seekable_;
  bool ended_ = false;  ///< a terminal's end would have to be typed again
  int failed_ = 0;
  std::optional<Sha256> digest_;
  uint64_t read_;          ///< offset behind the last byte at hand
  uint64_t end_of_view_;   ///< of a file
  char* start_ = nullptr;  ///< begin_ and end_ count from here
  size_t begin_ = 0, end_ = 0;
  std::unique_ptr<char[]> buffer_;
  size_t capacity_ = 0;
  size_t mapped_ = 0;    ///< bytes of the file, if it is mapped
  size_t released_ = 0;  ///< bytes of the mapping whose memory was given back
};

}  // namespace xtrace
