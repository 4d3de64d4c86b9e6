#include "view/stats/stats_outline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "view/calls/costs.h"
#include "view/common/words.h"
#include "view/stats/bill_sections.h"
#include "view/stats/context_table.h"

namespace xtrace {

namespace {

std::string spread_words(const Distribution& distribution) {
  return fmt::format("median {}, p95 {}, p99 {}", format_span(distribution.median),
                     format_span(distribution.p95), format_span(distribution.p99));
}

/// Nothing where no outcome is known.
std::string share_of_known(const CallSum& sum) {
  if (sum.known() == 0) return {};
  return fmt::format(" ({})", percent(part_of(sum.errors, sum.known())));
}

std::string unknown_words(const CallSum& sum) {
  return sum.unknown == 0 ? std::string() : fmt::format(", {} unknown", sum.unknown);
}

}  // namespace

std::string share_bar(double share) {
  constexpr int kColumns = 10, kParts = 8;  // a column is 10%; blocks have eighths
  constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  int parts = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * kColumns * kParts));
  if (parts == 0 && share > 0) parts = 1;
  std::string drawn;
  for (int i = 0; i < parts / kParts; ++i) drawn += "█";
  return drawn + kEighths[parts % kParts];
}

std::string percent(double share) {
  if (share > 0 && share < 0.001) return "<0.1%";
  return fmt::format("{:.{}f}%", share * 100, share > 0 && share < 0.1 ? 1 : 0);
}

void StatsOutlines::totals() {
  const CallSum& models = all_.models.sum;
  const CallSum& tools = all_.tools.sum;
  Outline outline;
  auto line = [&](std::string text) { outline.head.push_back(say(std::move(text))); };
  std::string where;
  for (const auto& [count, thing] :
       {std::pair(stats_.log.sessions, "session"), {stats_.log.runs, "run"}})
    if (count > 0) where += (where.empty() ? "" : " and ") + plural(count, thing);
  if (where.empty()) where = plural(0, stats_.calls == nullptr ? "run" : "session");
  if (models.calls == 0 && stats_.log.runs == 0 && stats_.calls != nullptr)
    line("no model call matches the filters");
  else if (models.calls == 0)
    line(fmt::format(
        "{} in {}, no model calls",
        plural(std::ranges::count(stats_.log.works, false, &Work::is_unplaced), "span"), where));
  else
    // Spans may name no agent; then who called is known from hops alone, which count no instances.
    line(fmt::format("{}{} in {}: {} failed{}, {} retried ({}){}",
                     plural(models.calls, "model call"),
                     stats_.log.agents() > 0 ? " by " + plural(stats_.log.agents(), "agent") : "",
                     where, models.errors, share_of_known(models), models.retries,
                     percent(part_of(models.retries, models.calls)), unknown_words(models)));
  if (!all_.models.durations.empty())
    line(fmt::format("call duration: {}", spread_words(distribution_of(all_.models.durations))));
  if (tools.calls > 0)
    line(fmt::format("{}: {} of {} failed{}{}", plural(tools.calls, "tool use"), tools.errors,
                     plural(tools.known(), "recorded result"), share_of_known(tools),
                     unknown_words(tools)));
  life_line(outline);
  path_lines(outline);
  RetrySum again = retry_sum(stats_);
  if (again.requests > 0)
    line(
        fmt::format("{} retried, up to {} attempts each; {} recovered{}",
                    plural(again.requests, "request"), again.most_attempts, again.recovered,
                    again.back_offs.empty()
                        ? ""
                        : ", median wait " + format_span(distribution_of(again.back_offs).median)));
  if (again.asked > 0)
    line(fmt::format("{} followed a request to wait; {} started too early",
                     plural(again.asked, "attempt"), again.too_early));
  document_.add(std::move(outline));
}

void StatsOutlines::life_line(Outline& outline) {
  if (all_.spawned() == 0) return;
  const std::vector<Duration> lifetimes = all_.lifetimes(true);
  std::string text = plural(all_.spawned(), "subagent");
  if (lifetimes.size() == 1)
    text += "; lifetime " + format_span(lifetimes.front());
  else if (!lifetimes.empty())
    text += fmt::format("; lifetime: median {}, up to {}",
                        format_span(distribution_of(lifetimes).median),
                        format_span(distribution_of(lifetimes).most));
  outline.head.push_back(say(std::move(text)));
  if (int64_t unrecorded = all_.unrecorded(); unrecorded > 0)
    outline.head.push_back(say(unrecorded_words(unrecorded) + ", not included in any sum"));
}

void StatsOutlines::path_lines(Outline& outline) {
  auto line = [&](std::string text) { outline.head.push_back(say(std::move(text))); };
  Parallel parallel = stats_.at_once(all_.models);
  std::string_view thing = all_.models.sum.calls > 0 ? "call" : "span";
  if (parallel.most > 0)
    line(fmt::format("concurrency: up to {} at once, mean {:.2f}", plural(parallel.most, thing),
                     parallel.mean));
  if (const CriticalPath& path = stats_.log.path; path.steps > 0 && path.took > Duration{0}) {
    const bool is_whole = !path.is_of_spans && stats_.calls->selection.hidden.nodes > 0;
    line(fmt::format("critical path: {} in {}{}{}",
                     plural(path.steps, path.is_of_spans ? "span" : "call"), format_span(path.took),
                     is_whole ? ", including hidden ones" : "", slack_off_path()));
  }
  WindowUse use = window_use(all_.models.works);
  if (use.most >= 0)
    line(fmt::format("context window: peak {}, median {}{}", percent(use.most), percent(use.median),
                     all_.models.sum.compactions > 0
                         ? "; " + plural(all_.models.sum.compactions, "compaction")
                         : ""));
  else if (all_.models.sum.compactions > 0)
    line("context window: " + plural(all_.models.sum.compactions, "compaction"));
}

std::string StatsOutlines::slack_off_path() const {
  std::vector<Duration> slacks;
  for (const Work& work : stats_.log.works) {
    bool counts = stats_.calls == nullptr || work.kind == Work::Kind::model_call;
    if (counts && !work.is_critical && work.slack != kNoDuration) slacks.push_back(work.slack);
  }
  if (slacks.empty()) return {};
  const std::string_view thing = stats_.calls != nullptr ? "call" : "span";
  const std::string longer = format_span(distribution_of(slacks).median);
  if (slacks.size() == 1) return fmt::format("; the other {} has {} slack", thing, longer);
  return fmt::format("; the other {} {}s have {} slack (median)", slacks.size(), thing, longer);
}

void add_stats_outlines(const Stats& stats, std::vector<Text> foot, Document& document) {
  StatsOutlines outlines(stats, document);
  if (stats.by != StatsBy::nothing) outlines.groups(by_group(stats));  // what was asked for
  add_bill_outlines(stats, document);
  add_time_outlines(stats, document);
  add_context_outline(stats, document);
  outlines.waste();
  outlines.totals();
  outlines.calls("model", group_by(stats, StatsAxis::model));
  std::vector<Grouped> providers = group_by(stats, StatsAxis::provider);
  if (providers.size() > 1) outlines.calls("provider", providers);
  outlines.calls("agent", group_by(stats, StatsAxis::agent));
  outlines.tools();
  outlines.operations();
  outlines.errors();
  outlines.retries();
  outlines.repeated();
  if (foot.empty()) return;
  Outline last;
  last.foot = std::move(foot);
  document.add(std::move(last));
}

}  // namespace xtrace
