#include "view/stats/grouping.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "facts/row_or_empty.h"
#include "link/calls/session_names.h"
#include "link/graph/queries.h"
#include "link/story/story.h"
#include "view/query/query_name.h"

namespace xtrace {

namespace {

constexpr StatsByRow kRows[] = {
    {.word = ""},
    {.word = "task", .is_ranked = false},
    {.word = "run", .is_ranked = false},
    {.word = "session", .is_ranked = false},
    {.word = "day", .is_time = true, .is_ranked = false, .is_shown = true},
    {.word = "week", .is_time = true, .is_ranked = false, .is_shown = true},
    {.word = "month", .is_time = true, .is_ranked = false, .is_shown = true},
    {.word = "block", .is_time = true, .is_ranked = false, .is_shown = true},
    {.word = "project", .is_shown = true},
    {.word = "source", .is_shown = true},
    {.word = "model"},
    {.word = "agent"},
    {.word = "tool", .without = "(no tool requested)", .attributed = AttributedBy::tool},
    {.word = "mcp", .without = "(no MCP server)", .attributed = AttributedBy::mcp},
    {.word = "file", .without = "(no file)", .attributed = AttributedBy::file},
    {.word = "skill", .without = "(no skill)", .attributed = AttributedBy::skill},
    {.word = "command", .without = "(no command)", .attributed = AttributedBy::command},
    {.word = "hook", .without = "(no hook)", .attributed = AttributedBy::hook},
    {.word = "spawner", .without = "(not spawned)", .attributed = AttributedBy::spawner},
};
static_assert(std::size(kRows) == static_cast<size_t>(StatsBy::spawner) + 1);

/// Claude's plans and others reset a limit of usage so long after the first message.
constexpr Duration kBlock = std::chrono::hours(5);

/// The task that a task step names.
std::string_view task_of(const Trace& trace, TaskStepId task_step) {
  return task_step ? trace[trace[task_step].task] : std::string_view();
}

}  // namespace

const StatsByRow& row_of(StatsBy by) {
  return kRows[static_cast<size_t>(by)];
}
std::string_view word(StatsBy by) {
  return row_of(by).word;
}

StatsBy stats_by(std::string_view word) {
  if (word == "turn") return StatsBy::task;
  const auto* found = std::ranges::find(kRows, word, &StatsByRow::word);
  return found == std::end(kRows) ? StatsBy::nothing : static_cast<StatsBy>(found - kRows);
}

std::vector<std::string_view> stats_by_words() {
  std::vector<std::string_view> words;
  for (const StatsByRow& row : kRows)
    if (!row.word.empty()) words.push_back(row.word);
  words.insert(words.begin() + 1, "turn");
  return words;
}

std::string period_of(Time time, StatsBy by, const Zone& zone) {
  if (time == kNoTime) return {};
  std::string day = zone.day(time);
  if (by == StatsBy::month) return day.substr(0, std::string_view("2026-03").size());
  if (by != StatsBy::week) return day;
  using namespace std::chrono;
  const sys_days date = floor<days>(after(time, zone.ahead(time)));
  // A week belongs to the year that its Thursday is in.
  const int weekday_number = static_cast<int>(weekday(date).iso_encoding());
  const sys_days thursday = date + days(4 - weekday_number);
  const year of = year_month_day(thursday).year();
  const auto week = (thursday - sys_days(of / January / 1)).count() / 7 + 1;
  return fmt::format("{}-W{:02}", static_cast<int>(of), week);
}

std::vector<Time> block_starts(const Graph& graph) {
  std::vector<Time> times, starts;
  for (const Call& call : graph.trace().calls) times.push_back(call.start);
  for (const Hop& hop : graph.hops().all) times.push_back(hop.start);
  for (const UnplacedUsage& usage : graph.activities().ledger.unplaced) times.push_back(usage.time);
  std::ranges::sort(times);
  for (Time time : times)
    if (time != kNoTime && (starts.empty() || time >= after(starts.back(), kBlock)))
      starts.push_back(std::chrono::floor<std::chrono::hours>(time));
  return starts;
}

/// What each call or span belongs to that names no task: the task of what is around it, else its
/// query, which is a turn of a user where no log names any.
class Grouping::Tasks {
 public:
  explicit Tasks(const Graph& graph) {
    for (const Query& query : find_queries(graph)) {
      names_.push_back(query_name(query));
      for (CallId id : query.calls) of_call_[id.index] = names_.size() - 1;
      for (SpanId id : query.spans) of_span_[id.index] = names_.size() - 1;
    }
    inherit(graph);
  }
  std::string of(CallId call) const { return name(of_call_, call.index); }
  std::string of(SpanId span) const { return name(of_span_, span.index); }

