#include "view/eval/figures.h"

#include <fmt/format.h>

#include <cmath>

#include "base/dollars.h"

namespace xtrace {

namespace {

constexpr double kBillionths = 1e9;

/// What failed, and nobody charged for, used up nothing.
bool costs_nothing(const Action& model) {
  return model.outcome != Outcome::ok && !model.done->is_unpriced;
}

}  // namespace

/// Of models' requests; errors are those of tools too.
Figures figures_of(const AgentActions& actions) {
  int64_t cost = 0, tokens = 0, errors = 0;
  bool knows_cost = true, knows_tokens = true;
  for (const Action& model : actions.models()) {
    int64_t total = total_of(model.done->tokens);
    if (total >= 0) tokens += total;
    if (model.done->cost >= 0) cost += model.done->cost;
    const bool is_low = model.done->output_is_low;  // a lower bound is no figure
    knows_tokens &= !is_low && (total >= 0 || costs_nothing(model));
    knows_cost &= !is_low && (model.done->cost >= 0 || costs_nothing(model));
    errors += model.outcome == Outcome::error;
  }
  for (const Action& tool : actions.tools()) errors += tool.outcome == Outcome::error;
  Figures figures;
  auto set = [&](Threshold::Of of, double figure) { figures[static_cast<size_t>(of)] = figure; };
  bool has_models = !actions.models().empty();
  if (knows_cost && has_models) set(Threshold::Of::cost, static_cast<double>(cost) / kBillionths);
  if (knows_tokens && has_models) set(Threshold::Of::tokens, static_cast<double>(tokens));
  if (has_models) set(Threshold::Of::calls, static_cast<double>(actions.models().size()));
  if (has_models || !actions.tools().empty())
    set(Threshold::Of::errors, static_cast<double>(errors));
  if (Duration took = elapsed(actions.start(), actions.end()); took != kNoDuration)
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
