#include "view/eval/figures.h"

#include <fmt/format.h>

#include <cmath>

#include "base/dollars.h"

namespace xtrace {

namespace {

constexpr double kBillionths = 1e9;

/// What failed, and nobody charged for, used up nothing.
bool costs_nothing(const Action& model) {
  return model.done->outcome == Outcome::error && !model.done->is_unpriced;
}

}  // namespace

/// Of models' requests; errors are those of tools too.
Figures figures_of(const AgentActions& actions) {
  int64_t cost = 0, tokens = 0, errors = 0, unknown = 0, unfinished = 0;
  int64_t unpriced = 0, uncounted = 0, low = 0;  // a lower bound is no figure
  for (const Action& model : actions.models()) {
    int64_t total = total_of(model.done->tokens);
    if (total >= 0) tokens += total;
    if (model.done->cost >= 0) cost += model.done->cost;
    uncounted += total < 0 && !costs_nothing(model);
    unpriced += (model.done->cost < 0 || model.done->cost_is_partial) && !costs_nothing(model);
    low += model.done->output_is_low;
    errors += model.done->outcome == Outcome::error;
    unknown += !is_known(model.done->outcome);
    unfinished += model.done->outcome == Outcome::unfinished;
  }
  for (const Action& tool : actions.tools()) {
    errors += tool.done->outcome == Outcome::error;
    unknown += !is_known(tool.done->outcome);
    unfinished += tool.done->outcome == Outcome::unfinished;
  }
  auto calls = static_cast<int64_t>(actions.models().size());
  for (const UnplacedRow& one : actions.unplaced()) {
    const UnplacedUsage& row = one.usage;
    tokens += at_least_none(total_of(row.tokens));
    cost += row.charged();
    unpriced += row.is_unpriced + row.cost_is_partial - row.settles_unpriced - row.settles_partly;
    if (total_of(row.tokens) >= 0) uncounted -= row.settles_unpriced;
    low -= row.settles_low;
    calls += one.calls;
    errors += one.errors;
    unknown += one.unknown;
  }
  const bool knows_cost = unpriced <= 0 && low <= 0, knows_tokens = uncounted <= 0 && low <= 0;
  Figures figures;
  auto set = [&](Threshold::Of of, double figure) { figures[static_cast<size_t>(of)] = figure; };
  const bool has_models = calls > 0;
  const bool has_usage = has_models || !actions.unplaced().empty();
  if (knows_cost && has_usage) set(Threshold::Of::cost, static_cast<double>(cost) / kBillionths);
  if (knows_tokens && has_usage) set(Threshold::Of::tokens, static_cast<double>(tokens));
  if (has_models) set(Threshold::Of::calls, static_cast<double>(calls));
  if (unknown == 0 && (has_models || !actions.tools().empty()))
    set(Threshold::Of::errors, static_cast<double>(errors));
  if (Duration took = actions.took(); unfinished == 0 && took != kNoDuration)
    set(Threshold::Of::duration, std::chrono::duration<double>(took).count());
  return figures;
}

Figures mean_of(const std::vector<Figures>& all) {
  Figures mean;
  for (size_t i = 0; i < kFigures && !all.empty(); ++i) {
    double sum = 0;
    bool is_known = true;
    for (const Figures& one : all) {
      is_known &= one[i].has_value();
      sum += one[i].value_or(0);
    }
    if (is_known) mean[i] = sum / static_cast<double>(all.size());
  }
  return mean;
}

std::string shown(Threshold::Of of, double figure) {
  switch (of) {
    case Threshold::Of::cost: return show_dollars({std::llround(figure * kBillionths)});
    case Threshold::Of::duration: return format_span(Duration(std::llround(figure * kBillionths)));
    default: return plain(figure);
  }
}

std::string plain(double number) {
  constexpr double kWhole = 1e5;  // from here on nobody misses the decimals
  if (std::trunc(number) == number || std::abs(number) >= kWhole)
    return fmt::format("{:.0f}", number);
  return fmt::format("{:.6g}", number);
}

}  // namespace xtrace
