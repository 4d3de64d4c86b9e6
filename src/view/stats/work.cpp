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
      if (node.is_query || !node.task || !named.contains(story->task(node))) continue;
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

/// Usage without a call, as part of sums of calls.
Work work_of(const UnplacedRow& row, const Bill& bill) {
  const UnplacedUsage& usage = row.usage;
  Work work;
  work.kind = Work::Kind::model_call;
  work.is_unplaced = true;
  work.model = usage.model;
  work.provider = usage.provider;
  work.agent = usage.agent;
  work.start = usage.time;
  work.sum = CallSum::of(row, bill);
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

/// Of model calls.
class CallLog {
 public:
  CallLog(const CallScene& scene, const CallAccount& account, const Selection& told, StatsBy by)
      : scene_(scene),
        account_(account),
        told_(told),
        trace_(scene.graph.trace()),
        by_(by),
        groups_(log_.groups),
        tasks_(scene.graph, by == StatsBy::task),
        bill_(scene.graph),
        is_compaction_(Compactions(scene.graph, scene.question.payloads)
                           .of_calls(contexts_before(scene.graph))) {}

  WorkLog read() && {
    const std::vector<bool> is_retry = retries_of(scene_);
    log_.works.reserve(trace_.calls.size() + trace_.tool_uses.size());
    for (CallId id : scene_.timeline().in_order()) {
      if (!scene_.selection.shows(id)) continue;
      add_call(id, is_retry[id.index]);
      add_tools(id);
    }
    for (const UnplacedRow& row : scene_.spending.unplaced()) add_unplaced(row);
    for (const Agent& agent : scene_.graph.agents()) add_life(agent);
    log_.agents = static_cast<int64_t>(log_.lives.size());
    for (const Session& session : scene_.graph.sessions())
      if (!told_.shown(session.calls).empty()) ++log_.sessions;
    log_.path = {scene_.metrics.path.steps(trace_), scene_.metrics.path.took()};
    return std::move(log_);
  }

 private:
  const Zone& zone() const { return scene_.question.door.zone(); }

  uint32_t group_of(CallId id) {
    const Call& call = scene_.timeline()[id];
    switch (by_) {
      case StatsBy::nothing: return Work::kNoGroup;
      case StatsBy::day: return groups_.of(day(call.start, zone()), call.start);
      case StatsBy::run:  // of calls it is the session (link/hops/hops.h)
      case StatsBy::session:
        return groups_.of(session_name(scene_.graph.trace(), scene_.graph.session_of(id)),
                          call.start);
      case StatsBy::task: break;
    }
    std::string task(task_of(trace_, call.task_step));
    return groups_.of(task.empty() ? tasks_.of(id) : task, call.start);
  }

  void add_call(CallId id, bool is_retry) {
    Work work = work_of(scene_.graph.activities().of(id));
    work.group = group_of(id);
    work.sum = account_.of(id);
    work.sum.retries = is_retry;
    const Call& call = scene_.timeline()[id];
    work.sum.compactions = is_compaction_[id.index];
    work.context_limit = call.context_limit;
    work.is_critical = scene_.metrics.path.is_on_path[id.index];
    if (work.is_critical && work.duration > Duration{0}) work.on_path = work.duration;
    work.slack = scene_.metrics.path.slack[id.index];
    log_.works.push_back(work);
  }

  void add_tools(CallId id) {
    for (const Activity& used : scene_.graph.activities().tools_of(id)) {
      Work work = work_of(used);
      work.group = group_of(id);
      log_.works.push_back(work);
    }
  }

  /// Of a session whose statement no call accounts for; calls of spans add up to one row each.
  void add_unplaced(const UnplacedRow& row) {
    Work work = work_of(row, bill_);
    if (row.usage.session > 0) {
      const Session& session = scene_.graph.sessions()[row.usage.session - 1];
      const bool is_by_day = by_ == StatsBy::day;
      if (by_ == StatsBy::session || by_ == StatsBy::run)
        work.group = groups_.of(session_name(trace_, session), session.start);
      else if (is_by_day)
        work.group = groups_.of(day(row.usage.time, zone()), row.usage.time);
    }
    log_.works.push_back(work);
  }

  void add_life(const Agent& agent) {
    std::vector<CallId> shown = told_.shown(agent.calls);
    if (shown.empty()) return;
    Time start = kNoTime, end = kNoTime;
    for (CallId id : shown) {
      const Call& call = scene_.timeline()[id];
      if (call.start == kNoTime) continue;
      start = start == kNoTime ? call.start : std::min(start, call.start);
      if (call.duration != kNoDuration) end = std::max(end, call.end());
    }
    bool is_unrecorded = scene_.selection.shown(shown).empty();
    log_.lives.push_back({agent.type, elapsed(start, end), agent.spawned, is_unrecorded,
                          group_of(shown.front()), lacking(shown)});
  }

  Usage lacking(std::span<const CallId> calls) const {
    Usage sum;
    for (CallId id : calls)
      if (!scene_.selection.shows(id)) sum.add(scene_.spending.own(id));
    return sum;
  }

  const CallScene& scene_;
  const CallAccount& account_;
  const Selection& told_;  ///< with subagents of which no call is on record
  const Trace& trace_;
  StatsBy by_;
  WorkLog log_;
  Groups groups_;
  Tasks tasks_;
  Bill bill_;
  std::vector<bool> is_compaction_;  ///< by call
};

}  // namespace

