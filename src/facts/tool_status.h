#pragma once

#include <string_view>

namespace xtrace {

/// Do sessions of the format record whether tools failed? Where they do not, only failures that are
/// recognized by their words are known.
bool records_tool_status(std::string_view format);

}  // namespace xtrace
