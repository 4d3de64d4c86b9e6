#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/system_mapping.h"
#include "input/bytes/flow.h"
#include "input/bytes/read_ahead.h"

namespace xtrace {

/// A moving view of a file, pipe or archive. Large files are mapped, which saves copying what is
/// only looked at; all else is read in blocks. Either way memory grows with the longest record,
/// never with the file. Behind the bytes there is always the room that simdjson reads beyond its
/// input.
class Window {
 public:
  /// Views the bytes of a file from `begin` up to `end`. Does not own `fd`.
  Window(int fd, uint64_t begin, uint64_t end);
  /// Views all that comes out of a pipe or an archive.
  explicit Window(std::unique_ptr<Flow> flow);
  ~Window();
  Window(Window&& other) noexcept = default;
  Window& operator=(const Window&) = delete;

  /// Unpacks on another thread from now on, if there is anything to unpack.
  void read_ahead();

  /// Adds another block behind the bytes at hand. False at the end, or when reading failed.
  bool grow();
  /// Adds what can be had for nothing: of a mapped file, enough to hold all but the longest lines.
  void look_ahead();
  /// What was read and not yet dropped. Valid until grow() or drop().
  std::string_view bytes() const { return {start_ + begin_, end_ - begin_}; }
  void drop(size_t count) { begin_ += count; }
  /// Drops what precedes a place; of what is mapped, nothing of that is looked at.
  void drop_to(uint64_t offset);
  /// May whoever writes to the file change what bytes() shows? Then what is to be judged is copied
  /// before: a parser that looks twice must see the same twice.
  bool may_change() const { return mapping_.size() > 0; }
  /// Where bytes() begins in the file.
  uint64_t offset() const { return read_ - (end_ - begin_); }
  /// errno of a failed read of a file, else 0.
  int failed() const { return failed_; }
  /// Does the file end before the view, which it did not when it was found?
  bool became_shorter() const;
  /// Why nothing more came out of an archive; empty at its end, and before. What is at hand is
  /// whole.
  std::string_view damage() const;
  /// What it comes out of, if it is no file.
  const Flow* flow() const { return flow_.get(); }
  bool is_unpacked() const { return flow_ != nullptr && flow_->compression() != Compression::none; }

 private:
  bool grow_mapped();
  std::ptrdiff_t read_some();
  void make_room();

  int fd_ = -1;
  std::unique_ptr<Flow> flow_;
  std::unique_ptr<ReadAhead> ahead_;  ///< after the flow, which it uses
  bool shorter_ = false;
  bool ended_ = false;  ///< a terminal's end would have to be typed again
  int failed_ = 0;
  uint64_t read_ = 0;                  ///< offset behind the last byte at hand
  uint64_t end_of_view_ = UINT64_MAX;  ///< of a file
  char* start_ = nullptr;              ///< begin_ and end_ count from here
  size_t begin_ = 0, end_ = 0;
  std::unique_ptr<char[]> buffer_;
  size_t capacity_ = 0;
  Mapping mapping_;
  size_t released_ = 0;  ///< bytes of the mapping whose memory was given back
};

}  // namespace xtrace
