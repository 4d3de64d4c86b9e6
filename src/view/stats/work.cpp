#include "view/stats/work.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "link/activities/carriers.h"
#include "link/activities/compaction.h"
#include "link/activities/context_before.h"
#include "link/activities/hop_path.h"
#include "link/activities/spawned_agents.h"
#include "link/graph/queries.h"
#include "link/story/story.h"
#include "view/query/query_name.h"

namespace xtrace {

namespace {

/// Numbers the things to add up by as they are met.
class Groups {
 public:
  explicit Groups(std::vector<WorkLog::Group>& groups) : groups_(groups) {}

  uint32_t of(const std::string& name, Time start) {
    if (name.empty()) return Work::kNoGroup;
    auto [at, is_new] = numbers_.try_emplace(name, static_cast<uint32_t>(groups_.size()));
    if (is_new) groups_.push_back({name, start});
    WorkLog::Group& group = groups_[at->second];
    if (start != kNoTime && (group.start == kNoTime || start < group.start)) group.start = start;
    return at->second;
  }

 private:
  std::vector<WorkLog::Group>& groups_;
  std::map<std::string, uint32_t> numbers_;
};

/// A day of the answer's zone, as its heading shows days.
std::string day(Time time, const Zone& zone) {
  return time == kNoTime ? std::string() : zone.day(time);
}

/// The task that a task step names.
std::string_view task_of(const Trace& trace, TaskStepId task_step) {
  return task_step ? trace[trace[task_step].task] : std::string_view();
}

/// What each call or span belongs to that names no task: the task of what is around it, else its
/// query, which is a turn of a user where no log names any.
class Tasks {
 public:
  explicit Tasks(const Graph& graph, bool wanted) {
    if (!wanted) return;
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

/// What of an activity statistics are made of.
Work work_of(const Activity& done) {
  Work work;
  work.kind = done.kind;
  work.operation = done.operation;
  work.model = done.model;
  work.provider = done.provider;
  work.tool = done.tool;
  if (done.agent.is_agent()) work.agent = done.agent.name;
  work.start = done.start;
  work.duration = done.duration;
  work.outcome = done.outcome;
  work.sum = CallSum::of(done.outcome);
  work.error = done.error;
  work.failed_as = done.kind;
  if (done.kind == Activity::Kind::model_call) work.error_class = provider_error(done.error);
  if (done.kind == Activity::Kind::tool_run) work.error_class = class_of(done.tool_error);
  return work;
}

/// By call: is it a retry of a failed one that is shown?
std::vector<bool> retries_of(const CallScene& scene) {
  std::vector<bool> is_retry(scene.graph.trace().calls.size());
  for (uint32_t i : scene.selection.links)
    if (const Link& link = scene.links()[i]; link.kind == LinkKind::retry)
      is_retry[link.to.index] = true;
  return is_retry;
}

class WorkReader {
 public:
  WorkReader(const Question& question, StatsBy by)
      : question_(question),
        graph_(question.graph),
        trace_(graph_.trace()),
        by_(by),
        groups_(log_.groups),
        tasks_(graph_, by == StatsBy::task),
        bill_(graph_) {}

  void read(const ShownWork& calls) {
    const CallScene& scene = calls.scene;
    const Selection& reported = calls.recorded_or_reported;
    const std::vector<bool> is_retry = retries_of(scene);
    const std::vector<bool> is_compaction =
        Compactions(graph_, question_.payloads).of_calls(contexts_before(graph_));
    log_.works.reserve(trace_.calls.size() + trace_.tool_uses.size());
    for (CallId id : scene.timeline().in_order()) {
      if (!scene.selection.shows(id)) continue;
      Work& work = add(graph_.activities().of(id), group_of(id));
      work.sum = calls.account.of(id);
      work.sum.retries = is_retry[id.index];
      work.sum.compactions = is_compaction[id.index];
      work.context_limit = scene.timeline()[id].context_limit;
      work.is_critical = scene.metrics.path.is_on_path[id.index];
      if (work.is_critical && work.duration > Duration{0}) work.on_path = work.duration;
      work.slack = scene.metrics.path.slack[id.index];
      for (const Activity& used : graph_.activities().tools_of(id)) add(used, group_of(id));
    }
    for (const Agent& agent : graph_.agents()) add_life(agent, scene, reported);
    log_.agents = static_cast<int64_t>(log_.lives.size());
    for (const Session& session : graph_.sessions())
      if (!reported.shown(session.calls).empty()) ++log_.sessions;
    log_.path = {scene.metrics.path.steps(trace_), false, scene.metrics.path.took()};
  }

  void read(const HopScene& scene) {
    const auto shows = [&](HopId id) { return scene.selection.shows(id); };
    const HopPath path = critical_path(
        scene.hops, {shows, [&](HopId id) { return scene.selection.shows_cause_of(id); }});
    const bool is_longest = path.took > log_.path.took || log_.path.steps == 0;
    if (is_longest) {
      for (Work& work : log_.works) work.is_critical = false, work.slack = kNoDuration;
      log_.path = {path.hops, true, path.took};
    }
    const std::vector<Duration> on_path = with_carriers(graph_, path, shows);
    const Activities& activities = graph_.activities();
    const SpawnedAgents spawned(graph_);
    const auto is_shown = [&](ActivityId id) { return id && shows(activities[id].hop); };
    for (const Run& run : scene.hops.runs) {
      bool any = false;
      int64_t context_limit = kNoCount;   // as a span of the run told it last
      std::set<std::string_view> agents;  // one that is run again is the same agent
      for (HopId id : run.hops) {
        if (!shows(id)) continue;
        any = true;
        const Hop& hop = scene.hops[id];
        const Activity& done = activities.of(id);
        Work& work = add(done, group_of(id));
        if (!done.agent.recorded().empty()) agents.insert(done.agent.recorded());
        if (is_shown(done.same_as)) {
          work.kind = Work::Kind::other;
          work.operation = trace_[scene.span(hop).operation];
        }
        if (done.context_limit >= 0) context_limit = done.context_limit;
        work.context_limit = context_limit;
        if (work.kind == Work::Kind::model_call) {
          work.sum.usage = usage_of(done);
          work.sum.paid = bill_.of(done);
        }
        work.sum.retries = is_shown(done.retry_of) + done.retries_inside;
        work.is_same_failure = is_shown(done.same_failure);
        if (is_shown(done.attempt_at)) work.failed_as = activities[done.attempt_at].kind;
        if (work.failed_as == Work::Kind::model_call) work.error_class = provider_error(done.error);
        const HopPath::Of& on = path.of[id.index];
        work.is_critical = on.is_on_path && is_longest;
        if (on.is_on_path) work.on_path = on_path[id.index];
        if (is_longest) work.slack = on.slack;
        work.is_leaf = on.is_leaf;
        if (work.kind == Work::Kind::agent_run)
          log_.lives.push_back({work.agent, hop.duration, spawned.has(hop), false, work.group, {}});
      }
      log_.runs += any;
      log_.agents += static_cast<int64_t>(agents.size());
    }
  }

  /// Usage without a call, as part of sums of calls.
  void read(const UnplacedRow& row) {
    const UnplacedUsage& usage = row.usage;
    Work& work = log_.works.emplace_back();
    work.kind = Work::Kind::model_call;
    work.is_unplaced = true;
    work.model = usage.model;
    work.provider = usage.provider;
    work.agent = usage.agent;
    work.start = usage.time;
    work.sum = CallSum::of(row, bill_);
    if (usage.hop) work.group = group_of(usage.hop);
    if (usage.session == 0 || by_ == StatsBy::task) return;
    const Session& session = graph_.sessions()[usage.session - 1];
    work.group = group_by(by_ == StatsBy::day ? usage.time : session.start,
                          [&] { return session_name(trace_, session); });
  }

  WorkLog log() && { return std::move(log_); }

 private:
  const Zone& zone() const { return question_.door.zone(); }

  Work& add(const Activity& done, uint32_t group) {
    Work& work = log_.works.emplace_back(work_of(done));
    work.group = group;
    return work;
  }

  /// `name_of`: of the group, where it is neither a day nor nothing.
  template <class NameOf>
  uint32_t group_by(Time start, NameOf name_of) {
    if (by_ == StatsBy::nothing) return Work::kNoGroup;
    return groups_.of(by_ == StatsBy::day ? day(start, zone()) : name_of(), start);
  }

  uint32_t group_of(CallId id) {
    const Call& call = trace_[id];
    return group_by(call.start, [&] {
      // A run of calls is their session (link/hops/hops.h).
      if (by_ != StatsBy::task) return session_name(trace_, graph_.session_of(id));
      const std::string_view task = task_of(trace_, call.task_step);
      return task.empty() ? tasks_.of(id) : std::string(task);
    });
  }

  uint32_t group_of(HopId id) {
    const Hop& hop = graph_.hops()[id];
    return group_by(hop.start, [&] {
      const Run& run = graph_.hops().runs[hop.run];
      if (by_ != StatsBy::task)
        return std::string(by_ == StatsBy::run || run.session.empty() ? run.id : run.session);
      const std::string_view task = task_of(trace_, row_or_empty(trace_, hop.span).task_step);
      if (!task.empty()) return std::string(task);
      return hop.span ? tasks_.of(hop.span) : std::string(run.id);
    });
  }

  void add_life(const Agent& agent, const CallScene& scene, const Selection& reported) {
    const std::vector<CallId> shown = reported.shown(agent.calls);
    if (shown.empty()) return;
    TimeRange lived;
    for (CallId id : shown) {
      const Call& call = trace_[id];
      if (call.start == kNoTime) continue;
      lived.start = lived.start == kNoTime ? call.start : std::min(lived.start, call.start);
      if (call.duration != kNoDuration) lived.end = std::max(lived.end, call.end());
    }
    Usage lacking;
    for (CallId id : shown)
      if (!scene.selection.shows(id)) lacking.add(scene.spending.own(id));
    const bool is_unrecorded = scene.selection.shown(shown).empty();
    log_.lives.push_back({agent.type, elapsed(lived.start, lived.end), agent.spawned, is_unrecorded,
                          group_of(shown.front()), lacking});
  }

  const Question& question_;
  const Graph& graph_;
  const Trace& trace_;
  StatsBy by_;
  WorkLog log_;
  Groups groups_;
  Tasks tasks_;
  Bill bill_;
};

}  // namespace

WorkLog work_of(const Question& question, const ShownWork* calls, const HopScene* spans,
                std::span<const UnplacedRow> unplaced, StatsBy by) {
  WorkReader reader(question, by);
  if (calls != nullptr) reader.read(*calls);
  if (spans != nullptr) reader.read(*spans);
  for (const UnplacedRow& row : unplaced) reader.read(row);
  return std::move(reader).log();
}

}  // namespace xtrace
