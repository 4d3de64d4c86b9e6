#pragma once

#include <string_view>
#include <vector>

#include "render/renderer.h"
#include "view/common/view.h"

namespace xtrace {

/// The option that says how an answer comes: what is converted is converted to something.
std::string_view format_option(const ViewEntry& entry);
/// The formats that the answer of `entry` can come in.
std::vector<std::string_view> format_names(const ViewEntry& entry);
/// Exit::usage for a format that exists and that this answer cannot come in, with the reason.
Status check_drawable(const ViewEntry& entry, std::string_view format);
/// The format that the ending of a file name means, such as markdown for `notes.md`; empty: none.
/// Exit::usage for an ending of what no output can be, such as `.png`.
Result<std::string_view> format_of_file(std::string_view name, const ViewEntry& entry);
/// The first one where there is none of that name.
const Renderer& find_renderer(std::string_view name);

}  // namespace xtrace
