#include "input/parts/part_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/sha256.h"
#include "base/text.h"
#include "input/parts/whole_file.h"

namespace xtrace {

namespace {

// 2: relations and runs of tools were utterances, words in place of paths had no length
constexpr uint8_t kVersion = 4;
constexpr uint8_t kKeyed = 1, kArguments = 2;
constexpr size_t kSum = 32, kKeyId = 8, kName = 16;

void append_number(std::string& to, uint64_t value) {
  for (; value >= 0x80; value >>= 7) to += static_cast<char>(value | 0x80);
  to += static_cast<char>(value);
}

/// Reads what precedes the shards.
class Head {
 public:
  explicit Head(std::string_view bytes) : rest_(bytes) {}

  uint64_t number() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const uint8_t byte = static_cast<uint8_t>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    failed_ = true;
    return 0;
  }
  std::string_view take(uint64_t count) {
    failed_ |= count > rest_.size();
    if (failed_) return {};
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  bool failed() const { return failed_; }
  bool at_end() const { return !failed_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

tl::unexpected<Error> unsound(const std::string& path, std::string_view what) {
  return fail(Exit::input, fmt::format("{}: {}", printable(path), what));
}

}  // namespace

PackedShard::PackedShard(std::string packed)
    : name(sha256_bytes_of(packed).substr(0, kName)), bytes(std::move(packed)) {}

void FactsPart::take_over(const Seal& seal) {
  is_keyed = seal.is_keyed();
  key_id = seal.key_id();
}

bool is_part(std::string_view head) {
  return head.starts_with(kPartMagic);
}

std::string written_part(FactsPart part) {
  std::sort(part.shards.begin(), part.shards.end(),
            [](const PackedShard& a, const PackedShard& b) { return a.name < b.name; });
  part.shards.erase(std::unique(part.shards.begin(), part.shards.end(),
                                [](const PackedShard& a, const PackedShard& b) {
                                  return a.name == b.name && a.bytes == b.bytes;
                                }),
                    part.shards.end());
  std::string bytes(kPartMagic);
  bytes += static_cast<char>(kVersion);
  bytes += static_cast<char>((part.is_keyed ? kKeyed : 0) | (part.has_arguments ? kArguments : 0));
  bytes += part.key_id;
  append_number(bytes, part.program.size());
  bytes += part.program;
  append_number(bytes, part.shards.size());
  for (const PackedShard& shard : part.shards) append_number(bytes, shard.bytes.size());
  for (const PackedShard& shard : part.shards) bytes += shard.bytes;
  return bytes + sha256_bytes_of(bytes);
}

Result<FactsPart> read_part(std::string_view bytes, const std::string& path) {
  const size_t shortest = kPartMagic.size() + 2 + kKeyId + 2 + kSum;
  if (!is_part(bytes)) return unsound(path, "not a part written by `xtrace facts`");
  if (bytes.size() > kPartMagic.size()) {
    const uint8_t version = static_cast<uint8_t>(bytes[kPartMagic.size()]);
    if (version != kVersion)
      return unsound(path, fmt::format("a part of version {}, but this xtrace ({}) reads version "
                                       "{}; recreate the part with this xtrace{}",
                                       version, XTRACE_VERSION, kVersion,
                                       version > kVersion ? ", or use a newer one" : ""));
  }
  if (bytes.size() < shortest) return unsound(path, "the part is cut off; recreate it");
  const std::string_view body = bytes.substr(0, bytes.size() - kSum);
  if (sha256_bytes_of(body) != bytes.substr(body.size()))
    return unsound(path, "the part is cut off or damaged (wrong checksum); recreate it");
  const std::string_view flags = body.substr(kPartMagic.size() + 1, 1);
  FactsPart part;
  part.is_keyed = (static_cast<uint8_t>(flags.front()) & kKeyed) != 0;
  part.has_arguments = (static_cast<uint8_t>(flags.front()) & kArguments) != 0;
  Head head(body.substr(kPartMagic.size() + 2));
  part.key_id = head.take(kKeyId);
  part.program = head.take(head.number());
  std::vector<uint64_t> lengths(std::min<uint64_t>(head.number(), bytes.size()));
  for (uint64_t& length : lengths) length = head.number();
  for (uint64_t length : lengths)
    if (std::string shard(head.take(length)); !head.failed())
      part.shards.emplace_back(std::move(shard));
  if (!head.at_end()) return unsound(path, "the part is damaged; recreate it");
  return part;
}

Result<FactsPart> read_part_file(const std::string& path) {
  Result<std::string> bytes = whole_file(path);
  if (!bytes) return tl::unexpected(bytes.error());
  return read_part(*bytes, path);
}

std::string not_of_this_version(const std::string& path) {
  return fmt::format(
      "{}: not a part of this xtrace ({}); it may come from another version or build: recreate it",
      printable(path), XTRACE_VERSION);
}

Status join_parts(FactsPart more, const std::string& path, FactsPart& into) {
  if (into.program.empty()) {
    into = std::move(more);
    return {};
  }
  if (more.is_keyed != into.is_keyed || more.key_id != into.key_id)
    return fail(Exit::input, fmt::format("{}: made with {}, but other parts with {}; texts cannot "
                                         "be compared across keys: make all parts with one key",
                                         printable(path), more.is_keyed ? "a key" : "--open-hashes",
                                         into.is_keyed && more.is_keyed ? "another key"
                                         : into.is_keyed                ? "a key"
                                                                        : "--open-hashes"));
  into.program = std::max(into.program, more.program);
  into.has_arguments &= more.has_arguments;
  for (PackedShard& shard : more.shards) into.shards.push_back(std::move(shard));
  return {};
}

}  // namespace xtrace
