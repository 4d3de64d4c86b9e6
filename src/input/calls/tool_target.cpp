#include "input/calls/tool_target.h"

#include <iterator>

#include "base/trimmed.h"

namespace xtrace {

namespace {

/// The surest first.
constexpr std::string_view kKeys[] = {
    "file_path", "notebook_path", "path",          "filename",    "url",
    "filePath",  "dir_path",      "absolute_path", "target_file", "relative_workspace_path"};

/// Of one thing to work on.
std::string_view named_in(json::element arguments) {
  std::string_view target;
  size_t best = std::size(kKeys);
  json::fields(arguments, [&](std::string_view key, json::element value) {
    for (size_t i = 0; i < best; ++i) {
      if (kKeys[i] != key || json::text(value).empty()) continue;
      target = json::text(value);
      best = i;
    }
  });
  return target;
}

/// Of a list of such things, or of names.
std::string_view first_in(json::element list) {
  json::element first;
  if (!json::is_array(list) || list.at_pointer("/0").get(first)) return {};
  return json::is_object(first) ? named_in(first) : json::text(first);
}

}  // namespace

std::string_view target_of(json::element arguments) {
  if (json::is_array(arguments)) return first_in(arguments);
  if (!json::is_object(arguments)) return patched_file(json::text(arguments));
  std::string_view target = named_in(arguments);
  json::element list;
  for (std::string_view key : {"operations", "files", "file_paths", "paths", "changes"})
    if (target.empty() && json::find(arguments, key, list)) target = first_in(list);
  for (std::string_view key : {"patch", "input"})
    if (target.empty()) target = patched_file(json::text_at(arguments, key));
  return target;
}

std::string_view patched_file(std::string_view patch) {
  constexpr std::string_view kMark = " File: ";
  if (!patch.starts_with("*** Begin Patch")) return {};
  size_t at = patch.find("\n*** ");
  size_t mark = patch.find(kMark, at);
  if (mark == std::string_view::npos || patch.substr(at + 1, mark - at).find('\n') != patch.npos)
    return {};
  std::string_view file = patch.substr(mark + kMark.size());
  return trimmed(file.substr(0, file.find('\n')));
}

}  // namespace xtrace
