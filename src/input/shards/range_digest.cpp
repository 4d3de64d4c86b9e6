#include "input/shards/range_digest.h"

#include <algorithm>
#include <cerrno>
#include <vector>

#include "base/file.h"
#include "base/sha256.h"
#include "input/bytes/flow.h"

namespace xtrace {

namespace {

/// False: errno says why.
bool read_blocks(const File& file, uint64_t begin, uint64_t end, std::vector<char>& room,
                 const std::function<void(std::string_view)>& each) {
  for (uint64_t at = begin; at < end;) {
    const size_t most = static_cast<size_t>(std::min<uint64_t>(room.size(), end - at));
    const std::optional<size_t> count = read_at(file.fd(), room.data(), most, at);
    if (!count) return false;
    if (*count == 0) return true;  // what became shorter has another digest
    each(std::string_view(room.data(), *count));
    at += *count;
  }
  return true;
}

}  // namespace

Status each_block(const std::string& path, uint64_t begin, uint64_t end,
                  const std::function<void(std::string_view)>& each) {
  Result<File> file = open_regular(path);
  if (!file) return tl::unexpected(file.error());
  std::vector<char> room(kBlock);
  if (!read_blocks(*file, begin, end, room, each)) return cannot("read", path, errno);
  return {};
}

Result<std::string> sha256_of_ranges(const std::string& path, std::span<const LineRange> ranges) {
  Result<File> file = open_regular(path);
  if (!file) return tl::unexpected(file.error());
  Sha256 digest;
  std::vector<char> room(kBlock);
  for (const LineRange& range : ranges)
    if (!read_blocks(*file, range.begin, range.end, room,
                     [&](std::string_view bytes) { digest.add(bytes); }))
      return cannot("read", path, errno);
  return digest.hex();
}

}  // namespace xtrace
