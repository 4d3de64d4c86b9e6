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
    std::string name(chart.text(nature.target));
    // An unknown caller of each of a thousand hops is no news, nor is the actor that the row names.
    const bool has_caller = names_actor(chart, nature.source);
    if (has_caller) name = fmt::format("{} → {}", chart.text(nature.source), name);
    if (mark.name && !has_caller && name == fmt::format("agent:{}", chart.text(mark.agent)))
      name = chart.text(mark.name);
    else if (mark.name)
      name += fmt::format(" · {}", chart.text(mark.name));
    mark.name = chart.texts.intern(name);
  }
}

}  // namespace xtrace
