#pragma once

#include <string_view>

namespace xtrace {

/// How this program was built: "native" (with the shared libraries of the system), "static" (all
/// but the C library is linked into it) or "wasm". The bytes of an answer do not depend on it, so
/// only what describes the program itself names it: `--version` and its own metrics.
std::string_view build_name();

}  // namespace xtrace
