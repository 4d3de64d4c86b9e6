#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

class NamesOnce;

inline constexpr std::string_view kPatchBegin = "*** Begin Patch";

/// The files that a patch in the words of `apply_patch` is about, each once, in its order; of one
/// that moves both names. A fence or the mark of a here-document may precede it. None: it is no
/// patch.
std::vector<std::string> patched_files(std::string_view patch);

/// Is the first that `text` says a patch?
bool begins_patch(std::string_view text);

/// Adds the files of a patch, which lie in `folder` if they say nothing else. Returns what follows
/// the patch.
std::string_view take_patch(std::string_view patch, std::string_view folder, NamesOnce& files);

}  // namespace xtrace
