#pragma once

#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "render/renderer.h"

namespace xtrace {

/// What a renderer makes of a drawing alone.
inline std::string drawn(Drawing drawing,
                         void (*write)(const Document&, const Paper&, std::ostream&)) {
  Document document("dag");
  document.add(std::move(drawing));
  std::ostringstream out;
  write(document, {}, out);
  return out.str();
}

inline Drawing::Edge edge(uint32_t from, uint32_t to, Text label = {}) {
  return {.from = from, .to = to, .label = label};
}

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace xtrace
