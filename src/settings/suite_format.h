#pragma once

#include <string_view>

namespace xtrace {

/// The JSON Schema (draft 7) of a suite, for editors and for those who write one.
std::string_view suite_format();

}  // namespace xtrace
