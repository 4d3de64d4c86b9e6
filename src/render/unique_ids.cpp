#include "render/unique_ids.h"

#include <fmt/format.h>

#include "base/text.h"

namespace xtrace {

std::string UniqueIds::printed(std::string_view id) {
  constexpr size_t kIdBytes = 500;
  std::string base = printable(head(id, kIdBytes)), name = base;
  for (size_t copy = 2; !taken_.emplace(name, 2).second; name = fmt::format("{}~{}", base, copy))
    copy = taken_[base]++;
  return name;
}

}  // namespace xtrace
