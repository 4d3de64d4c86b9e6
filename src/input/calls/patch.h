#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

/// The files that a patch in the words of `apply_patch` is about, each once, in its order; of one
/// that moves both names. A fence or the mark of a here-document may stand before it. None: it is
/// no patch.
std::vector<std::string> patched_files(std::string_view patch);

/// The same of all patches that a shell's command gives to `apply_patch`, behind `<<` or as a
/// word; a folder that the command changes into right before stands in front of them.
std::vector<std::string> files_patched_by(std::string_view command);

}  // namespace xtrace
