#include "view/common/short_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

constexpr size_t kColumns = 40;  // of a node in a picture, and of a cell of a table on a page

/// The start of the last `parts` parts of a path; 0: it has no more of them.
size_t tail(std::string_view path, size_t parts) {
  size_t slash = path.size();
  while (parts-- > 0 && slash > 0 && slash != std::string_view::npos)
    slash = path.rfind('/', slash - 1);
  return slash == std::string_view::npos ? 0 : slash;
}

/// `…/one/two/name`, or where that is too long, `…/one/…/name`: what differs, and the end. It never
/// takes more than kColumns.
std::string with_tail(std::string_view path, size_t parts) {
  size_t start = tail(path, parts);
  std::string end = printable(path.substr(start));
  if (start > 0) end = "…" + end;
  if (width(end) <= kColumns) return end;
  std::string name = clip_left(printable(path.substr(tail(path, 1))), kColumns - 14);
  std::string_view part = path.substr(start, path.find('/', start + 1) - start);
  std::string between = name.starts_with('/') ? "/…" : "/";
  std::string front = (start > 0 ? "…" : "") + printable(part);
  return clip(front, kColumns - width(between) - width(name)) + between + name;
}

}  // namespace

std::vector<std::string> short_files(std::span<const std::string_view> paths) {
  constexpr size_t kName = 20, kFolder = 12, kMostParts = 64;
  std::vector<std::string> shorts;
  std::map<std::string_view, std::set<std::string_view>> called;
  for (std::string_view path : paths) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    shorts.push_back(clip_left(printable(name), kName));
    called[name].insert(path);
  }
  const std::vector<std::string> names = shorts;
  const auto still_alike = [&] {
    std::map<std::string_view, std::set<std::string_view>> alike;
    for (size_t i = 0; i < paths.size(); ++i) alike[shorts[i]].insert(paths[i]);
    std::vector<size_t> again;
    for (size_t i = 0; i < paths.size(); ++i)
      if (alike[shorts[i]].size() > 1 &&
          called[paths[i].substr(paths[i].rfind('/') + 1)].size() > 1)
        again.push_back(i);
    return again;
  };
  for (size_t parts = 2; parts <= kMostParts; ++parts)
    for (auto* cut : {&clip, &clip_left}) {  // ids may begin alike
      const std::vector<size_t> again = still_alike();
      if (again.empty()) return shorts;
      for (size_t i : again) {
        std::string_view folder = paths[i].substr(tail(paths[i], parts));
        if (folder.starts_with('/')) folder.remove_prefix(1);
        const size_t end = folder.find('/');
        if (end == folder.npos) continue;  // it is in no folder
        folder = folder.substr(0, end);
        shorts[i] = fmt::format("{}/{}{}", cut(printable(folder), kFolder), parts > 2 ? "…/" : "",
                                names[i]);
      }
    }
  return shorts;
}

std::vector<std::string> short_names(std::span<const std::string_view> names) {
  constexpr size_t kMostParts = 64;  // of a path: deeper ones that are alike to here stay whole
  std::vector<std::string> shorts;
  for (std::string_view name : names)
    shorts.push_back(name.find('/') == std::string_view::npos ? clip(printable(name), kColumns)
                                                              : short_target(name));
  for (size_t parts = 3; parts <= kMostParts; ++parts) {
    std::map<std::string_view, std::set<std::string_view>> alike;
    for (size_t i = 0; i < names.size(); ++i) alike[shorts[i]].insert(names[i]);
    std::vector<size_t> again;
    for (size_t i = 0; i < names.size(); ++i)
      if (alike[shorts[i]].size() > 1) again.push_back(i);
    if (again.empty()) break;
    for (size_t i : again)
      shorts[i] = names[i].find('/') == std::string_view::npos
                      ? clip_left(printable(names[i]), kColumns)
                      : with_tail(names[i], parts);
  }
  return shorts;
}

std::string short_dotted(std::string_view name) {
  constexpr size_t kMost = 32;  // leaves room for figures behind it in a box
  bool has_parts = name.find(' ') == std::string_view::npos;
  if (!has_parts || width(name) <= kMost) return std::string(name);
  size_t start = name.find_last_of("./");
  if (start == std::string_view::npos || start + 1 == name.size()) return std::string(name);
  for (size_t dot = start; dot != std::string_view::npos && dot > 0;
       dot = name.find_last_of("./", dot - 1)) {
    if (width(name.substr(dot + 1)) > kMost) break;
    start = dot;
  }
  return "…" + std::string(name.substr(start + 1));
}

}  // namespace xtrace
