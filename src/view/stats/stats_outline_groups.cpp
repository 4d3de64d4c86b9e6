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

Outline::Line StatsOutlines::line_of(Text name, const Grouped& group, bool is_asked) {
  const CallSum& sum = group.models.sum;
  const int64_t cost = all_.models.sum.usage.cost;
  const Distribution distribution = distribution_of(group.models.durations);
  const double share = cost > 0 ? part_of(std::max<int64_t>(sum.usage.cost, 0), cost)
                                : part_of(sum.calls, all_.models.sum.calls);
  const Tokens& tokens = sum.usage.tokens;
  return {0,
          Tone::plain,
          {name, sum.calls, known(say(share_bar(share))), some(sum.errors), some(sum.retries),
           known(distribution.median), known(distribution.p95), known(distribution.p99),
           known(tokens_sent(tokens)), some(tokens.cache_read), known(tokens.output),
           cost_cell(sum.usage), some(group.tools.sum.calls),
           is_asked ? some(parallel_of(group.models.works).most) : Cell()}};
}

Outline StatsOutlines::outline_of(std::string_view what, const std::vector<Grouped>& groups,
                                  bool is_asked) {
  Outline outline;
  outline.columns = {
      {Door::own(what), false, true},
      {"calls", true},
      {all_.models.sum.usage.cost > 0 ? Text("share of cost") : Text("share of calls"), false,
       false, 1},
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
  for (const Grouped& group : groups)
    outline.lines.push_back(line_of(name(group.name), group, is_asked));
  return outline;
}

void StatsOutlines::calls(std::string_view what, const std::vector<Grouped>& groups) {
  if (!groups.empty() && !all_.models.is_empty()) document_.add(outline_of(what, groups, false));
}

void StatsOutlines::show_relative_costs(std::span<const int64_t> costs, Outline& outline) {
  constexpr size_t kBar = 2;  // its column
  const int64_t most = *std::ranges::max_element(costs);
  if (most <= 0) return;
  outline.columns[kBar].title = "relative cost";
  for (size_t i = 0; i < costs.size(); ++i)
    outline.lines[i].cells[kBar] =
        known(say(share_bar(part_of(std::max<int64_t>(costs[i], 0), most))));
}

void StatsOutlines::add_attribution(const std::vector<Grouped>& groups, Outline& outline) {
  const bool has_guesses =
      std::ranges::any_of(groups, [](const Grouped& group) { return group.confidence < 1; });
  outline.columns.push_back({"by subagents", true, false, 3});
  if (has_guesses) outline.columns.push_back({"confidence", true, false, 3});
  for (size_t i = 0; i < groups.size(); ++i) {
    const Grouped& group = groups[i];
    std::vector<Cell>& cells = outline.lines[i].cells;
    cells.push_back(dollars(group.by_subagents.cost));
    if (has_guesses && !group.name.empty())
      cells.push_back(say(fmt::format("{:.0f}%", group.confidence * 100)));
  }
}

void StatsOutlines::groups(const std::vector<Grouped>& groups) {
  if (groups.empty()) return;
  const StatsByRow& row = row_of(stats_.by);
  Outline outline = outline_of(row.word, groups, true);
  std::map<std::string, std::string, std::less<>> turn_of;
  if (stats_.by == StatsBy::task) turn_of = turns();
  if (!turn_of.empty() && std::all_of(groups.begin(), groups.end(), [&](const Grouped& group) {
        return group.name.empty() || turn_of.contains(group.name);
      }))
    outline.columns.front().title = "turn";
  std::vector<int64_t> costs;
  for (size_t i = 0; i < groups.size(); ++i) {
    const std::string_view name = groups[i].name;
    const auto turn = turn_of.find(name);
    outline.lines[i].cells.front() = turn != turn_of.end() ? say(turn->second)
                                     : name.empty()        ? Door::own(row.without)
                                                           : stats_.group_name(name);
    costs.push_back(groups[i].models.sum.usage.cost);
  }
  if (row.is_time) show_relative_costs(costs, outline);
  if (row.attributed) add_attribution(groups, outline);
  if (row.is_ranked) spare_all_but(kMostRows, outline, costs);
  if (groups.size() > 1) {
    outline.lines.push_back(line_of("total", all_, true));
    outline.lines.back().is_total = true;
    outline.lines.back().tone = Tone::heading;
  }
  document_.add(std::move(outline));
}

void StatsOutlines::tools() {
  std::vector<Grouped> groups = group_by(stats_, StatsAxis::tool);
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
  std::vector<Grouped> groups = group_by(stats_, StatsAxis::operation);
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
