#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/dollars.h"
#include "view/calls/costs.h"
#include "view/common/field.h"
#include "view/eval/figures.h"
#include "view/eval/judge.h"

namespace xtrace {

namespace {

/// Multiplies an estimate of the output that the log does not count, so that a limit passes only
/// with room to spare. The estimate is usually within 9 % (estimate_output), and within 15 % for
/// the recorded sessions with both counts; but thoughts that a log leaves out are not in it.
constexpr double kRoomOfEstimate = 3;

/// A sum, how many of what it is of say nothing, and how many say less than there was.
struct LimitSum {
  double known = 0;
  int64_t unknown = 0, low = 0, partly = 0;
  double missing = 0;             ///< estimated for those that say less
  int64_t unestimated = 0;        ///< those of which no estimate is known
  const Action* last = nullptr;   ///< the one with which it went over
  const Action* least = nullptr;  ///< the one of which most is missing

  double upper() const { return known + kRoomOfEstimate * missing; }
  bool is_bounded() const { return unknown == 0 && partly == 0 && unestimated == 0; }
};

/// Sums of decimals are not exact: 0.1 + 0.2 is not 0.3.
bool is_over(double sum, double most) {
  constexpr double kClose = 1e-12;
  return sum > most + kClose * std::max(1.0, most);
}

/// What every request used up, tokens or dollars, and what no request accounts for.
LimitSum used_up(const Case& scene, const Limit& limit) {
  const bool is_cost = limit.of == Limit::Of::cost;
  auto amount_of = [&](const Usage& usage) {
    return is_cost ? static_cast<double>(usage.cost) / 1e9
                   : static_cast<double>(total_of(usage.tokens));
  };
  LimitSum sum;
  Usage all;
  double most_missing = -1;
  auto estimate = [&](const Action& model) {
    const OutputEstimate output = scene.actions.estimated_output(model);
    if (output.tokens < 0 || (is_cost && output.cost < 0)) return void(++sum.unestimated);
    const double missing =
        is_cost ? static_cast<double>(output.cost) / 1e9 : static_cast<double>(output.more);
    sum.missing += missing;
    if (missing <= most_missing) return;
    most_missing = missing;
    sum.least = &model;
  };
  for (const Action& model : scene.actions.models()) {
    const Usage one = usage_of(*model.done);
    if (model.done->output_is_low) estimate(model);
    if (amount_of(one) < 0) sum.unknown += model.done->outcome != Outcome::error;  // not charged
    all.add(one);
    if (is_over(amount_of(all), limit.most) && sum.last == nullptr) sum.last = &model;
  }
  for (const UnplacedRow& row : scene.actions.unplaced()) {
    const Usage one = usage_of(row.usage);
    sum.unknown += one.unpriced;
    sum.unestimated += std::max<int64_t>(one.low, 0);
    all.add(one);
  }
  sum.known = std::max(amount_of(all), 0.0);
  sum.unknown = std::max<int64_t>(sum.unknown, 0);
  sum.low = std::max<int64_t>(all.low, 0);
  if (is_cost) sum.partly = std::max<int64_t>(all.partly, 0);
  return sum;
}

/// Actors below the user, named or not, on the longest chain of delegation; and the hop that ends
/// it.
LimitSum depth_of(const Case& scene, HopId& deepest) {
  LimitSum depth;
  for (HopId id : scene.actions.hops()) {
    const std::vector<ActorId> actors = scene.actions.paths().actors(scene.actions.paths().of(id));
    const double length = static_cast<double>(std::ranges::count_if(actors, [&](ActorId actor) {
      return scene.actions.all_hops()[actor].type != Actor::Type::principal;
    }));
    if (length <= depth.known) continue;
    depth.known = length;
    deepest = id;
  }
  depth.unknown = scene.actions.hops().empty();
  return depth;
}

LimitSum count(const std::vector<Action>& actions, double most) {
  LimitSum sum;
  sum.known = static_cast<double>(actions.size());
  if (is_over(sum.known, most)) sum.last = &actions[static_cast<size_t>(most)];
  return sum;
}

/// Failures of models and tools.
LimitSum errors_of(const Case& scene, double most) {
  LimitSum sum;
  std::vector<const Action*> failed;
  for (const std::vector<Action>* actions : {&scene.actions.models(), &scene.actions.tools()})
    for (const Action& action : *actions) {
      sum.unknown += !is_known(action.done->outcome);
      if (action.done->outcome == Outcome::error) failed.push_back(&action);
    }
  std::ranges::stable_sort(failed, {}, [](const Action* action) { return action->done->start; });
  sum.known = static_cast<double>(failed.size());
  if (is_over(sum.known, most)) sum.last = failed[static_cast<size_t>(most)];
  for (const UnplacedRow& row : scene.actions.unplaced()) {
    sum.known += static_cast<double>(row.errors);
    sum.unknown += row.unknown;
  }
  return sum;
}

LimitSum measure(const Case& scene, const Limit& limit, HopId& deepest) {
  LimitSum sum;
  switch (limit.of) {
    case Limit::Of::calls:
      sum = count(scene.actions.models(), limit.most);
      for (const UnplacedRow& row : scene.actions.unplaced())
        sum.known += static_cast<double>(row.calls);
      break;
    case Limit::Of::tool_calls: return count(scene.actions.tools(), limit.most);
    case Limit::Of::depth: return depth_of(scene, deepest);
    case Limit::Of::tokens:
    case Limit::Of::cost: return used_up(scene, limit);
    case Limit::Of::time: {
      Duration took = scene.actions.took();
      sum.unknown = took == kNoDuration || scene.actions.has_unfinished();
      if (took != kNoDuration) sum.known = std::chrono::duration<double>(took).count();
      break;
    }
    case Limit::Of::errors: return errors_of(scene, limit.most);
  }
  return sum;
}

std::string shown(Limit::Of of, double amount) {
  if (of == Limit::Of::cost) return show_dollars({std::llround(amount * 1e9)});
  return plain(amount) + (of == Limit::Of::time ? "s" : "");
}

/// `$3.20 (at most $3 allowed)`; all digits where two amounts would look alike.
std::string held_against(const Limit& limit, const LimitSum& sum) {
  std::string known = shown(limit.of, sum.known), most = shown(limit.of, limit.most);
  if (known == most && limit.of == Limit::Of::cost) {
    known = "$" + format_dollars({std::llround(sum.known * 1e9)});
    most = "$" + format_dollars({std::llround(limit.most * 1e9)});
  }
  return fmt::format("{}{} (at most {} allowed)", sum.unknown + sum.low > 0 ? "at least " : "",
                     known, most);
}

/// A lower bound below the limit: only an upper estimate can show that the limit holds.
void judge_by_estimate(const Limit& limit, const LimitSum& sum, Verdict& verdict) {
  verdict.message += "; " + low_output_words(sum.low);
  if (sum.unestimated > 0 || is_over(sum.upper(), limit.most)) {
    verdict.status = Judged::insufficient;
    if (sum.unestimated == 0)
      verdict.message += fmt::format(": up to an estimated {}", shown(limit.of, sum.upper()));
    return;
  }
  verdict.is_estimated = true;
  verdict.message += fmt::format(": up to an estimated {}, by which this limit was judged",
                                 shown(limit.of, sum.upper()));
}

}  // namespace

std::optional<UpperAmount> upper_amount(const Case& scene, Limit::Of of) {
  HopId deepest;
  const LimitSum sum = measure(scene, {of, std::numeric_limits<double>::infinity()}, deepest);
  if (!sum.is_bounded()) return {};
  return UpperAmount{sum.upper(), sum.low > 0};
}

void judge_limit(const Case& scene, const Limit& limit, Verdict& verdict) {
  HopId deepest;
  const LimitSum sum = measure(scene, limit, deepest);
  verdict.message = fmt::format("{}: {}", word(limit.of), held_against(limit, sum));
  if (is_over(sum.known, limit.most)) {
    verdict.status = Judged::failed;
    verdict.score = 0;
    if (sum.last != nullptr)
      verdict.evidence.push_back(scene.evidence_of(*sum.last, "limit exceeded here"));
    if (limit.of == Limit::Of::depth) verdict.evidence.push_back(scene.evidence_of(deepest));
    if (limit.of == Limit::Of::time && !scene.actions.models().empty())
      verdict.evidence.push_back(
          scene.evidence_of(scene.actions.models().back(), "the last request"));
  } else if (sum.unknown > 0) {
    verdict.status = Judged::insufficient;
    verdict.message = fmt::format("{}: not fully recorded", word(limit.of));
  } else if (sum.partly > 0) {
    verdict.status = Judged::insufficient;
    verdict.message += "; " + partly_words(sum.partly);
  } else if (sum.low > 0) {
    judge_by_estimate(limit, sum, verdict);
    if (verdict.is_estimated && sum.least != nullptr)
      verdict.evidence.push_back(scene.evidence_of(*sum.least, "output estimated"));
  }
}

}  // namespace xtrace
