#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// How this program was built: "native" (with the shared libraries of the system), "static" (all
/// but the C library is linked into it) or "wasm". The bytes of an answer do not depend on it, so
/// only what describes the program itself names it: `--version` and its own metrics.
std::string_view build_name();

/// Names the program by its contents, as bytes: two that may answer differently have two names.
/// Empty: the system does not record one.
std::string build_id();

}  // namespace xtrace
