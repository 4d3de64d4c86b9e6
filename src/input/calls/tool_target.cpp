#include "input/calls/tool_target.h"

#include <iterator>
#include <utility>

#include "base/names_once.h"
#include "base/place_name.h"
#include "base/text.h"
#include "input/calls/patch.h"
#include "input/calls/patch_command.h"

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

/// Of a list of such things, or of names, if texts in it are some.
std::vector<std::string> named_in_list(json::element list, bool may_be_names = true) {
  NamesOnce names;
  json::items(list, [&](json::element item) {
    const std::string_view name = json::is_object(item) ? named_in(item)
                                  : may_be_names        ? json::text(item)
                                                        : std::string_view();
    names.add(name);
  });
  return names.take();
}

NamedTargets patched(std::vector<std::string> files) {
  const bool are_patched = !files.empty();
  return {std::move(files), are_patched};
}

NamedTargets named_in_any(json::element arguments, std::string_view command) {
  if (json::is_array(arguments)) return {named_in_list(arguments)};
  if (!json::is_object(arguments)) return patched(patched_files(json::text(arguments)));
  if (const std::string_view one = named_in(arguments); !one.empty()) return {{std::string(one)}};
  json::element list;
  for (std::string_view key :
       {"operations", "files", "file_paths", "paths", "changes", "edits", "replacements"}) {
    if (!json::find(arguments, key, list)) continue;
    const bool are_texts = key == "edits" || key == "replacements";  // unless they are objects
    if (std::vector<std::string> names = named_in_list(list, !are_texts); !names.empty())
      return {std::move(names)};
  }
  for (std::string_view key : {"patch", "input", "patchText"})
    if (std::vector<std::string> files = patched_files(json::text_at(arguments, key));
        !files.empty())
      return patched(std::move(files));
  return patched(files_patched_by(command));
}

/// What is no path or address by its form is words, which are content: only their length is kept.
NamedTargets without_words(NamedTargets named) {
  if (named.all.empty()) return named;
  const size_t words = characters(named.all.front());
  std::erase_if(named.all, [](const std::string& one) { return !is_place_name(one); });
  if (named.all.empty()) named.words = words;
  return named;
}

}  // namespace

std::string command_of(json::element arguments) {
  json::element command;
  if (!json::find(arguments, "command", command) && !json::find(arguments, "cmd", command))
    return {};
  std::string words(json::text(command));
  json::items(command, [&](json::element word) {
    words += words.empty() ? "" : " ";
    words += json::text(word);
  });
  return words;
}

NamedTargets targets_in(json::element arguments, std::string_view command) {
  return without_words(named_in_any(arguments, command));
}

NamedTargets targets_in(std::string_view text) {
  return without_words(patched(patched_files(text)));
}

}  // namespace xtrace
