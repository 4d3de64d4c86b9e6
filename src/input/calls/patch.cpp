#include "input/calls/patch.h"

#include <algorithm>

#include "base/names_once.h"
#include "base/path.h"
#include "base/trimmed.h"

namespace xtrace {

namespace {

constexpr std::string_view kEnd = "*** End Patch";

/// Cuts the first line off `text`.
std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

/// Without a folder, a name is returned as it is written.
std::string file_below(std::string_view folder, std::string_view name) {
  return folder.empty() || is_absolute_path(name) ? std::string(name) : path_below(folder, name);
}

}  // namespace

bool begins_patch(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  return begin != text.npos && text.substr(begin).starts_with(kPatchBegin);
}

std::string_view take_patch(std::string_view patch, std::string_view folder, NamesOnce& files) {
  while (!patch.empty()) {
    const std::string_view line = take_line(patch);
    if (line.starts_with(kEnd)) return {line.data() + kEnd.size(), patch.data() + patch.size()};
    for (std::string_view mark :
         {"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "})
      if (line.starts_with(mark)) files.add(file_below(folder, trimmed(line.substr(mark.size()))));
  }
  return patch;
}

std::vector<std::string> patched_files(std::string_view patch) {
  NamesOnce files;
  patch = trimmed(patch);
  if (patch.starts_with("```") || patch.starts_with("<<")) take_line(patch);
  if (begins_patch(patch)) take_patch(patch, {}, files);
  return files.take();
}

}  // namespace xtrace
