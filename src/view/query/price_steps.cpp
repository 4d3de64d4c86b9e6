#include <algorithm>

#include "view/query/query_steps.h"

namespace xtrace {

namespace {

bool names_tokens(const Step& step) {
  return step.record.tokens != Tokens();
}

/// Does a step tell of what steps within it cost, too? One that has tokens of its own beside
/// theirs tells what these cost.
bool tells_for_all(const Step& step) {
  bool is_own = names_tokens(step) && step.counts(Metric::tokens_in);
  return step.record.cost >= 0 && step.counts(Metric::cost) && !is_own;
}

/// Do the totals have what it cost from a step around it?
bool is_told_around(const std::vector<Step>& steps, const Step& step) {
  size_t out = step.call ? Step::kNone : step.parent;
  for (; out != Step::kNone; out = steps[out].parent)
    if (tells_for_all(steps[out])) return true;
  return false;
}

}  // namespace

void price(std::vector<Step>& steps, const PriceTable& prices) {
  for (Step& step : steps) {
    if (step.record.cost >= 0 || step.record.model.empty() || step.is_total) continue;
    step.record.cost = prices.cost(step.record.model, step.record.tokens);
    step.cost_from_table = step.record.cost >= 0;
  }
}

void find_unpriced(std::vector<Step>& steps) {
  std::vector<bool> is_around(steps.size());
  for (const Step& step : steps)
    if (step.parent != Step::kNone && !step.call) is_around[step.parent] = true;
  for (size_t i = 0; i < steps.size(); ++i) {
    Step& step = steps[i];
    // A step around others may name the model that they call.
    bool calls_model = names_tokens(step) || (!step.record.model.empty() && !is_around[i]);
    bool is_free = step.outcome == Outcome::error && !names_tokens(step);
    bool is_told = !step.counts(Metric::tokens_in) || !step.counts(Metric::tokens_out);
    step.is_unpriced =
        calls_model && step.record.cost < 0 && !is_free && !is_told && !is_told_around(steps, step);
  }
}

}  // namespace xtrace
