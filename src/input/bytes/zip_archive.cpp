#include "input/bytes/zip_archive.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/text.h"
#include "input/bytes/bomb.h"
#include "input/bytes/decoder.h"
#include "input/bytes/flow.h"

// Read here rather than by libzip, which for the sake of encryption loads all of OpenSSL: a quarter
// of the time that the program took to start.

namespace xtrace {

namespace {

constexpr uint16_t kStored = 0, kDeflated = 8, kZstd = 93;
constexpr uint16_t kEncrypted = 1;  // of flags
// Where a number needs 64 bits, its 32 or 16 bits are all set, and it is elsewhere.
constexpr uint64_t kElsewhere = UINT32_MAX, kShortElsewhere = UINT16_MAX;
constexpr uint64_t kZip64 = 1;  // the extra field that has such numbers

// Bytes of the records, without names, extra fields and comments.
constexpr size_t kHeadBytes = 30, kRowBytes = 46, kEndBytes = 22, kEnd64Bytes = 56;
constexpr size_t kLocatorBytes = 20, kLongestComment = UINT16_MAX;
constexpr std::string_view kHeadMark = "PK\3\4", kRowMark = "PK\1\2", kEndMark = "PK\5\6";
constexpr std::string_view kEnd64Mark = "PK\6\6", kLocatorMark = "PK\6\7";

uint64_t little_endian(std::string_view bytes, size_t at, size_t length) {
  uint64_t number = 0;
  for (size_t i = length; i-- > 0;)
    number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

/// `size` bytes of the file from `at`; nothing where it has fewer or they cannot be read.
std::optional<std::string> bytes_at(const File& file, uint64_t at, size_t size) {
  std::string bytes(size, '\0');
  size_t got = 0;
  while (got < size) {
    const std::optional<size_t> count =
        read_at(file.fd(), bytes.data() + got, size - got, at + got);
    if (!count || *count == 0) return std::nullopt;
    got += *count;
  }
  return bytes;
}

/// Where the table of contents is, and how much of it.
struct Contents {
  uint64_t at = 0, bytes = 0, rows = 0;
};

/// What the last record says, which only a comment follows.
std::optional<Contents> find_contents(const File& file, uint64_t bytes) {
  if (bytes < kEndBytes) return std::nullopt;
  const size_t size = static_cast<size_t>(std::min<uint64_t>(bytes, kEndBytes + kLongestComment));
  const uint64_t begin = bytes - size;
  const std::optional<std::string> tail = bytes_at(file, begin, size);
  if (!tail) return std::nullopt;
  size_t end = tail->size() - kEndBytes + 1;
  do {
    if (end == 0) return std::nullopt;
    end = tail->rfind(kEndMark, end - 1);
    if (end == std::string::npos) return std::nullopt;
  } while (end + kEndBytes + little_endian(*tail, end + 20, 2) > tail->size());
  Contents contents{.at = little_endian(*tail, end + 16, 4),
                    .bytes = little_endian(*tail, end + 12, 4),
                    .rows = little_endian(*tail, end + 10, 2)};
  const bool is_small =
      contents.at != kElsewhere && contents.bytes != kElsewhere && contents.rows != kShortElsewhere;
  if (!is_small && begin + end >= kLocatorBytes) {
    const auto locator = bytes_at(file, begin + end - kLocatorBytes, kLocatorBytes);
    if (locator && locator->starts_with(kLocatorMark)) {
      const auto end64 = bytes_at(file, little_endian(*locator, 8, 8), kEnd64Bytes);
      if (!end64 || !end64->starts_with(kEnd64Mark)) return std::nullopt;
      contents = {.at = little_endian(*end64, 48, 8),
                  .bytes = little_endian(*end64, 40, 8),
                  .rows = little_endian(*end64, 32, 8)};
    }
  }
  if (contents.at > bytes || contents.bytes > bytes - contents.at) return std::nullopt;
  return contents;
}

/// Numbers of 64 bits are in the order of those of 32 bits that they stand in for.
bool read_zip64(std::string_view extra, ZipArchive::Entry& entry) {
  while (extra.size() >= 4) {
    const uint64_t tag = little_endian(extra, 0, 2);
    const size_t length = static_cast<size_t>(little_endian(extra, 2, 2));
    if (length > extra.size() - 4) return false;
    if (tag == kZip64) {
      std::string_view numbers = extra.substr(4, length);
      for (uint64_t* number : {&entry.unpacked_bytes, &entry.packed_bytes, &entry.at}) {
        if (*number != kElsewhere) continue;
        if (numbers.size() < 8) return false;
        *number = little_endian(numbers, 0, 8);
        numbers.remove_prefix(8);
      }
      return true;
    }
    extra.remove_prefix(4 + length);
  }
  return true;
}

/// A row of the table of contents, from which it takes its bytes; nothing where it is none.
std::optional<ZipArchive::Entry> read_row(const File& file, Contents& rest) {
  if (rest.bytes < kRowBytes) return std::nullopt;
  const std::optional<std::string> row = bytes_at(file, rest.at, kRowBytes);
  if (!row || !row->starts_with(kRowMark)) return std::nullopt;
  ZipArchive::Entry entry{
      .name = {},
      .at = little_endian(*row, 42, 4),
      .packed_bytes = little_endian(*row, 20, 4),
      .unpacked_bytes = little_endian(*row, 24, 4),
      .crc = static_cast<uint32_t>(little_endian(*row, 16, 4)),
      .flags = static_cast<uint16_t>(little_endian(*row, 8, 2)),
      .method = static_cast<uint16_t>(little_endian(*row, 10, 2)),
  };
  const size_t name = static_cast<size_t>(little_endian(*row, 28, 2));
  const size_t extra = static_cast<size_t>(little_endian(*row, 30, 2));
  const size_t whole = kRowBytes + name + extra + static_cast<size_t>(little_endian(*row, 32, 2));
  if (whole > rest.bytes) return std::nullopt;
  const std::optional<std::string> texts = bytes_at(file, rest.at + kRowBytes, name + extra);
  if (!texts || !read_zip64(std::string_view(*texts).substr(name), entry)) return std::nullopt;
  entry.name = texts->substr(0, name);
  rest.at += whole;
  rest.bytes -= whole;
  return entry;
}

/// Unpacks what deflate has packed, without a header around it.
class Inflater {
 public:
  Inflater() : is_ready_(inflateInit2(&stream_, -MAX_WBITS) == Z_OK) {}
  Inflater(const Inflater&) = delete;  // zlib points back at its stream
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  bool is_ready() const { return is_ready_; }
  bool is_at_end() const { return answer_ == Z_STREAM_END; }
  bool is_damaged() const {
    return answer_ != Z_OK && answer_ != Z_BUF_ERROR && answer_ != Z_STREAM_END;
  }
  /// As Decoder::decode() does; `room` and `packed` are blocks.
  size_t decode(std::string_view& packed, char* to, size_t room) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(room);
    answer_ = inflate(&stream_, Z_NO_FLUSH);
    packed.remove_prefix(packed.size() - stream_.avail_in);
    return room - stream_.avail_out;
  }

 private:
  z_stream stream_{};
  bool is_ready_;
  int answer_ = Z_OK;
};

/// Unpacks one file, however it is packed.
class Unpacker {
 public:
  explicit Unpacker(uint16_t method) {
    if (method == kZstd) zstd_.emplace(Compression::zstd, Decoder::kUsualWindow);
    if (method == kDeflated) deflated_.emplace();
  }

