#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/result.h"

namespace xtrace {

/// Do these first bytes of a file belong to a ZIP archive?
bool is_zip(std::string_view head);

/// A ZIP archive: its files one by one, each from beginning to end, without taking more memory than
/// a block. One that unpacks to what no log is refused (unpacked_like_a_bomb).
class ZipArchive {
 public:
  /// `path` is for what there is to say. An Error where it is no archive, or one cut off: its table
  /// of contents is at its end.
  static Result<ZipArchive> open(const File& file, const std::string& path, uint64_t bytes);
  ZipArchive(ZipArchive&&) noexcept;
  ~ZipArchive();

  /// Names of its files, in their order in the archive; of one that was written again the last
  /// counts.
  struct Entry {
    std::string name;
    uint64_t index = 0;
  };
  const std::vector<Entry>& entries() const { return entries_; }
  const Entry* find(std::string_view name) const;

  /// Hands `take` what is in a file, block by block. Returns what is wrong with it, empty where it
  /// is sound: then what was handed over before is not all of it. An Error is that of `take`, or of
  /// an archive that must be refused.
  Result<std::string> read(const Entry& entry, const std::function<Status(std::string_view)>& take);

 private:
  struct Handle;
  explicit ZipArchive(std::unique_ptr<Handle> handle);
  Status sound() const;
  Result<std::string> read_zstd(const Entry& entry,
                                const std::function<Status(std::string_view)>& take);

  std::unique_ptr<Handle> handle_;
  std::vector<Entry> entries_;
  std::string path_;
  uint64_t bytes_ = 0, unpacked_ = 0;
};

}  // namespace xtrace
