#pragma once

#include <string_view>
#include <vector>

#include "facts/record.h"
#include "input/common/json.h"

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

/// Calls `each(item, part)` with the items of the list at `key` of a document, each with its place;
/// with that of the document where it was not found.
template <class Each>
void each_item(json::element document, const Part& whole, std::string_view key, Each each) {
  json::element list;
  if (!json::find(document, key, list)) return;
  const std::vector<Part> parts = whole.field(key).items();
  size_t nth = 0;
  json::items(list, [&](json::element item) {
    each(item, nth < parts.size() ? parts[nth] : whole);
    ++nth;
  });
}

}  // namespace xtrace
