#include "base/path.h"

#include "base/one_of.h"

namespace xtrace {

bool is_absolute_path(std::string_view path) {
  const bool has_drive = path.size() > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/');
  return path.starts_with('/') || path == "~" || path.starts_with("~/") || has_drive ||
         path.starts_with("\\\\");
}

std::string path_below(std::string_view folder, std::string_view path) {
  if (path.empty()) return {};
  std::string whole(is_absolute_path(path) ? path.substr(0, path.starts_with('/') ? 1 : 0)
                                           : folder);
  for (size_t at = 0; at < path.size();) {
    const std::string_view part = path.substr(at, path.find('/', at) - at);
    at += part.size() + 1;
    if (part.empty() || part == "." || (part == ".." && whole == "/")) continue;
    const size_t last = whole.rfind('/') + 1;
    const std::string_view above = std::string_view(whole).substr(last);
    if (part != ".." || is_one_of(above, {"", "..", "~"})) {
      if (!above.empty()) whole += '/';
      whole += part;
    } else {
      whole.resize(last > 1 ? last - 1 : last);
    }
  }
  return whole;
}

}  // namespace xtrace
