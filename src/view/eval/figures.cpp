#include "view/eval/figures.h"

#include <fmt/format.h>

#include <cmath>

#include "base/dollars.h"
#include "view/calls/call_sum.h"

namespace xtrace {

namespace {

constexpr double kBillionths = 1e9;

}  // namespace

/// Of models' requests; errors are those of tools too.
Figures figures_of(const AgentActions& actions) {
  CallSum sum, tools;
  int64_t uncounted = 0;
  for (const Action& model : actions.models()) {
    const Activity& done = *model.done;
    CallSum one = CallSum::of(done.outcome);
    one.usage = usage_of(done);
    sum.add(one);
    // What failed, and nobody charged for, used up nothing.
    const bool may_use = done.outcome != Outcome::error || done.is_unpriced;
    uncounted += total_of(done.tokens) < 0 && may_use;
  }
  for (const Action& tool : actions.tools()) tools.add(CallSum::of(tool.done->outcome));
  const Bill bill(actions.graph());
  for (const UnplacedRow& row : actions.unplaced()) {
    sum.add(CallSum::of(row, bill));
    if (total_of(row.usage.tokens) >= 0) uncounted -= row.usage.settles_unpriced;
  }
  // A lower bound is no figure.
  const Usage& usage = sum.usage;
  const bool knows_cost = usage.unpriced + usage.partly <= 0 && usage.low <= 0;
  const bool knows_tokens = uncounted <= 0 && usage.low <= 0;
  Figures figures;
  auto set = [&](Threshold::Of of, double figure) { figures[static_cast<size_t>(of)] = figure; };
  const bool has_models = sum.calls > 0;
  const bool has_usage = has_models || !actions.unplaced().empty();
  if (knows_cost && has_usage)
    set(Threshold::Of::cost, static_cast<double>(at_least_none(usage.cost)) / kBillionths);
  if (knows_tokens && has_usage)
    set(Threshold::Of::tokens, static_cast<double>(at_least_none(total_of(usage.tokens))));
  if (has_models) set(Threshold::Of::calls, static_cast<double>(sum.calls));
  if (sum.unknown + tools.unknown == 0 && (has_models || !actions.tools().empty()))
    set(Threshold::Of::errors, static_cast<double>(sum.errors + tools.errors));
  if (Duration took = actions.took(); !actions.has_unfinished() && took != kNoDuration)
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
