#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace xtrace {

/// Returns the folder for what the program can make again at any time: `xtrace` in
/// `$XDG_CACHE_HOME`, else in `~/.cache`. Empty: there is no home.
std::string cache_folder();

/// Reads a file that only its owner can write to. None: it does not exist, or others could have
/// written it.
std::optional<std::string> read_private(const std::string& path);

/// Writes a file that only its owner can read, whole or not at all; makes its folder. Returns false
/// if it cannot be written.
bool write_private(const std::string& path, std::string_view bytes);

}  // namespace xtrace
