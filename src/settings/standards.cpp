#include "settings/standards.h"

#include <algorithm>

namespace xtrace {

bool Figure::is_exceeded_by(double value, double least_step) const {
  constexpr double kFar = 3.5, kOfNormal = 0.6745;
  if (runs < kFewestForFigures || !bound.is_exceeded_by(value)) return false;
  double spread = std::max({deviation / kOfNormal, median / 10, least_step});
  return (value - median) / spread > kFar;
}

bool AgentCard::may(std::string_view actor) const {
  auto declares = [&](std::string_view name) { return may_use.contains(std::string(name)); };
  // `resource:tool:Read` may be called so, `tool:Read` or `Read`.
  for (;;) {
    if (declares(actor)) return true;
    size_t colon = actor.find(':');
    if (colon == std::string_view::npos) return false;
    actor.remove_prefix(colon + 1);
  }
}

}  // namespace xtrace
