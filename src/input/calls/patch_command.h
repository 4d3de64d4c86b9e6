#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

/// The files of all patches that a shell's command gives to `apply_patch`, behind `<<` or as a
/// word, each once; they lie in the folder that the command has changed into. What it writes down,
/// quotes or gives to others is none.
std::vector<std::string> files_patched_by(std::string_view command);

}  // namespace xtrace
