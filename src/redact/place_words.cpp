#include "redact/place_words.h"

#include <fmt/format.h>

namespace xtrace {

std::string place_words(std::string_view path, const RecordPlace& place) {
  if (place.line == 0) return std::string(path);
  return place.is_document ? fmt::format("{}@{}", path, place.offset)
                           : fmt::format("{}:{}", path, place.line);
}

}  // namespace xtrace
