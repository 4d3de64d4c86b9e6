#include "base/count.h"

#include <fmt/format.h>

namespace xtrace {

std::string show_count(int64_t number) {
  if (number > -1000 && number < 1000) return fmt::format("{}", number);
  const std::string sign = number < 0 ? "-" : "";
  double scaled = number < 0 ? -static_cast<double>(number) : static_cast<double>(number);
  for (const char* unit : {"k", "M", "G"}) {
    scaled /= 1000;
    if (scaled < 99.95) return fmt::format("{}{:.1f}{}", sign, scaled, unit);
    if (scaled < 999.5) return fmt::format("{}{:.0f}{}", sign, scaled, unit);
  }
  return fmt::format("{}{:.0f}T", sign, scaled / 1000);
}

}  // namespace xtrace
