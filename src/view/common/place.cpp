#include "view/common/place.h"

#include "base/number.h"

namespace xtrace {

std::optional<Place> Place::read(std::string_view text) {
  size_t sign = text.find_last_of("@:");
  if (sign == std::string_view::npos) return std::nullopt;
  Place place(text.substr(0, sign), text[sign] == '@');
  auto number = number_of<decltype(place.number_)>(text.substr(sign + 1));
  if (!number) return std::nullopt;
  place.number_ = *number;
  return place;
}

std::optional<Place> Place::read(std::string_view text, const Trace& trace) {
  std::optional<Place> place = read(text);
  for (uint32_t i = 0; place && i < trace.sources.size(); ++i)
    if (trace.sources[i].path == place->path_) place->file_ = i;
  return place;
}

bool Place::is(const Trace& trace, const Extent& at) const {
  return until(trace, at) == 0;
}

bool Place::is_in_file(const Trace& trace, const Extent& at) const {
  if (file_) return at.file == *file_;
  std::string_view path = trace.sources[at.file].path;
  return path_.empty() || (path.ends_with(path_) && (path.size() == path_.size() ||
                                                     path[path.size() - path_.size() - 1] == '/'));
}

std::optional<uint64_t> Place::until(const Trace& trace, const Extent& at) const {
  uint64_t number = is_offset_ ? at.offset : at.line;
  return is_in_file(trace, at) && number >= number_ ? std::optional(number - number_)
                                                    : std::nullopt;
}

}  // namespace xtrace
