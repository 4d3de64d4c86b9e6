#include "settings/standards.h"

#include <algorithm>
#include <functional>

namespace xtrace {

bool Figure::is_exceeded_by(double value, double least_step) const {
  constexpr double kFar = 3.5, kOfNormal = 0.6745;
  if (runs < kFewestForFigures || !bound.is_exceeded_by(value)) return false;
  double spread = std::max({deviation / kOfNormal, median / 10, least_step});
  return (value - median) / spread > kFar;
}

bool AgentCard::may(std::string_view actor) const {
  return std::any_of(may_use.begin(), may_use.end(), [&](const std::string& declared) {
    return is_name_of(declared, actor, std::equal_to<>());
  });
}

}  // namespace xtrace