  size_t decode(std::string_view& packed, char* to, size_t room) {
    if (zstd_) return zstd_->decode(packed, to, room);
    if (deflated_)
      return is_at_end() || !deflated_->is_ready() ? 0 : deflated_->decode(packed, to, room);
    const size_t count = std::min(packed.size(), room);
    std::copy_n(packed.data(), count, to);
    packed.remove_prefix(count);
    return count;
  }
  bool is_at_end() const {
    if (zstd_) return zstd_->state() == Decoder::State::between;
    return !deflated_ || deflated_->is_at_end();
  }
  /// Why it goes no further; empty: it does.
  std::string damage() const {
    constexpr std::string_view kTooMuch = "unpacking it takes too much memory";
    if (deflated_) {
      if (!deflated_->is_ready()) return std::string(kTooMuch);
      return deflated_->is_damaged() ? "its compressed data is damaged" : "";
    }
    if (!zstd_) return {};
    const Decoder::State state = zstd_->state();
    if (state == Decoder::State::damaged) return zstd_->why();
    if (state == Decoder::State::too_large || state == Decoder::State::no_memory)
      return std::string(kTooMuch);
    return {};
  }

 private:
  std::optional<Decoder> zstd_;
  std::optional<Inflater> deflated_;
};

}  // namespace

bool is_zip(std::string_view head) {
  return head.starts_with(kHeadMark);
}

Result<ZipArchive> ZipArchive::open(const File& file, const std::string& path, uint64_t bytes) {
  const std::optional<FileStatus> status = file_status(file.fd());
  if (!status) return cannot("read", path, errno);
  const auto damaged = [&] {
    return fail(Exit::input, fmt::format("{}: a damaged or truncated zip archive; recover the rest "
                                         "with zip -FF FILE --out FIXED",
                                         printable(path)));
  };
  std::optional<Contents> rest = find_contents(file, status->bytes);
  if (!rest) return damaged();
  ZipArchive archive(file, path, bytes);
  std::unordered_map<std::string, size_t> known;
  for (uint64_t i = 0; i < rest->rows; ++i) {
    std::optional<Entry> entry = read_row(file, *rest);
    if (!entry) return damaged();
    auto [at, is_new] = known.emplace(entry->name, archive.entries_.size());
    if (is_new)
      archive.entries_.push_back(*std::move(entry));
    else
      archive.entries_[at->second] = *std::move(entry);
  }
  return archive;
}

const ZipArchive::Entry* ZipArchive::find(std::string_view name) const {
  auto at = std::find_if(entries_.begin(), entries_.end(),
                         [&](const Entry& entry) { return entry.name == name; });
  return at == entries_.end() ? nullptr : &*at;
}

Status ZipArchive::sound() const {
  if (!unpacks_like_a_bomb(unpacked_, bytes_, kMostOfGzip)) return {};
  return fail(Exit::input,
              fmt::format("{}: unpacks to more than {} times its size, like a decompression bomb; "
                          "if you trust it, unpack it yourself and read the result",
                          printable(path_), kMostOfGzip));
}

Result<std::string> ZipArchive::read(const Entry& entry,
                                     const std::function<Status(std::string_view)>& take) {
  if ((entry.flags & kEncrypted) != 0) return "it is encrypted";
  if (entry.method != kStored && entry.method != kDeflated && entry.method != kZstd)
    return fmt::format("unsupported compression method {}", entry.method);
  const std::optional<std::string> head = bytes_at(*file_, entry.at, kHeadBytes);
  if (!head || !head->starts_with(kHeadMark)) return "its header is not where it should be";
  uint64_t at = entry.at + kHeadBytes + little_endian(*head, 26, 2) + little_endian(*head, 28, 2);
  uint64_t left = entry.packed_bytes, count = 0;
  uLong crc = crc32(0, nullptr, 0);
  Unpacker unpacker(entry.method);
  std::string packed(kBlock, '\0'), block(kBlock, '\0'), damage;
  Status taken;
  while (taken && damage.empty() && left > 0) {
    const size_t wanted = static_cast<size_t>(std::min<uint64_t>(left, kBlock));
    const std::optional<size_t> got = read_at(file_->fd(), packed.data(), wanted, at);
    if (!got || *got == 0) return "it ends too early";
    at += *got;
    left -= *got;
    std::string_view rest = std::string_view(packed).substr(0, *got);
    for (size_t made = 1; taken && damage.empty() && (made > 0 || !rest.empty());) {
      const size_t before = rest.size();
      made = unpacker.decode(rest, block.data(), kBlock);
      unpacked_ += made;
      count += made;
      taken = sound();
      crc = crc32(crc, reinterpret_cast<const Bytef*>(block.data()), static_cast<uInt>(made));
      if (taken && made > 0) taken = take(std::string_view(block).substr(0, made));
      damage = unpacker.damage();
      if (made == 0 && rest.size() == before) break;
    }
  }
  if (!taken) return tl::unexpected(taken.error());
  if (!damage.empty()) return damage;
  if (!unpacker.is_at_end()) return "it ends too early";
  if (count != entry.unpacked_bytes || crc != entry.crc)
    return "its checksum is not that of its contents";
  return "";
}

}  // namespace xtrace
