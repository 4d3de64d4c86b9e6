#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/one_of.h"
#include "view/costs.h"
#include "view/stats.h"
#include "view/words.h"

namespace xtrace {

namespace {

/// More rows of errors, retries or repeated calls than this are for programs.
constexpr size_t kMostRows = 20;

/// A bar as long as the share is of ten columns, to an eighth of one; the smallest there is for
/// what is not nothing.
std::string bar(double share) {
  constexpr int kColumns = 10, kParts = 8;
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
double part_of(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

class Outlines {
 public:
  Outlines(const Stats& stats, Document& document)
      : stats_(stats),
        door_(stats.question.door),
        document_(document),
        models_(stats.tally(Work::Kind::model)),
        tools_(stats.tally(Work::Kind::tool)) {}

  void add(std::vector<Text> foot) {
    totals();
    if (stats_.by != StatsBy::nothing) calls(word(stats_.by), by_group(stats_), true);
    calls("model", by_model(stats_), false);
    std::vector<Grouped> providers = by_provider(stats_);
    if (providers.size() > 1) calls("provider", std::move(providers), false);
    calls("agent", by_agent(stats_), false);
    tools();
    std::vector<Grouped> operations = by_operation(stats_);
    bool says_more = std::any_of(operations.begin(), operations.end(), [](const Grouped& one) {
      return !is_one_of(one.name, {"chat", "execute_tool"});
    });
    if (says_more) this->operations(operations);
    errors();
    retries();
    repeated();
    if (foot.empty()) return;
    Outline last;
    last.foot = std::move(foot);
    document_.add(std::move(last));
  }

 private:
  Text say(std::string text) { return door_.composed(std::move(text)); }
  Text name(std::string_view name) {
    return name.empty() ? Text("(not known)") : stats_.name(name);
  }
  static std::string spread_words(const Spread& spread) {
    return fmt::format("median {}, p95 {}, p99 {}", format_span(spread.median),
                       format_span(spread.p95), format_span(spread.p99));
  }

  void totals() {
    Outline outline;
    auto line = [&](std::string text) { outline.head.push_back(say(std::move(text))); };
    int64_t agents = static_cast<int64_t>(stats_.log.lives.size());
    std::string where = plural(stats_.log.sessions, stats_.calls == nullptr ? "run" : "session");
    if (models_.count() == 0)
      line(fmt::format("{} in {}, no model call among them",
                       plural(static_cast<int64_t>(stats_.log.works.size()), "span"), where));
    else
      line(fmt::format("{} by {} in {}: {} failed ({}), {} retried ({})",
                       plural(models_.count(), "model call"), plural(agents, "agent"), where,
                       models_.errors, percent(part_of(models_.errors, models_.count())),
                       models_.retries, percent(part_of(models_.retries, models_.count()))));
    if (!models_.durations.empty())
      line(
          fmt::format("a call took {} (nearest rank)", spread_words(spread_of(models_.durations))));
    if (tools_.count() > 0)
      line(fmt::format("{}: {} of {} read were errors ({})", plural(tools_.count(), "tool use"),
                       tools_.errors, plural(tools_.answered(), "result"),
                       percent(part_of(tools_.errors, tools_.answered()))));
    life_line(line);
    path_lines(line);
    RetrySum again = retry_sum(stats_);
    if (again.requests > 0)
      line(fmt::format("{} made again, at most {} attempts; {} went well in the end{}",
                       plural(again.requests, "request"), again.most_attempts, again.recovered,
                       again.back_offs.empty()
                           ? ""
                           : ", after waits of " + format_span(spread_of(again.back_offs).median) +
                                 " (median)"));
    document_.add(std::move(outline));
  }

  template <class Line>
  void life_line(Line line) {
    Grouped all;
    for (const AgentLife& life : stats_.log.lives) all.lives.push_back(&life);
    if (all.spawned() == 0) return;
    std::vector<Duration> lifetimes = all.lifetimes(true);
    line(fmt::format("{} spawned{}", plural(all.spawned(), "agent"),
                     lifetimes.empty() ? ""
                                       : fmt::format(", which lived {} (median), {} at most",
                                                     format_span(spread_of(lifetimes).median),
                                                     format_span(spread_of(lifetimes).most))));
  }

  template <class Line>
  void path_lines(Line line) {
    Parallel parallel = parallel_of(models_.works);
    if (parallel.most > 0)
      line(fmt::format("at once: {} at most, {:.2f} on average while any was open",
                       plural(parallel.most, "call"), parallel.mean));
    if (stats_.calls != nullptr && !stats_.calls->metrics.critical_path.empty())
      line(fmt::format(
          "critical path: {} in {}; the others could have taken {} longer (median slack)",
          plural(static_cast<int64_t>(stats_.calls->metrics.critical_path.size()), "call"),
          format_span(stats_.calls->metrics.critical_time), off_path_slack()));
    WindowUse use = window_use(models_.works);
    if (use.most >= 0)
      line(fmt::format(
          "context window: {} at the fullest, {} in the median{}", percent(use.most),
          percent(use.median),
          models_.compactions > 0 ? "; " + plural(models_.compactions, "compaction") : ""));
    else if (models_.compactions > 0)
      line("context window: " + plural(models_.compactions, "compaction"));
  }

  std::string off_path_slack() const {
    std::vector<Duration> slacks;
    for (const Work* work : models_.works)
      if (!work->is_critical && work->slack != kNoDuration) slacks.push_back(work->slack);
    return slacks.empty() ? "no" : format_span(spread_of(slacks).median);
  }

  /// Groups of model calls. The bar is of the cost where that is known of any, else of the calls.
  void calls(std::string_view what, std::vector<Grouped> groups, bool in_time) {
    if (groups.empty() || (!in_time && models_.count() == 0)) return;
    bool of_cost = models_.spent.cost > 0;
    Outline outline;
    outline.columns = {{Door::own(what), false, true},
                       {"calls", true},
                       {of_cost ? Text("of cost") : Text("of calls"), false, false, 3},
                       {"failed", true},
                       {"retried", true, false, 4},
                       {"median", true},
                       {"p95", true, false, 2},
                       {"p99", true, false, 4},
                       {"in", true},
                       {"cached", true, false, 3},
                       {"out", true},
                       {"cost", true},
                       {"tools", true, false, 3},
                       {"at once", true, false, 4}};
    for (const Grouped& group : groups) {
      const Tally& of = group.models;
      Spread spread = spread_of(of.durations);
      double share = of_cost ? part_of(std::max<int64_t>(of.spent.cost, 0), models_.spent.cost)
                             : part_of(of.count(), models_.count());
      const Tokens& tokens = of.spent.tokens;
      int64_t sent = sum_of_known({tokens.input, tokens.cache_read, tokens.cache_creation});
      Text shown = what == "provider"
                       ? (group.name.empty() ? Text("(not known)") : Door::own(group.name))
                   : stats_.by == StatsBy::day && in_time
                       ? say(std::string(group.name.empty() ? "(not known)" : group.name))
                       : name(group.name);
      outline.lines.push_back(
          {0,
           Tone::plain,
           {shown, of.count(), known(say(bar(share))), some(of.errors), some(of.retries),
            known(spread.median), known(spread.p95), known(spread.p99), known(sent),
            some(tokens.cache_read), known(tokens.output), known(say(cost_words(of.spent))),
            some(group.tools.count()), in_time ? some(parallel_of(of.works).most) : Cell()}});
    }
    document_.add(std::move(outline));
  }

  void tools() {
    std::vector<Grouped> groups = by_tool(stats_);
    if (groups.empty()) return;
    Outline outline;
    outline.columns = {
        {"tool", false, true},     {"uses", true},          {"of uses", false, false, 3},
        {"failed", true},          {"success", true},       {"no result", true, false, 2},
        {"median", true},          {"p95", true, false, 1}, {"p99", true, false, 3},
        {"in all", true, false, 2}};
    for (const Grouped& group : groups) {
      const Tally& of = group.tools;
      Spread spread = spread_of(of.durations);
      Cell success = of.answered() > 0
                         ? Cell(say(percent(part_of(of.answered() - of.errors, of.answered()))))
                         : Cell();
      outline.lines.push_back(
          {0,
           Tone::plain,
           {name(group.name), of.count(), known(say(bar(part_of(of.count(), tools_.count())))),
            some(of.errors), success, some(of.unanswered), known(spread.median), known(spread.p95),
            known(spread.p99), known(spread.total)}});
    }
    document_.add(std::move(outline));
  }

  void operations(const std::vector<Grouped>& groups) {
    Outline outline;
    outline.columns = {{"operation", false, true},
                       {"times", true},
                       {"failed", true},
                       {"median", true},
                       {"p95", true},
                       {"p99", true},
                       {"in all", true}};
    for (const Grouped& group : groups) {
      Spread spread = spread_of(group.models.durations);
      outline.lines.push_back(
          {0,
           Tone::plain,
           {name(group.name), group.models.count(), some(group.models.errors), known(spread.median),
            known(spread.p95), known(spread.p99), known(spread.total)}});
    }
    document_.add(std::move(outline));
  }

  void errors() {
    std::vector<ErrorCount> errors = errors_of(stats_);
    if (errors.empty()) return;
    int64_t all = 0;
    for (const ErrorCount& error : errors) all += error.times;
    Outline outline;
    outline.columns = {{"error", false, true},
                       {"class", false},
                       {"of", false},
                       {"times", true},
                       {"of errors", false}};
    for (const ErrorCount& error : errors) {
      if (outline.lines.size() == kMostRows) break;
      outline.lines.push_back(
          {0,
           Tone::plain,
           {name(error.error), Door::own(word(error.error_class())), Door::own(error.of),
            error.times, say(bar(part_of(error.times, all)))}});
    }
    add_more(errors.size(), outline);
    document_.add(std::move(outline));
  }

  void retries() {
    if (stats_.retries.empty()) return;
    const Trace& trace = stats_.question.graph.trace();
    Outline outline;
    outline.columns = {
        {"made again", false, true}, {"attempts", true}, {"ended", false},
        {"waited", false},           {"model", false},   {"at", false, false, 1, true}};
    for (const RetryChain& chain : stats_.retries) {
      if (outline.lines.size() == kMostRows) break;
      EventId first = chain.attempts.front();
      Outcome last = trace[chain.attempts.back()].outcome;
      std::string waits;
      for (Duration wait : chain.back_offs)
        if (wait != kNoDuration) waits += (waits.empty() ? "" : ", ") + format_span(wait);
      outline.lines.push_back(
          {0,
           last == Outcome::error ? Tone::error : Tone::plain,
           {stats_.names.id(first), static_cast<int64_t>(chain.attempts.size()),
            Door::own(word(last)), known(say(waits)),
            known(stats_.name(trace[trace[trace[first].call].model])), stats_.names.at(first)}});
    }
    add_more(stats_.retries.size(), outline);
    document_.add(std::move(outline));
  }

  void repeated() {
    if (stats_.repeated.empty()) return;
    const Trace& trace = stats_.question.graph.trace();
    Outline outline;
    outline.columns = {{"asked again, though no time failed", false, true},
                       {"times", true},
                       {"same", false},
                       {"again cost", true},
                       {"first at", false, false, 1, true}};
    for (const Repeated& same : stats_.repeated) {
      if (outline.lines.size() == kMostRows) break;
      bool is_model = same.same == Repeated::Same::request;
      std::string what(name(same.name).view());
      if (same.target) what += ' ' + short_target(stats_.name(trace[same.target]).view());
      outline.lines.push_back({0,
                               Tone::plain,
                               {say(std::move(what)), static_cast<int64_t>(same.calls.size()),
                                Door::own(kSameWords[static_cast<size_t>(same.same)]),
                                is_model ? known(say(cost_words(same.again))) : Cell(),
                                stats_.names.at(same.calls.front())}});
    }
    add_more(stats_.repeated.size(), outline);
    document_.add(std::move(outline));
  }

  void add_more(size_t all, Outline& outline) {
    if (all > outline.lines.size())
      outline.foot.push_back(
          say(fmt::format("and {} more; -f json has them", all - outline.lines.size())));
  }

  const Stats& stats_;
  Door& door_;
  Document& document_;
  Tally models_, tools_;
};

}  // namespace

void add_stats_outlines(const Stats& stats, std::vector<Text> foot, Document& document) {
  Outlines(stats, document).add(std::move(foot));
}

}  // namespace xtrace
