#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/result.h"

namespace xtrace {

/// Do these first bytes of a file belong to a ZIP archive?
bool is_zip(std::string_view head);

/// A ZIP archive: its files one by one, each from beginning to end, without taking more memory than
/// a block. One that unpacks to what no log is refused (unpacked_like_a_bomb). ZIP64 is read;
/// encrypted files and archives in several parts are not.
class ZipArchive {
 public:
  /// `file` outlives the archive; `path` is for what there is to say. An Error where it is no
  /// archive, or one cut off: its table of contents is at its end.
  static Result<ZipArchive> open(const File& file, const std::string& path, uint64_t bytes);

  /// A file, by what the table of contents says of it.
  struct Entry {
    std::string name;
    uint64_t at = 0;  ///< in the archive: where its own header begins
    uint64_t packed_bytes = 0, unpacked_bytes = 0;
    uint32_t crc = 0;  ///< of what is unpacked
    uint16_t flags = 0, method = 0;
  };
  /// In their order in the archive; of one that was written again the last counts.
  const std::vector<Entry>& entries() const { return entries_; }
  const Entry* find(std::string_view name) const;

  /// Hands `take` what is in a file, block by block. Returns what is wrong with it, empty where it
  /// is sound: then what was handed over before is not all of it. An Error is that of `take`, or of
  /// an archive that must be refused.
  Result<std::string> read(const Entry& entry, const std::function<Status(std::string_view)>& take);

 private:
  ZipArchive(const File& file, std::string path, uint64_t bytes)
      : file_(&file), path_(std::move(path)), bytes_(bytes) {}
  Status sound() const;

  const File* file_;
  std::vector<Entry> entries_;
  std::string path_;
  uint64_t bytes_ = 0, unpacked_ = 0;
};

}  // namespace xtrace
