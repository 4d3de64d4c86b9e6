#include "view/why/listing.h"

#include <fmt/format.h>

#include "base/count.h"

namespace xtrace {

void add_omitted(Door& door, size_t shown, size_t omitted, std::vector<Text>& lines) {
  if (omitted == 0) return;
  const auto total = static_cast<int64_t>(shown + omitted);
  lines.push_back({});
  lines.push_back(
      door.say("{} of {} chains shown; --all-paths shows all", shown, show_count(total)));
}

}  // namespace xtrace
