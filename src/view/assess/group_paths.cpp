#include "view/assess/group_paths.h"

#include <algorithm>
#include <vector>

#include "view/common/hidden_names.h"

namespace xtrace {

namespace {

using Parts = std::vector<std::string_view>;

Parts parts_of(std::string_view path) {
  Parts parts;
  while (!path.empty()) {
    size_t end = std::min(path.find_first_of("/\\"), path.size());
    std::string_view part = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..")
      parts.pop_back();
    else
      parts.push_back(part);
  }
  return parts;
}

/// As Claude Code names the folder of a project's transcripts: `/home/ida/shop` is
/// `-home-ida-shop`. What is hidden stays so.
std::string folder_name(const Parts& parts, size_t count) {
  std::string name;
  for (size_t i = 0; i < count; ++i) {
    name += '-';
    const size_t hidden = std::min(parts[i].find(kHiddenMarker), parts[i].size());
    for (char byte : parts[i].substr(0, hidden)) {
      bool is_plain = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
                      (byte >= 'A' && byte <= 'Z');
      name += is_plain ? byte : '-';
    }
    name += parts[i].substr(hidden);
  }
  return name;
}

/// How many of the parts lead to the project; 0: not known. A user's name that is hidden may be any
/// that fits.
size_t project_of(const Parts& parts, const Parts& source) {
  for (size_t count = parts.size(); count > 0; --count) {
    const std::string name = folder_name(parts, count);
    if (std::any_of(source.begin(), source.end(),
                    [&](std::string_view folder) { return may_be_same(name, folder); }))
      return count;
  }
  return 0;
}

}  // namespace

std::string group_path(std::string_view path, std::string_view source, int64_t folders) {
  bool is_folder = path.ends_with('/') || path.ends_with('\\');
  bool is_absolute = path.starts_with('/');
  Parts parts = parts_of(path);
  if (is_absolute)  // nothing is above the root
    parts.erase(parts.begin(), std::find_if(parts.begin(), parts.end(),
                                            [](std::string_view part) { return part != ".."; }));
  if (!is_folder && !parts.empty()) parts.pop_back();
  std::string root;
  if (is_absolute) {
    size_t above = project_of(parts, parts_of(source));
    if (above == 0) {
      bool is_home = parts.size() > 1 && (parts[0] == "home" || parts[0] == "Users");
      root = is_home ? "~/" : "/";
      above = is_home ? 2 : 0;
    }
    parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(above));
  } else if (!parts.empty() && parts[0] == "~") {
    root = "~/";
    parts.erase(parts.begin());
  }
  // What is above a project is no folder of it.
  size_t up = 0;
  while (root.empty() && up < parts.size() && parts[up] == "..") ++up;
  size_t shown = std::min(parts.size(), up + static_cast<size_t>(std::max<int64_t>(folders, 0)));
  std::string group = root;
  for (size_t i = 0; i < shown; ++i) (group += parts[i]) += '/';
  return group.empty() ? "./" : group;
}

}  // namespace xtrace
