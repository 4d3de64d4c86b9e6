#pragma once

#include <array>
#include <optional>

#include "settings/threshold.h"
#include "view/eval/agent_actions.h"

namespace xtrace {

inline constexpr size_t kFigures = std::size(kThresholdWords);

/// What agents took, by metric (Threshold::Of): dollars, calls, tokens, seconds, errors. Nothing:
/// it is not on record of all that was done.
using Figures = std::array<std::optional<double>, kFigures>;

Figures figures_of(const AgentActions& actions);

/// The mean of several, of each figure that all of them know.
Figures mean_of(const std::vector<Figures>& all);

/// A number in words, whole where it is: `1234567`, `0.25`.
std::string plain(double number);
/// For people: `$0.0042`, `3`, `1200`, `8.0s`.
std::string shown(Threshold::Of of, double figure);

}  // namespace xtrace
