#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "facts/record.h"
#include "input/common/json.h"

namespace xtrace {

/// A value with the place where it is, which the parser does not tell. Its text must be valid JSON.
struct Part {
  std::string_view text;  ///< the value and no more; empty: it is not there
  Extent at;

  /// The value at this key of an object.
  Part field(std::string_view key) const;
  /// The values of an array.
  std::vector<Part> items() const;
  /// The values of an object with their keys.
  std::vector<std::pair<std::string_view, Part>> members() const;
};

/// Calls `each(item, part)` with the items of a list, each with its place; with that of what is
/// around the list where it was not found.
template <class Each>
void each_item_of(json::element list, const Part& part, const Part& around, Each each) {
  const std::vector<Part> parts = part.items();
  size_t nth = 0;
  json::items(list, [&](json::element item) {
    each(item, nth < parts.size() ? parts[nth] : around);
    ++nth;
  });
}

/// The same of the list at `key` of a document.
template <class Each>
void each_item(json::element document, const Part& whole, std::string_view key, Each each) {
  json::element list;
  if (json::find(document, key, list)) each_item_of(list, whole.field(key), whole, each);
}

}  // namespace xtrace
