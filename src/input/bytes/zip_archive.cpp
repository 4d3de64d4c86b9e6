#include "input/bytes/zip_archive.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <cerrno>
#include <unordered_map>

#include "base/text.h"
#include "input/bytes/bomb.h"
#include "input/bytes/decoder.h"
#include "input/bytes/flow.h"

namespace xtrace {

/// The file as libzip sees it, with a position of its own: others read in the file as well.
struct ZipBytes {
  int fd = -1;
  uint64_t size = 0, at = 0;
  zip_error_t error{};
};

namespace {

constexpr uint16_t kStored = 0, kDeflated = 8, kZstd = 93;

zip_int64_t read_bytes(void* state, void* data, zip_uint64_t size, zip_source_cmd_t command) {
  ZipBytes& bytes = *static_cast<ZipBytes*>(state);
  switch (command) {
    case ZIP_SOURCE_SUPPORTS:
      return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                            ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
                                            ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, -1);
    case ZIP_SOURCE_OPEN: bytes.at = 0; return 0;
    case ZIP_SOURCE_READ: {
      const std::optional<size_t> count =
          read_at(bytes.fd, static_cast<char*>(data), static_cast<size_t>(size), bytes.at);
      if (!count) {
        zip_error_set(&bytes.error, ZIP_ER_READ, errno);
        return -1;
      }
      bytes.at += *count;
      return static_cast<zip_int64_t>(*count);
    }
    case ZIP_SOURCE_STAT: {
      zip_stat_t* status = static_cast<zip_stat_t*>(data);
      zip_stat_init(status);
      status->valid = ZIP_STAT_SIZE;
      status->size = bytes.size;
      return sizeof *status;
    }
    case ZIP_SOURCE_SEEK: {
      const zip_int64_t to =
          zip_source_seek_compute_offset(bytes.at, bytes.size, data, size, &bytes.error);
      if (to < 0) return -1;
      bytes.at = static_cast<uint64_t>(to);
      return 0;
    }
    case ZIP_SOURCE_TELL: return static_cast<zip_int64_t>(bytes.at);
    case ZIP_SOURCE_ERROR: return zip_error_to_data(&bytes.error, data, size);
    default: return 0;
  }
}

}  // namespace

struct ZipArchive::Handle {
  explicit Handle(const ZipBytes& bytes) : file(bytes) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (zip != nullptr) zip_discard(zip);
  }
  ZipBytes file;
  zip_t* zip = nullptr;
};

ZipArchive::ZipArchive(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
ZipArchive::ZipArchive(ZipArchive&&) noexcept = default;
ZipArchive::~ZipArchive() = default;

bool is_zip(std::string_view head) {
  return head.starts_with("PK\x03\x04");
}

Result<ZipArchive> ZipArchive::open(const File& file, const std::string& path, uint64_t bytes) {
  const std::optional<FileStatus> status = file_status(file.fd());
  if (!status) return cannot("read", path, errno);
  auto handle = std::make_unique<Handle>(ZipBytes{.fd = file.fd(), .size = status->bytes});
  if (zip_source_t* source = zip_source_function_create(read_bytes, &handle->file, nullptr)) {
    handle->zip = zip_open_from_source(source, ZIP_RDONLY, nullptr);
    if (handle->zip == nullptr) zip_source_free(source);
  }
  if (handle->zip == nullptr)
    return fail(Exit::input, fmt::format("{}: a damaged or truncated zip archive; recover the rest "
                                         "with zip -FF FILE --out FIXED",
                                         printable(path)));
  ZipArchive archive(std::move(handle));
  archive.path_ = path;
  archive.bytes_ = bytes;
  const zip_int64_t count = zip_get_num_entries(archive.handle_->zip, 0);
  std::unordered_map<std::string, size_t> known;
  for (zip_int64_t i = 0; i < count; ++i) {
    const zip_uint64_t index = static_cast<zip_uint64_t>(i);
    const char* name = zip_get_name(archive.handle_->zip, index, ZIP_FL_ENC_RAW);
    if (name == nullptr) continue;
    auto [at, is_new] = known.emplace(name, archive.entries_.size());
    if (is_new)
      archive.entries_.push_back({name, index});
    else
      archive.entries_[at->second].index = index;
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
  zip_stat_t stat;
  if (zip_stat_index(handle_->zip, entry.index, 0, &stat) != 0) return "no such file";
  if (stat.comp_method == kZstd) return read_zstd(entry, take);
  if (stat.comp_method != kStored && stat.comp_method != kDeflated)
    return fmt::format("unsupported compression method {}", stat.comp_method);
  zip_file_t* file = zip_fopen_index(handle_->zip, entry.index, 0);
  if (file == nullptr) return std::string(zip_strerror(handle_->zip));
  std::string block(kBlock, '\0'), damage;
  Status taken;
  for (zip_int64_t count; taken && (count = zip_fread(file, block.data(), kBlock)) != 0;) {
    if (count < 0) {
      damage = zip_file_strerror(file);
      break;
    }
    unpacked_ += static_cast<uint64_t>(count);
    taken = sound();
    if (taken) taken = take(std::string_view(block).substr(0, static_cast<size_t>(count)));
  }
  zip_fclose(file);
  if (!taken) return tl::unexpected(taken.error());
  return damage;
}

/// libzip itself knows zstd in its newer versions alone.
Result<std::string> ZipArchive::read_zstd(const Entry& entry,
                                          const std::function<Status(std::string_view)>& take) {
  zip_file_t* file = zip_fopen_index(handle_->zip, entry.index, ZIP_FL_COMPRESSED);
  if (file == nullptr) return std::string(zip_strerror(handle_->zip));
  Decoder decoder(Compression::zstd, Decoder::kUsualWindow);
  std::string packed(kBlock, '\0'), block(kBlock, '\0'), damage;
  Status taken;
  while (taken && damage.empty()) {
    const zip_int64_t count = zip_fread(file, packed.data(), kBlock);
    if (count < 0) damage = zip_file_strerror(file);
    if (count <= 0) break;
    std::string_view rest = std::string_view(packed).substr(0, static_cast<size_t>(count));
    for (size_t got = 1; taken && (got > 0 || !rest.empty());) {
      const size_t before = rest.size();
      got = decoder.decode(rest, block.data(), kBlock);
      unpacked_ += got;
      taken = sound();
      if (taken && got > 0) taken = take(std::string_view(block).substr(0, got));
      if (got == 0 && rest.size() == before) break;
    }
    const Decoder::State state = decoder.state();
    if (state == Decoder::State::damaged) damage = decoder.why();
    if (state == Decoder::State::too_large || state == Decoder::State::no_memory)
      damage = "unpacking it takes too much memory";
  }
  zip_fclose(file);
  if (!taken) return tl::unexpected(taken.error());
  if (damage.empty() && decoder.state() == Decoder::State::inside) damage = "it ends too early";
  return damage;
}

}  // namespace xtrace
