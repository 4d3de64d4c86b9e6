#include "link/waste/pauses.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "link/graph/queries.h"

namespace xtrace {

Pauses::Pauses(const Graph& graph, const ShownCalls& shown)
    : graph_(graph), account_(account_for_time(graph, shown)) {
  PartTimes sum{};
  for (size_t i = 0; i < account_.stretches.size(); ++i) {
    const TimeAccount::Stretch& stretch = account_.stretches[i];
    if (i > 0 && account_.stretches[i - 1].session != stretch.session) sum = {};
    before_.push_back(sum);
    Duration& part = sum[static_cast<size_t>(stretch.part)];
    part = plus(part, stretch.took());
  }
}

PartTimes Pauses::spent_until(uint32_t session, Time until) const {
  const auto& all = account_.stretches;
  const auto behind = std::partition_point(all.begin(), all.end(), [&](const auto& stretch) {
    return std::tuple(stretch.session, stretch.from) < std::tuple(session, until);
  });
  if (behind == all.begin() || (behind - 1)->session != session) return {};
  const TimeAccount::Stretch& last = *(behind - 1);
  PartTimes spent = before_[static_cast<size_t>(behind - 1 - all.begin())];
  Duration& part = spent[static_cast<size_t>(last.part)];
  part = plus(part, elapsed(last.from, std::min(until, last.to)));
  return spent;
}

PauseFor Pauses::most_of(const CacheRebuild& rebuild) const {
  const Call &from = graph_.trace()[rebuild.before], &to = graph_.trace()[rebuild.call];
  const uint32_t session = graph_.session_of(rebuild.call).number - 1;
  const PartTimes begun = spent_until(session, from.start), ended = spent_until(session, to.start);
  const auto spent = [&](PathPart part) {
    return ended[static_cast<size_t>(part)] - begun[static_cast<size_t>(part)];
  };
  const Duration answer = std::clamp(from.duration, Duration{0}, spent(PathPart::model));
  const std::pair<Duration, PauseFor> parts[] = {
      {spent(PathPart::person) + spent(PathPart::permission), PauseFor::person},
      {spent(PathPart::tool) + spent(PathPart::background) + spent(PathPart::model) - answer,
       PauseFor::work},
      {answer, PauseFor::answer},
      {spent(PathPart::retry_wait) + spent(PathPart::unexplained), PauseFor::unknown}};
  const auto most =
      std::max_element(std::begin(parts), std::end(parts),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
  if (most->first > Duration{0}) return most->second;
  return answers_a_user(graph_, rebuild.call) ? PauseFor::person : PauseFor::unknown;
}

}  // namespace xtrace
