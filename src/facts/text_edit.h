#pragma once

#include <string>

namespace xtrace {

/// A change of a file, as an edit was given it.
struct TextEdit {
  std::string before{};  ///< the text that it replaces; empty: it is not given, or there is none
  std::string after{};
  bool is_whole = false;         ///< `after` is all of the file
  bool is_everywhere = false;    ///< every place where `before` is
  bool has_whole_lines = false;  ///< as patches have them; else both may begin within a line

  bool operator==(const TextEdit&) const = default;
};

}  // namespace xtrace
