#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

/// A record of an input. `path` is not copied.
struct RecordPlace {
  std::string_view path;  ///< empty: nowhere
  uint64_t offset = 0;
  uint32_t line = 0;         ///< 0: the file as a whole
  bool is_document = false;  ///< offsets, not lines, identify its records

  bool operator==(const RecordPlace& other) const {
    return offset == other.offset && path == other.path;
  }
};

/// Everything that was replaced, in order: rule, number, length and place, and nothing of what it
/// was.
struct Audit {
  struct Entry {
    std::string rule;
    int64_t number = 0, characters = 0;
    RecordPlace place;
  };
  std::vector<Entry> entries;
};

}  // namespace xtrace
