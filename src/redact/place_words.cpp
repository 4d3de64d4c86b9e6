#include "redact/place_words.h"

#include <fmt/format.h>

namespace xtrace {

std::string place_words(std::string_view path, const RecordPlace& place) {
  // Behind a gap nobody knows the line, but the place.
  const bool is_known = place.line > 0 || (place.is_document && place.offset > 0);
  if (!is_known) return std::string(path);
  return place.is_document ? fmt::format("{}@{}", path, place.offset)
                           : fmt::format("{}:{}", path, place.line);
}

}  // namespace xtrace
