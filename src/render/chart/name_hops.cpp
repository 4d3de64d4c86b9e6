#include <fmt/format.h>

#include <string>

#include "render/chart/chart.h"

namespace xtrace {

bool names_actor(const Chart& chart, StringId actor) {
  return actor && !chart.text(actor).ends_with(":unknown");
}

void name_hops(Chart& chart) {
  for (Chart::Mark& mark : chart.marks) {
    const Chart::Nature& nature = chart.nature(mark);
    if (!names_actor(chart, nature.target) || mark.tools > 0) continue;
    std::string name = fmt::format("{} → {}", nature.source ? chart.text(nature.source) : "unknown",
                                   chart.text(nature.target));
    if (mark.name) name += fmt::format(" · {}", chart.text(mark.name));
    mark.name = chart.texts.intern(name);
  }
}

}  // namespace xtrace