WorkLog work_of_calls(const CallScene& scene, const CallAccount& account, const Selection& told,
                      StatsBy by) {
  return CallLog(scene, account, told, by).read();
}

WorkLog work_of_spans(const HopScene& scene, std::span<const UnplacedRow> unplaced, StatsBy by) {
  WorkLog log;
  Groups groups(log.groups);
  const Trace& trace = scene.question.graph.trace();
  Tasks tasks(scene.question.graph, by == StatsBy::task);
  const HopSelection& shown = scene.selection;
  const HopPath path =
      critical_path(scene.hops, {[&](HopId id) { return shown.shows(id); },
                                 [&](HopId id) { return shown.shows_cause_of(id); }});
  log.path = {path.hops, path.took};
  const std::vector<Duration> on_path = with_carriers(
      scene.question.graph, path, [&](HopId id) { return scene.selection.shows(id); });
  const Activities& activities = scene.question.graph.activities();
  const Bill bill(scene.question.graph);
  const SpawnedAgents spawned(scene.question.graph);
  std::unordered_map<uint32_t, uint32_t> group_of_hop;
  auto shows = [&](ActivityId id) { return id && scene.selection.shows(activities[id].hop); };
  for (const Run& run : scene.hops.runs) {
    bool any = false;
    int64_t context_limit = kNoCount;   // as a span of the run told it last
    std::set<std::string_view> agents;  // one that is run again is the same agent
    for (HopId id : run.hops) {
      if (!scene.selection.shows(id)) continue;
      any = true;
      const Hop& hop = scene.hops[id];
      const Span& span = scene.span(hop);
      const Activity& done = activities.of(id);
      Work work = work_of(done);
      if (!done.agent.recorded().empty()) agents.insert(done.agent.recorded());
      if (shows(done.same_as)) {
        work.kind = Work::Kind::other;
        work.operation = trace[span.operation];
      }
      if (done.context_limit >= 0) context_limit = done.context_limit;
      work.context_limit = context_limit;
      if (work.kind == Work::Kind::model_call) {
        work.sum.usage = usage_of(done);
        work.sum.paid = bill.of(done);
      }
      work.sum.retries = shows(done.retry_of) + done.retries_inside;
      work.is_same_failure = shows(done.same_failure);
      if (shows(done.attempt_at)) work.failed_as = activities[done.attempt_at].kind;
      if (work.failed_as == Work::Kind::model_call) work.error_class = provider_error(done.error);
      const HopPath::Of& on = path.of[id.index];
      work.is_critical = on.is_on_path;
      if (on.is_on_path) work.on_path = on_path[id.index];
      work.slack = on.slack;
      work.is_leaf = on.is_leaf;
      switch (by) {
        case StatsBy::nothing: break;
        case StatsBy::day:
          work.group = groups.of(day(hop.start, scene.question.door.zone()), hop.start);
          break;
        case StatsBy::run: work.group = groups.of(std::string(run.id), hop.start); break;
        case StatsBy::session:
          work.group =
              groups.of(std::string(run.session.empty() ? run.id : run.session), hop.start);
          break;
        case StatsBy::task: {
          std::string task(task_of(trace, span.task_step));
          if (task.empty()) task = hop.span ? tasks.of(hop.span) : std::string(run.id);
          work.group = groups.of(task, hop.start);
        }
      }
      if (by != StatsBy::nothing && !unplaced.empty()) group_of_hop[id.index] = work.group;
      if (work.kind == Work::Kind::agent_run) {
        log.lives.push_back({work.agent, hop.duration, spawned.has(hop), false, work.group, {}});
      }
      log.works.push_back(work);
    }
    log.sessions += any;
    log.agents += static_cast<int64_t>(agents.size());
  }
  for (const UnplacedRow& row : unplaced) {
    Work work = work_of(row, bill);
    if (const auto of = group_of_hop.find(row.usage.hop.index); of != group_of_hop.end())
      work.group = of->second;
    log.works.push_back(work);
  }
  return log;
}

}  // namespace xtrace
