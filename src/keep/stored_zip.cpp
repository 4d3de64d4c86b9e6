#include "keep/stored_zip.h"

#include <array>
#include <cstdint>

namespace xtrace {

namespace {

constexpr uint64_t kMostBytes = UINT32_MAX;  // more needs ZIP64, which not every reader knows
constexpr size_t kMostFiles = UINT16_MAX - 1;

constexpr std::array<uint32_t, 256> kCrcTable = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < table.size(); ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value % 2 == 1 ? 0xedb88320U : 0);
    table[i] = value;
  }
  return table;
}();

uint32_t crc_of(std::string_view bytes) {
  uint32_t crc = UINT32_MAX;
  for (const char byte : bytes)
    crc = kCrcTable[(crc ^ static_cast<unsigned char>(byte)) & 255] ^ crc >> 8;
  return ~crc;
}

void put(std::string& out, uint64_t number, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i) & 255);
}

uint64_t number_at(std::string_view bytes, size_t at, size_t length) {
  uint64_t number = 0;
  for (size_t i = length; i-- > 0;)
    number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

/// What the head of a file and its row of the directory share.
void put_file(std::string& out, const std::string& name, const std::string& bytes, uint32_t crc) {
  put(out, 20, 2);      // version 2.0 can read it
  put(out, 0x0800, 2);  // names are UTF-8
  put(out, 0, 2);       // stored
  put(out, 0, 2);       // at midnight
  put(out, 0x0021, 2);  // of 1 January 1980
  put(out, crc, 4);
  put(out, bytes.size(), 4);
  put(out, bytes.size(), 4);
  put(out, name.size(), 2);
  put(out, 0, 2);  // no extra field
}

constexpr size_t kEnd = 22, kRow = 46, kHead = 30;  // bytes of the records, without names
constexpr std::string_view kEndMark = "PK\5\6", kRowMark = "PK\1\2", kHeadMark = "PK\3\4";

/// The files, if the bytes are an archive at all.
Result<PackFiles> files_of(std::string_view bytes) {
  const auto damaged = [] {
    return fail(Exit::no, "not a ZIP archive that xtrace wrote, or damaged");
  };
  if (bytes.size() < kEnd || bytes.substr(bytes.size() - kEnd, 4) != kEndMark) return damaged();
  const size_t end = bytes.size() - kEnd;
  const size_t count = number_at(bytes, end + 10, 2);
  PackFiles files;
  for (size_t i = 0, row = number_at(bytes, end + 16, 4); i < count; ++i) {
    if (row > end || end - row < kRow || bytes.substr(row, 4) != kRowMark) return damaged();
    const size_t size = number_at(bytes, row + 24, 4), name = number_at(bytes, row + 28, 2);
    const size_t head = number_at(bytes, row + 42, 4);
    if (end - row < kRow + name || head > end || end - head < kHead + name + size ||
        bytes.substr(head, 4) != kHeadMark)
      return damaged();
    files.emplace(bytes.substr(row + kRow, name), bytes.substr(head + kHead + name, size));
    row += kRow + name;
  }
  return files;
}

}  // namespace

Result<std::string> stored_zip(const PackFiles& files) {
  uint64_t total = kEnd;
  for (const auto& [name, bytes] : files) total += kHead + kRow + 2 * name.size() + bytes.size();
  if (total > kMostBytes || files.size() > kMostFiles)
    return fail(Exit::output, "too large for a .zip file (4 GB, 65,534 files); write a folder");
  std::string out, directory;
  out.reserve(total);
  for (const auto& [name, bytes] : files) {
    const uint32_t crc = crc_of(bytes);
    directory += kRowMark;
    put(directory, 0x0314, 2);  // as Unix writes it, so that the permissions below count
    put_file(directory, name, bytes, crc);
    put(directory, 0, 2);               // no comment
    put(directory, 0, 2);               // on the first disk
    put(directory, 0, 2);               // nothing is known of the contents
    put(directory, 0100644U << 16, 4);  // a file that everybody may read
    put(directory, out.size(), 4);
    directory += name;
    out += kHeadMark;
    put_file(out, name, bytes, crc);
    out += name;
    out += bytes;
  }
  const size_t begin = out.size();
  out += directory;
  out += kEndMark;
  put(out, 0, 4);  // of one disk
  put(out, files.size(), 2);
  put(out, files.size(), 2);
  put(out, directory.size(), 4);
  put(out, begin, 4);
  put(out, 0, 2);  // no comment
  return out;
}

Result<PackFiles> read_stored_zip(std::string_view bytes) {
  Result<PackFiles> files = files_of(bytes);
  if (!files) return files;
  // Every byte counts: also the dates, flags and gaps that readers of archives pass over.
  const Result<std::string> again = stored_zip(*files);
  if (!again || *again != bytes)
    return fail(Exit::no,
                "the ZIP archive is not as xtrace wrote it: its files are readable, but "
                "bytes around them differ");
  return files;
}

}  // namespace xtrace
