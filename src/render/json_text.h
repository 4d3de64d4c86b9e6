#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// Appends `text` as a JSON string. Whatever could disturb a terminal or a log viewer is written as
/// an escape: control characters, DEL, C1, direction marks, line separators.
void append_json(std::string& out, std::string_view text);

}  // namespace xtrace
