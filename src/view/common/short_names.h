#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

/// Each of `names` short enough for a label: of paths and addresses the end, which says most. Two
/// that differ stay different where the room allows.
std::vector<std::string> short_names(std::span<const std::string_view> names);

/// The last part of each path, with the folder before it in which those differ that end alike.
std::vector<std::string> short_files(std::span<const std::string_view> paths);

/// A name of parts with dots between them, such as `a.b.Queue.add`: where it is long, the last
/// ones.
std::string short_dotted(std::string_view name);

}  // namespace xtrace
