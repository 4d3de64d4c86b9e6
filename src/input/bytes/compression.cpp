#include "input/bytes/compression.h"

namespace xtrace {

namespace {

/// zstd's programs may put a frame for others to skip before the first one.
bool is_skippable_frame(std::string_view head) {
  return head.size() >= 4 && (static_cast<unsigned char>(head[0]) & 0xf0) == 0x50 &&
         head.substr(1, 3) == "\x2a\x4d\x18";
}

}  // namespace

Compression compression_of(std::string_view head) {
  if (head.starts_with("\x1f\x8b")) return Compression::gzip;
  if (head.starts_with("\x28\xb5\x2f\xfd") || is_skippable_frame(head)) return Compression::zstd;
  return Compression::none;
}

}  // namespace xtrace
