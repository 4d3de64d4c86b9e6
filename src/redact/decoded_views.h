#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xtrace {

/// A part of a text as whoever decodes it would read it, with the way back to the bytes it came
/// from.
struct DecodedView {
  std::string text;
  size_t begin = 0, end = 0;  ///< the part, in bytes of the source
  /// Source offset of every byte of `text`, and one more for its end. Empty when the part decodes
  /// only as a whole (base64, hex).
  std::vector<uint32_t> origin;

  /// The source bytes that hold [from, to) of `text`.
  std::pair<size_t, size_t> source(size_t from, size_t to) const {
    if (origin.empty()) return {begin, end};
    return {origin[from], origin[to]};
  }
};

/// The views of `text` one step of decoding away: escapes of JSON; percent escapes, HTML entities
/// and invisible characters (zero-width, NUL, lone CR); printable stretches in base64 and hex runs.
/// Ordinary text has none and costs about a nanosecond a byte. Escapes that lie apart get a view
/// each, with 256 bytes around them. Sources beyond 4 GB have no views.
std::vector<DecodedView> decoded_views(std::string_view text);

}  // namespace xtrace
