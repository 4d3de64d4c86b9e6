#include "base/native_only.h"

#include <fmt/format.h>

namespace xtrace {

Status require_native(std::string_view what) {
#ifdef __wasi__
  return fail(Exit::usage,
              fmt::format("{} needs the native program; this is its WebAssembly build, which can "
                          "neither watch files, nor listen, nor start programs",
                          what));
#else
  static_cast<void>(what);
  return {};
#endif
}

}  // namespace xtrace
