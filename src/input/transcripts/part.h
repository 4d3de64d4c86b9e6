#pragma once

#include <string_view>
#include <vector>

#include "facts/record.h"

namespace xtrace {

/// A value with the place where it stands, which the parser does not tell. Its text must be valid
/// JSON.
struct Part {
  std::string_view text;  ///< the value and no more; empty: it is not there
  Extent at;

  /// The value at this key of an object.
  Part field(std::string_view key) const;
  /// The values of an array.
  std::vector<Part> items() const;
};

}  // namespace xtrace
