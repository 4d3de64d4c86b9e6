#pragma once

#include <optional>
#include <string_view>

#include "facts/trace.h"

namespace xtrace {

/// A place as answers print it, or as an editor counts: `file@offset`, `file:line`.
class Place {
 public:
  static std::optional<Place> read(std::string_view text);
  /// The whole path of an input is that input's, though others end like it.
  static std::optional<Place> read(std::string_view text, const Trace& trace);
  bool is(const Trace& trace, const Extent& at) const;
  bool is_in_file(const Trace& trace, const Extent& at) const;
  /// How many lines, or bytes, `at` is after it; nothing: in another file, or before it.
  std::optional<uint64_t> until(const Trace& trace, const Extent& at) const;

 private:
  Place(std::string_view path, bool is_offset) : path_(path), is_offset_(is_offset) {}

  std::string_view path_;  ///< whole, or the file's name with some of its folders; empty: of any
  std::optional<uint32_t> file_;  ///< that has this very path
  bool is_offset_;
  uint64_t number_ = 0;
};

}  // namespace xtrace
