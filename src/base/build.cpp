#include "base/build.h"

namespace xtrace {

std::string_view build_name() {
  return XTRACE_BUILD;
}

}  // namespace xtrace
