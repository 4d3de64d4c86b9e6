#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "settings/threshold.h"
#include "view/diff/diff.h"

namespace xtrace {

/// What a threshold says of two runs.
struct JudgedThreshold {
  Threshold threshold;
  MeasuredFigure before, now;     ///< nothing: not on record
  std::optional<bool> is_broken;  ///< nothing: what is on record of them does not decide
};

/// `cost=+20%`, each as an option gives it. Exit::usage: it is no threshold.
Result<std::vector<Threshold>> read_bounds(const std::vector<std::string>& texts);
/// Holds the newer run against the older one. Figures are those of the totals: dollars, model
/// calls, tokens sent and received, seconds from the first begin to the last end, failed steps.
std::vector<JudgedThreshold> judge_bounds(const std::vector<Threshold>& thresholds,
                                          const DiffScene& scene);
/// Is one of them broken, or not known? An undecided bound is no pass.
bool any_fails(const std::vector<JudgedThreshold>& bounds);

/// `cost: $0.12 → $0.20, +67%, where +20% is the most: FAILED`
std::string sentence_of(const JudgedThreshold& bound);
Table bound_table(const std::vector<JudgedThreshold>& bounds, Door& door);
std::span<const Column> bound_columns();

}  // namespace xtrace
