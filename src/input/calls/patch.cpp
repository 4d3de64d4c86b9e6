#include "input/calls/patch.h"

#include <algorithm>
#include <optional>

#include "base/trimmed.h"
#include "input/calls/names_once.h"

namespace xtrace {

namespace {

constexpr std::string_view kBegin = "*** Begin Patch", kEnd = "*** End Patch";
constexpr std::string_view kTool = "apply_patch";

/// What `text` says up to the end of its line.
std::string_view line_of(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

/// Adds the files of a patch, which lie in `folder` if they say nothing else. Returns what stands
/// behind the patch.
std::string_view add_files(std::string_view patch, std::string_view folder, NamesOnce& files) {
  while (!patch.empty()) {
    const std::string_view line = line_of(patch);
    patch.remove_prefix(std::min(line.size() + 1, patch.size()));
    if (line.starts_with(kEnd)) break;
    for (std::string_view mark :
         {"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "}) {
      if (!line.starts_with(mark)) continue;
      const std::string_view file = trimmed(line.substr(mark.size()));
      const bool is_below = !folder.empty() && !file.empty() && !file.starts_with('/');
      files.add(is_below ? std::string(folder).append("/").append(file) : std::string(file));
    }
  }
  return patch;
}

/// The last word of `text`, which loses it and the blanks around it.
std::string_view take_last_word(std::string_view& text) {
  text = trimmed(text);
  const size_t at = text.find_last_of(" \t\r\n;&'\"");
  const std::string_view word = at == std::string_view::npos ? text : text.substr(at + 1);
  text.remove_suffix(word.size());
  return word;
}

/// `web` of `cd web && `, as it stands before a command; empty: it is run where the shell is.
std::string_view folder_before(std::string_view before) {
  before = trimmed(before);
  if (!before.ends_with("&&") && !before.ends_with(';')) return {};
  before = trimmed(before.substr(0, before.find_last_not_of("&;") + 1));
  const char quote = before.empty() ? '\0' : before.back();
  std::string_view folder;
  if (quote == '"' || quote == '\'') {
    before.remove_suffix(1);
    const size_t begin = before.rfind(quote);
    if (begin == std::string_view::npos) return {};
    folder = before.substr(begin + 1);
    before = before.substr(0, begin);
  } else {
    folder = take_last_word(before);
  }
  while (folder.ends_with('/')) folder.remove_suffix(1);
  return take_last_word(before) == "cd" && folder != "." ? folder : std::string_view();
}

/// What stands before the command that is given the patch at `begin`; nullopt: none is.
std::optional<std::string_view> before_tool(std::string_view command, size_t begin) {
  std::string_view before = command.substr(0, begin);
  if (before.ends_with('\n')) {  // `apply_patch <<'EOF'` stands on the line above
    before.remove_suffix(1);
    const size_t line = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
    const size_t tool = before.find(kTool, line);
    if (tool == before.npos || before.find("<<", line) == before.npos) return std::nullopt;
    return before.substr(0, tool);
  }
  while (before.ends_with(' ') || before.ends_with('\'') || before.ends_with('"') ||
         before.ends_with('$'))
    before.remove_suffix(1);
  if (!before.ends_with(kTool)) return std::nullopt;
  return before.substr(0, before.size() - kTool.size());
}

}  // namespace

std::vector<std::string> patched_files(std::string_view patch) {
  NamesOnce files;
  patch = trimmed(patch);
  if (patch.starts_with("```") || patch.starts_with("<<"))
    patch = trimmed(patch.substr(line_of(patch).size()));
  if (patch.starts_with(kBegin)) add_files(patch, {}, files);
  return files.take();
}

std::vector<std::string> files_patched_by(std::string_view command) {
  NamesOnce files;
  for (size_t begin = command.find(kBegin); begin != command.npos;) {
    if (const std::optional<std::string_view> before = before_tool(command, begin)) {
      const std::string_view rest = add_files(command.substr(begin), folder_before(*before), files);
      begin = command.find(kBegin, command.size() - rest.size());
    } else {
      begin = command.find(kBegin, begin + kBegin.size());
    }
  }
  return files.take();
}

}  // namespace xtrace
