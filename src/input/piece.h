#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "input/bytes/inputs.h"
#include "input/bytes/sniff.h"
#include "input/bytes/window.h"
#include "input/common/line_range.h"
#include "input/common/loading.h"
#include "input/reader.h"

namespace xtrace {

/// A part of an input that one thread reads. A line belongs to the piece in which it begins.
struct Piece {
  static constexpr uint64_t kToTheEnd = UINT64_MAX;
  uint32_t source = 0;
  uint64_t begin = 0, end = kToTheEnd;
  Framing framing = Framing::lines;
  bool is_first = false;    ///< nothing but a byte order mark precedes it
  uint32_t first_line = 0;  ///< the number of the first line; 0: it follows from the pieces before
  /// What of it is read, by place, where that is not all; each a stretch of the shard.
  std::vector<LineRange> ranges{};
};

/// Reads the records of the piece. `stream` is the input if it cannot be read from `begin`; it is
/// read to its end.
Status read_piece(const Piece& piece, const Input& input, Window* stream, Reader& reader,
                  Progress& progress);

}  // namespace xtrace
