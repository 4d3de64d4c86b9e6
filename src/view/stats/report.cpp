#include "view/stats/report.h"

#include <fmt/format.h>

#include "view/calls/costs.h"
#include "view/stats/stats_fields.h"
#include "view/stats/stats_outline.h"

namespace xtrace {

namespace {

/// What of the cost is attributed, and what is not.
struct AttributedSum {
  int64_t attributed = kNoCount, rest = kNoCount, guessed = kNoCount;
};

AttributedSum attributed_sum(const std::vector<Grouped>& groups) {
  AttributedSum sum;
  for (const Grouped& group : groups) {
    int64_t& part = group.name.empty() ? sum.rest : sum.attributed;
    part = sum_of_known({part, group.models.sum.usage.cost});
    if (!group.name.empty()) sum.guessed = sum_of_known({sum.guessed, group.guessed.cost});
  }
  return sum;
}

struct ReportTotal {
  GroupRow work;
  AttributedSum attributed;
};

constexpr Field<AttributedSum> kAttributedSums[] = {
    {{"attributed.cost_usd", "part of the cost that is attributed to a named group",
      CellKind::number},
     [](const AttributedSum& sum) { return dollars(sum.attributed); }},
    {{"attributed.guessed_usd", "part of that with a confidence below 1", CellKind::number},
     [](const AttributedSum& sum) { return dollars(sum.guessed); }},
    {{"attributed.rest_usd", "part of the cost that cannot be attributed", CellKind::number},
     [](const AttributedSum& sum) { return dollars(sum.rest); }},
};
constexpr auto kReportWork = joined_fields(kSessionCount, kAgentCount, kCalls, kUse);
constexpr auto kReportTotals = joined_fields(fields_in<&ReportTotal::work, kReportWork>,
                                             fields_in<&ReportTotal::attributed, kAttributedSums>);

struct OverspentRow {
  const Stats& stats;
  const Budget& budget;
  const Overspent& found;
};
constexpr Field<OverspentRow> kOverspent[] = {
    {{"period", "day, week (ISO 8601) or month in the time zone of this output", CellKind::text,
      true},
     [](const OverspentRow& row) {
       return Cell(row.stats.question.door.composed(row.found.period));
     }},
    {{"cost_usd", "", Role::cost, true},
     [](const OverspentRow& row) { return dollars(row.found.usage.cost); }},
    {{"limit_usd", "amount that --budget allows per period", CellKind::number, true},
     [](const OverspentRow& row) { return dollars(row.budget.limit); }},
};

std::string per(const Budget& budget) {
  return fmt::format("{} per {}", show_dollars({budget.limit}), word(budget.per));
}

std::string budget_words(const Stats& stats, const Budget& budget,
                         const std::vector<Overspent>& found) {
  if (found.empty())
    return fmt::format("budget of {}: kept{}", per(budget),
                       has_unknown_costs(stats) ? ", as far as costs are known" : "");
  std::string words = fmt::format("budget of {}: exceeded", per(budget));
  for (size_t i = 0; i < found.size(); ++i)
    words += fmt::format("{} {} ({})", i == 0 ? " on" : ",", found[i].period,
                         cost_words(found[i].usage));
  return words;
}

std::string attributed_words(const Stats& stats, const std::vector<Grouped>& groups) {
  const AttributedSum sum = attributed_sum(groups);
  if (sum.attributed < 0 && sum.rest < 0) return {};
  std::string words = fmt::format("attributed: {}; not attributable: {}",
                                  show_dollars({at_least_none(sum.attributed)}),
                                  show_dollars({at_least_none(sum.rest)}));
  double least = 1;
  for (const Grouped& group : groups) least = std::min(least, group.confidence);
  if (sum.guessed > 0)
    words += fmt::format("; {} of the attributed cost is inferred (confidence ≥ {:.0f}%)",
                         show_dollars({sum.guessed}), least * 100);
  if (stats.by == StatsBy::tool || stats.by == StatsBy::mcp || stats.by == StatsBy::file)
    words += "; the cost of a call is divided equally among the tools that it requests";
  return words;
}

}  // namespace

void add_report_tables(const Stats& stats, const Budget& budget, Document& document) {
  document.add(group_table(stats));
  const Grouped all = all_of(stats);
  ReportTotal total{{.stats = stats, .group = all}, {}};
  if (row_of(stats.by).attributed) total.attributed = attributed_sum(by_group(stats));
  document.add(record_of<kReportTotals>("totals", total));
  Table exceeded = table_of<kOverspent>("over_budget");
  const std::vector<Overspent> found = overspent(stats, budget);
  for (const Overspent& one : found) add_fields(kOverspent, {stats, budget, one}, exceeded);
  document.add(std::move(exceeded));
}

void add_report_outlines(const Stats& stats, const Budget& budget, std::span<const Text> foot,
                         Document& document) {
  Door& door = stats.question.door;
  const std::vector<Grouped> groups = by_group(stats);
  if (budget.limit >= 0) {
    Outline head;
    head.head.push_back(door.composed(budget_words(stats, budget, overspent(stats, budget))));
    document.add(std::move(head));
  }
  if (groups.empty()) {
    Outline none;
    none.head.push_back("no model call and no tool use to report");
    document.add(std::move(none));
  }
  StatsOutlines(stats, document).groups(groups);
  Outline last;
  if (row_of(stats.by).attributed)
    if (std::string words = attributed_words(stats, groups); !words.empty())
      last.foot.push_back(door.composed(std::move(words)));
  for (const Text& line : foot) last.foot.push_back(line);
  if (!last.foot.empty()) document.add(std::move(last));
}

std::vector<Section> report_sections() {
  return {Section(empty_group_table()), Section(Record{table_of<kReportTotals>("totals")}),
          Section(table_of<kOverspent>("over_budget"))};
}

}  // namespace xtrace
