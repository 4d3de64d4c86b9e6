#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// What types of agents compare by: `general-purpose` and `General Purpose` are the same. A hash of
/// 16 hex digits, so that a type that is content compares as well. Empty: no type.
std::string agent_type_key(std::string_view type);

}  // namespace xtrace
