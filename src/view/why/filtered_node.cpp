#include "view/why/filtered_node.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace xtrace {

namespace {

bool chooses_runs(const std::string& option) {
  return option.starts_with("--session ") || option.starts_with("--run ");
}

}  // namespace

bool chooses_runs_alone(const Filter& filter) {
  const std::vector<std::pair<std::string, Filter>> each = filter.each();
  return !filter.chooses_edges() && filter.min_confidence == 0 &&
         std::ranges::all_of(each, [](const auto& one) { return chooses_runs(one.first); });
}

std::vector<CallId> in_chosen_runs(const Filter& filter, const HopScene& scene,
                                   std::vector<CallId> calls) {
  if (!filter.any() || !chooses_runs_alone(filter)) return calls;
  std::erase_if(calls, [&](CallId id) {
    const Run& run = scene.hops.runs[scene.question.graph.session_of(id).number - 1];
    return std::ranges::none_of(run.hops, [&](HopId hop) { return scene.selection.shows(hop); });
  });
  return calls;
}

tl::unexpected<Error> takes_no_filter(const Filter& filter, const std::string& node) {
  std::string given = "a link filter";
  for (const auto& [option, alone] : filter.each())
    if (!chooses_runs(option)) {
      given = option;
      break;
    }
  return fail(Exit::usage,
              fmt::format("{} has no effect on '{}': filters select how an actor was reached, but "
                          "calls, turns and steps are always explained in full; remove the filter",
                          printable(given), printable(node)));
}

}  // namespace xtrace
