#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/dollars.h"
#include "view/calls/costs.h"
#include "view/common/field.h"
#include "view/eval/figures.h"
#include "view/eval/judge.h"

namespace xtrace {

namespace {

/// A sum, how many of what it is of say nothing, and how many say less than there was.
struct LimitSum {
  double known = 0;
  int64_t unknown = 0, low = 0, partly = 0;
  const Action* last = nullptr;  ///< the one with which it went over
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
  for (const Action& model : scene.actions.models()) {
    const Usage one = usage_of(*model.done);
    if (amount_of(one) < 0) sum.unknown += model.done->outcome != Outcome::error;  // not charged
    all.add(one);
    if (is_over(amount_of(all), limit.most) && sum.last == nullptr) sum.last = &model;
  }
  for (const UnplacedRow& row : scene.actions.unplaced()) {
    const Usage one = usage_of(row.usage);
    sum.unknown += one.unpriced;
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

}  // namespace

void judge_limit(const Case& scene, const Limit& limit, Verdict& verdict) {
  HopId deepest;
  LimitSum sum;
  switch (limit.of) {
    case Limit::Of::calls:
      sum = count(scene.actions.models(), limit.most);
      for (const UnplacedRow& row : scene.actions.unplaced())
        sum.known += static_cast<double>(row.calls);
      break;
    case Limit::Of::tool_calls: sum = count(scene.actions.tools(), limit.most); break;
    case Limit::Of::depth: sum = depth_of(scene, deepest); break;
    case Limit::Of::tokens:
    case Limit::Of::cost: sum = used_up(scene, limit); break;
    case Limit::Of::time: {
      Duration took = scene.actions.took();
      sum.unknown = took == kNoDuration || scene.actions.has_unfinished();
      if (took != kNoDuration) sum.known = std::chrono::duration<double>(took).count();
      break;
    }
  }
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
  } else if (sum.low > 0) {
    verdict.status = Judged::insufficient;
    verdict.message += "; " + low_output_words(sum.low);
  } else if (sum.partly > 0) {
    verdict.status = Judged::insufficient;
    verdict.message += "; " + partly_words(sum.partly);
  }
}

}  // namespace xtrace
