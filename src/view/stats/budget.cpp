#include <fmt/format.h>

#include <map>

#include "base/dollars.h"
#include "base/text.h"
#include "view/stats/report.h"

namespace xtrace {

Result<Budget> read_budget(std::string_view text) {
  const size_t slash = text.find('/');
  const std::optional<Dollars> amount = parse_dollars(text.substr(0, slash));
  Budget budget;
  if (slash != std::string_view::npos) budget.per = stats_by(text.substr(slash + 1));
  if (!amount || amount->billionths < 0 || !row_of(budget.per).is_time ||
      budget.per == StatsBy::block)
    return fail(Exit::usage, fmt::format("--budget: '{}' is not an amount in dollars per day, week "
                                         "or month, such as 50/day",
                                         printable(text)));
  budget.limit = amount->billionths;
  return budget;
}

std::vector<Overspent> overspent(const Stats& stats, const Budget& budget) {
  if (budget.limit < 0) return {};
  std::map<std::string, Usage> periods;
  for (const Work& work : stats.log.works)
    if (work.kind == Work::Kind::model_call && work.done->start != kNoTime)
      periods[period_of(work.done->start, budget.per, stats.question.door.zone())].add(
          work.sum.usage);
  std::vector<Overspent> found;
  for (const auto& [period, usage] : periods)
    if (usage.cost > budget.limit) found.push_back({period, usage});
  return found;
}

bool has_unknown_costs(const Stats& stats) {
  return all_of(stats).models.sum.usage.is_low_cost();
}

}  // namespace xtrace
