#include "view/why/listing.h"

#include <fmt/format.h>

#include "base/count.h"
#include "view/common/field.h"

namespace xtrace {

namespace {

constexpr Column kOmitted[] = {
    {"cause_groups_omitted",
     "number of further chains that led to the target; --all-paths lists them", CellKind::integer},
    {"accesses_omitted", "number of accesses through these omitted chains", CellKind::integer},
    {"effects_omitted", "number of further chains that start at the target; --all-paths lists them",
     CellKind::integer},
};

}  // namespace

std::span<const Column> omitted_columns() {
  return kOmitted;
}

Record omitted_record(size_t causes, size_t accesses, size_t effects) {
  const auto count = [](size_t omitted) { return some(static_cast<int64_t>(omitted)); };
  return {{{}, kOmitted, {count(causes), count(accesses), count(effects)}}};
}

void tell_omitted(Door& door, size_t shown, size_t omitted, std::vector<Text>& lines) {
  if (omitted == 0) return;
  const auto total = static_cast<int64_t>(shown + omitted);
  lines.push_back({});
  lines.push_back(door.composed(
      fmt::format("{} of {} chains shown; --all-paths shows all", shown, show_count(total))));
}

}  // namespace xtrace
