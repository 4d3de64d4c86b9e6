#pragma once

#include <optional>
#include <string>

#include "input/growing/generation.h"

namespace xtrace {

/// Follows one path: gives out what is appended to the file there, line by line, and goes on with
/// the next file when another one takes its place. A line counts when its newline is there, so
/// writers may tear lines and may take turns; the last one counts without when nothing can follow.
class Tail {
 public:
  /// The `argument`th path that the user named, or one below it.
  Tail(uint32_t argument, std::string path, Generations& generations)
      : path_(std::move(path)), argument_(argument), generations_(generations) {}
  /// Of an open stream that `path` is the name of; whoever opened it closes it.
  Tail(uint32_t argument, std::string path, int stream, Generations& generations)
      : Tail(argument, std::move(path), generations) {
    stream_ = stream;
  }

  /// Adds to `growth` what came since the last time. An Error: there is nowhere to keep it.
  Status read(Growth& growth);
  /// Nothing follows any more: the last line counts, even if no newline ends it.
  Status end(Growth& growth);

  const std::string& path() const { return path_; }
  /// Has anything been there?
  bool was_there() const { return now_.has_value(); }
  /// Is it a stream, and over?
  bool ended() const { return ended_; }
  /// To wait on, where it is a stream; -1: a file, which is always ready.
  int stream() const { return ended_ ? -1 : stream_; }

 private:
  /// A file as far as it was read.
  struct Opened {
    File file;
    FileStatus status = {};  ///< when it was read
    uint64_t read = 0;       ///< bytes
    uint64_t given = 0;      ///< of these, in lines that were given out
    uint64_t scanned = 0;    ///< no newline is between `given` and this
    uint32_t lines = 0;
    uint32_t generation = 0;
    bool is_known = false;  ///< what it holds: lines, or something that is read as a whole
  };

  Status open_next(Growth& growth);
  Status begin(Opened& opened);
  Status read_on(Opened& opened, Growth& growth);
  Status copy(Opened& opened, bool& grew);
  Status read_stream(Opened& opened, bool& grew);
  void find_out(Opened& opened, bool ended, Growth& growth);
  Status read_anew(Opened& opened, const FileStatus& status, Growth& growth);
  void give_lines(Opened& opened, Growth& growth);
  Status finish(Opened& opened, Growth& growth);
  Status restart(Opened& opened, Growth& growth);

  std::string path_;
  uint32_t argument_;
  Generations& generations_;
  int stream_ = -1;
  bool ended_ = false;
  std::optional<Opened> before_;  ///< the file that was here last: somebody may still write to it
  std::optional<Opened> now_;
};

}  // namespace xtrace
