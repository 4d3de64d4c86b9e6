#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/one_of.h"
#include "view/calls/costs.h"
#include "view/query/query_name.h"
#include "view/query/turn_words.h"
#include "view/stats/stats_outline.h"

namespace xtrace {

std::map<std::string, std::string, std::less<>> StatsOutlines::turns() const {
  std::map<std::string, std::string, std::less<>> turns;
  const bool is_one_session = stats_.question.graph.sessions().size() == 1;
  for (const Query& query : find_queries(stats_.question.graph)) {
    std::string words = turn_words(stats_.question, stats_.names, query);
    const std::string name = query_name(query);
    if (words.empty()) continue;
    if (!is_one_session) words += fmt::format("  ({})", stats_.name(name).view());
    turns.emplace(name, std::move(words));
  }
  return turns;
}

void StatsOutlines::calls(std::string_view what, const std::vector<Grouped>& groups, bool in_time) {
  if (groups.empty() || (!in_time && all_.models.is_empty())) return;
  bool of_cost = all_.models.sum.usage.cost > 0;
  Outline outline;
  outline.columns = {{Door::own(what), false, true},
                     {"calls", true},
                     {of_cost ? Text("share of cost") : Text("share of calls"), false, false, 1},
                     {"failed", Role::errors, 5},
                     {"retried", true, false, 3},
                     {"median", Role::duration, 4},
                     {"p95", true, false, 2},
                     {"p99", true, false, 1},
                     {"in", Role::input, 6},
                     {"cached", true, false, 3},
                     {"out", Role::output, 6},
                     {"cost", Role::cost},
                     {"tools", true, false, 3},
                     {"concurrent", true, false, 2}};
  std::map<std::string, std::string, std::less<>> turn_of;
  if (in_time && stats_.by == StatsBy::task) turn_of = turns();
  if (!turn_of.empty() && std::all_of(groups.begin(), groups.end(), [&](const Grouped& group) {
        return group.name.empty() || turn_of.contains(group.name);
      }))
    outline.columns.front().title = "turn";
  for (const Grouped& group : groups) {
    const CallSum& sum = group.models.sum;
    Distribution distribution = distribution_of(group.models.durations);
    double share = of_cost
                       ? part_of(std::max<int64_t>(sum.usage.cost, 0), all_.models.sum.usage.cost)
                       : part_of(sum.calls, all_.models.sum.calls);
    const Tokens& tokens = sum.usage.tokens;
    Text shown = stats_.by == StatsBy::day && in_time
                     ? say(std::string(group.name.empty() ? "(unknown)" : group.name))
                     : name(group.name);
    if (const auto turn = turn_of.find(group.name); turn != turn_of.end())
      shown = say(turn->second);
    outline.lines.push_back(
        {0,
         Tone::plain,
         {shown, sum.calls, known(say(share_bar(share))), some(sum.errors), some(sum.retries),
          known(distribution.median), known(distribution.p95), known(distribution.p99),
          known(tokens_sent(tokens)), some(tokens.cache_read), known(tokens.output),
          cost_cell(sum.usage), some(group.tools.sum.calls),
          in_time ? some(parallel_of(group.models.works).most) : Cell()}});
  }
  document_.add(std::move(outline));
}

void StatsOutlines::tools() {
  std::vector<Grouped> groups = by_tool(stats_);
  if (groups.empty()) return;
  Outline outline;
  outline.columns = {{"tool", false, true},
                     {"uses", true},
                     {"share of uses", false, false, 1},
                     {"failed", Role::errors},
                     {"success", true},
                     {"no result", true, false, 3},
                     {"median", Role::duration},
                     {"p95", true, false, 3},
                     {"p99", true, false, 2},
                     {"total time", Role::duration, 4}};
  for (const Grouped& group : groups) {
    const CallSum& sum = group.tools.sum;
    Distribution distribution = distribution_of(group.tools.durations);
    Cell success = sum.known() > 0
                       ? Cell(say(percent(part_of(sum.known() - sum.errors, sum.known()))))
                       : Cell();
    outline.lines.push_back(
        {0,
         Tone::plain,
         {name(group.name), sum.calls,
          known(say(share_bar(part_of(sum.calls, all_.tools.sum.calls)))), some(sum.errors),
          success, some(sum.unknown), known(distribution.median), known(distribution.p95),
          known(distribution.p99), known(distribution.total)}});
  }
  document_.add(std::move(outline));
}

void StatsOutlines::operations() {
  std::vector<Grouped> groups = by_operation(stats_);
  bool says_more = std::any_of(groups.begin(), groups.end(), [](const Grouped& one) {
    return !is_one_of(one.name, {"chat", "execute_tool"});
  });
  if (!says_more) return;
  Outline outline;
  outline.columns = {{"operation", false, true},       {"times", true},
                     {"failed", Role::errors},         {"median", Role::duration},
                     {"p95", true, false, 3},          {"p99", true, false, 2},
                     {"total time", Role::duration, 4}};
  for (const Grouped& group : groups) {
    Distribution distribution = distribution_of(group.models.durations);
    outline.lines.push_back(
        {0,
         Tone::plain,
         {name(group.name), group.models.sum.calls, some(group.models.sum.errors),
          known(distribution.median), known(distribution.p95), known(distribution.p99),
          known(distribution.total)}});
  }
  document_.add(std::move(outline));
}

}  // namespace xtrace
