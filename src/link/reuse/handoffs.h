#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/path.h"
#include "facts/trace.h"
#include "link/calls/link.h"

namespace xtrace {

/// The path of a file: the same for all that name the same file, whatever folder they work in.
inline std::string canonical_path(std::string_view folder, std::string_view path) {
  return path_below(is_absolute_path(path) ? std::string_view() : folder, path);
}

/// What a tool use does to the files that it names, as far as its name shows.
enum class FileUse : uint8_t { none, reads, writes };
FileUse file_use_of(const Trace& trace, const ToolUse& use);

/// Files that tool uses write and later ones read, perhaps of another agent or session.
class Handoffs {
 public:
  struct Write {
    ToolUseId use;
    CallId call;         ///< that asks for it
    uint32_t index = 0;  ///< of its arguments, as ConversationTexts counts
  };

  // In the order in which it happened.
  void wrote(const std::string& path, const Write& write);
  void read(const std::string& path, ToolUseId use);

  /// The writes of the file before the read, the latest first; the last kMostWrites of them: an
  /// edit leaves what was written before.
  std::span<const Write> writes_before(ToolUseId read) const;
  static constexpr size_t kMostWrites = 16;

 private:
  std::unordered_map<std::string, std::vector<Write>> by_path_;
  std::unordered_map<uint32_t, std::vector<Write>> by_read_;
};

}  // namespace xtrace
