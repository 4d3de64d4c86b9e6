#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/system.h"

namespace xtrace {

/// Returns the folder for what the program can make again at any time: `xtrace` in
/// `$XDG_CACHE_HOME`, else in `~/.cache`. Empty: there is no home.
std::string cache_folder();

/// Does `XTRACE_CACHE=off` say that nothing is kept there?
bool is_cache_turned_off();

/// What a folder holds.
struct FolderSize {
  size_t files = 0;
  uint64_t bytes = 0;
};

/// A folder of this user's own, whose files nobody else can read or write. Links in it are never
/// followed, and neither is one in its own place; a link further up the path is the user's.
class PrivateFolder {
 public:
  /// Opens a folder that exists. None: there is no such folder, or another user could have written
  /// to it.
  static std::optional<PrivateFolder> open(const std::string& path);
  /// As open(), but makes the folder and the one around it first, and keeps others out of it. No
  /// home is made for a user who has none, as services have `/nonexistent`.
  static std::optional<PrivateFolder> make(const std::string& path);

  /// Reads a file of at most so many bytes. None: it does not exist, is longer, or another user
  /// could have written to it.
  std::optional<std::string> read(const std::string& name, uint64_t most = UINT64_MAX) const;
  /// Writes a file, whole or not at all. Returns false if it cannot be written. Not for two threads
  /// at once.
  bool write(const std::string& name, std::string_view bytes) const;
  /// Can a file be made in it?
  bool can_write() const;
  /// Removes the oldest of the files whose names begin so until no more than `most` are left.
  void bound(std::string_view prefix, FolderSize most) const;
  /// Of its files, whatever their names are.
  FolderSize size() const;

 private:
  explicit PrivateFolder(File folder) : folder_(std::move(folder)) {}

  File folder_;
};

}  // namespace xtrace
