#include "input/calls/patch_command.h"

#include "base/names_once.h"
#include "base/shell_words.h"
#include "input/calls/patch.h"

namespace xtrace {

namespace {

constexpr std::string_view kPatchPrograms[] = {"apply_patch", "applypatch"};

}  // namespace

std::vector<std::string> files_patched_by(std::string_view command) {
  NamesOnce files;
  const auto take = [&](std::string_view text, std::string_view folder) -> size_t {
    return begins_patch(text) ? text.size() - take_patch(text, folder, files).size() : 0;
  };
  if (command.find(kPatchBegin) != command.npos) for_each_text(command, kPatchPrograms, take);
  return files.take();
}

}  // namespace xtrace
