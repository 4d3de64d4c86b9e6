#pragma once

#include <string_view>

#include "base/result.h"

namespace xtrace {

/// An error where the program runs as WebAssembly, which can neither watch files, nor listen, nor
/// start programs: `what` needs one of these.
Status require_native(std::string_view what);

}  // namespace xtrace
