#include "view/hops/hop_scene.h"

#include <algorithm>

#include "view/hops/select_hops.h"

namespace xtrace {

int64_t HopScene::retries_among(std::span<const HopId> of) const {
  const Activities& activities = question.graph.activities();
  return std::ranges::count_if(
      of, [&](HopId id) { return hops[id].span && activities.of(hops[id].span).retry_of; });
}

TimeRange HopScene::stretch_of(const Run& run) const {
  TimeRange stretch;
  for (HopId id : run.hops) {
    if (!selection.shows(id)) continue;
    for (SpanId observation : hops.observations_of(hops[id])) {
      const Span& span = question.graph.trace()[observation];
      stretch.include(span.start, span.duration);
    }
    stretch.include(hops[id].start, hops[id].duration);  // of a hop that a model call tells of
  }
  return stretch;
}

ShownHops whole_runs(const HopScene& scene) {
  const Hops& hops = scene.hops;
  const auto runs = std::make_shared<std::vector<bool>>(hops.runs.size());
  for (size_t i = 0; i < hops.all.size(); ++i)
    if (scene.selection.shows(HopId(i))) (*runs)[hops.all[i].run] = true;
  const auto shows = [runs, &hops](HopId id) -> bool { return (*runs)[hops[id].run]; };
  return {shows, [shows, &hops](HopId id) {
            const HopId cause = hops[id].cause;
            return shows(id) && cause && hops[cause].run == hops[id].run;
          }};
}

Effects effects_in(const HopScene& scene) {
  const std::vector<Hop>& hops = scene.hops.all;
  return Effects(hops.size(), hops.size(), [&](uint32_t i) {
    return scene.selection.shows_cause_of(HopId(i)) ? hops[i].cause.index : Effects::kNowhere;
  });
}

Result<std::shared_ptr<HopScene>> hop_scene(const Question& question, const Filter& filter,
                                            HopLinks links) {
  return scene_of(question.graph.joined_hops(), question, filter, links);
}

Result<std::shared_ptr<HopScene>> scene_of(const Hops& hops, const Question& question,
                                           const Filter& filter, HopLinks links) {
  Result<HopSelection> selection =
      select_hops(filter, question.graph.trace(), hops, links, question.door.zone());
  if (!selection) return tl::unexpected(selection.error());
  return std::make_shared<HopScene>(question, hops, *std::move(selection));
}

}  // namespace xtrace
