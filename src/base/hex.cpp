#include "base/hex.h"

#include <fmt/format.h>

namespace xtrace {

std::string hex(uint64_t number) {
  return fmt::format("{:016x}", number);
}

}  // namespace xtrace
