#pragma once

#include <string_view>
#include <vector>

#include "facts/record.h"

namespace xtrace {

/// What Jaeger and the libraries of OpenTelemetry call the list of a trace.
inline bool is_spans(std::string_view key) {
  return key == "spans";
}

/// Where the list is in the record itself.
inline bool opens_nothing(std::string_view) {
  return false;
}

/// Where the items of lists are in the text of a record, which the parser does not tell. They are
/// handed out in the order in which a reader meets them.
class ItemPlaces {
 public:
  /// `opens(key)`: what is there, an object or a list of them, is looked into; `holds(key)`: it is
  /// a list of the items.
  ItemPlaces(std::string_view text, const Extent& at, bool (*opens)(std::string_view),
             bool (*holds)(std::string_view));

  /// The place of the next item; that of the whole record if it could not be found.
  Extent next();

 private:
  std::string_view text_;
  Extent at_;
  std::vector<size_t> begins_;
  size_t next_ = 0;
  size_t counted_ = 0;  ///< bytes of the text, …
  uint32_t line_ = 0;   ///< … and the newlines in them
};

}  // namespace xtrace