 private:
  /// As the story has it.
  void inherit(const Graph& graph) {
    std::set<std::string_view> named;
    for (const TaskStep& step : graph.trace().task_steps)
      if (step.task) named.insert(graph.trace()[step.task]);
    if (named.empty()) return;
    const std::shared_ptr<const Story> story = graph.story();
    for (const StoryNode& node : story->nodes) {
      if (node.is_query() || !node.task || !named.contains(story->task(node))) continue;
      names_.emplace_back(story->task(node));
      if (node.call) of_call_[node.call.index] = names_.size() - 1;
      if (node.hop)
        for (SpanId id : graph.hops().observations_of(graph.hops()[node.hop]))
          of_span_[id.index] = names_.size() - 1;
    }
  }

  using Numbers = std::unordered_map<uint32_t, size_t>;
  std::string name(const Numbers& numbers, uint32_t index) const {
    Numbers::const_iterator found = numbers.find(index);
    return found == numbers.end() ? std::string() : names_[found->second];
  }
  std::vector<std::string> names_;
  Numbers of_call_, of_span_;
};

Grouping::Grouping(const Question& question, const Names& names, StatsBy by)
    : question_(question), graph_(question.graph), trace_(graph_.trace()), names_(names), by_(by) {
  if (by == StatsBy::block) blocks_ = block_starts(graph_);
  if (by == StatsBy::task) tasks_ = std::make_shared<const Tasks>(graph_);
  if (row_of(by).attributed) attribution_.emplace(graph_, *row_of(by).attributed);
}

/// Of a block, when it begins: `2026-03-01 09:00`.
std::string Grouping::of_time(Time time) const {
  const Zone& zone = question_.door.zone();
  if (by_ != StatsBy::block || time == kNoTime) return period_of(time, by_, zone);
  const auto next = std::ranges::upper_bound(blocks_, time);
  const Time start = *std::prev(next);
  const auto local = after(start, zone.ahead(start)).time_since_epoch();
  const auto minutes = std::chrono::floor<std::chrono::minutes>(local) % std::chrono::days(1);
  return fmt::format("{} {:02}:{:02}", zone.day(start), minutes.count() / 60, minutes.count() % 60);
}

std::string Grouping::of_session(const Session& session) const {
  switch (by_) {
    case StatsBy::run:
    case StatsBy::session: return session_name(trace_, session);
    case StatsBy::project: return std::string(names_.project(session).view());
    case StatsBy::source: return std::string(source_of(trace_, session));
    default: return {};
  }
}

std::string Grouping::name_of(CallId id) const {
  const Call& call = trace_[id];
  const Activity& done = graph_.activities().of(id);
  if (row_of(by_).is_time) return of_time(call.start);
  if (by_ == StatsBy::model) return std::string(done.model);
  if (by_ == StatsBy::agent) return std::string(done.agent.agent());
  // A run of calls is their session (link/hops/hops.h).
  if (by_ != StatsBy::task) return of_session(graph_.session_of(id));
  const std::string_view task = task_of(trace_, call.task_step);
  return task.empty() ? tasks_->of(id) : std::string(task);
}

std::string Grouping::name_of(HopId id) const {
  const Hop& hop = graph_.hops()[id];
  const Run& run = graph_.hops().runs[hop.run];
  const Activity& done = graph_.activities().of(id);
  const std::string_view task = task_of(trace_, row_or_empty(trace_, hop.span).task_step);
  if (row_of(by_).is_time) return of_time(hop.start);
  switch (by_) {
    case StatsBy::run: return std::string(run.id);
    case StatsBy::session: return std::string(run.session.empty() ? run.id : run.session);
    case StatsBy::model: return std::string(done.model);
    case StatsBy::agent: return std::string(done.agent.agent());
    case StatsBy::source:
      return std::string(hop.span ? source_of(trace_, trace_[hop.span].source) : "");
    case StatsBy::task:
      if (!task.empty()) return std::string(task);
      return hop.span ? tasks_->of(hop.span) : std::string(run.id);
    default: return {};
  }
}

std::string Grouping::name_of(const UnplacedUsage& usage) const {
  if (usage.hop && !row_of(by_).attributed) return name_of(usage.hop);
  if (row_of(by_).is_time) return of_time(usage.time);
  if (by_ == StatsBy::model) return std::string(usage.model);
  if (by_ == StatsBy::agent) return std::string(usage.agent);
  return usage.session == 0 ? std::string() : of_session(graph_.sessions()[usage.session - 1]);
}

}  // namespace xtrace
