#include "view/stats/work.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "facts/row_or_empty.h"
#include "link/graph/queries.h"
#include "link/story/duplicate_calls.h"
#include "view/hops/hop_path.h"
#include "view/query/query_name.h"
#include "view/stats/repeats.h"

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

std::string day(Time time) {
  return time == kNoTime ? std::string() : format_time({time, 0}).substr(0, 10);
}

/// The task that a task step names.
std::string_view task_of(const Trace& trace, TaskStepId task_step) {
  return task_step ? trace[trace[task_step].task] : std::string_view();
}

/// What each call or span belongs to that names no task: its query, which is a turn of a user where
/// no log names any.
class Tasks {
 public:
  explicit Tasks(const Graph& graph, bool wanted) {
    if (!wanted) return;
    for (const Query& query : find_queries(graph)) {
      names_.push_back(query_name(query));
      for (EventId id : query.calls) of_call_[id.index] = names_.size() - 1;
      for (SpanId id : query.spans) of_span_[id.index] = names_.size() - 1;
    }
  }
  std::string of(EventId call) const { return name(of_call_, call.index); }
  std::string of(SpanId span) const { return name(of_span_, span.index); }

 private:
  using Numbers = std::unordered_map<uint32_t, size_t>;
  std::string name(const Numbers& numbers, uint32_t index) const {
    Numbers::const_iterator found = numbers.find(index);
    return found == numbers.end() ? std::string() : names_[found->second];
  }
  std::vector<std::string> names_;
  Numbers of_call_, of_span_;
};

/// Of model calls.
class CallLog {
 public:
  CallLog(const CallScene& scene, const Selection& told, StatsBy by)
      : scene_(scene),
        told_(told),
        trace_(scene.graph.trace()),
        by_(by),
        groups_(log_.groups),
        tasks_(scene.graph, by == StatsBy::task),
        slack_(slack(scene.graph, scene.selection)) {}

  WorkLog read() && {
    std::vector<uint16_t> attempts(trace_.events.size(), 1);
    for (uint32_t i : scene_.selection.links) {
      const Link& link = scene_.links()[i];
      if (link.kind == LinkKind::retry)
        attempts[scene_.selection.standing(link.to).index] = link.attempt;
    }
    for (EventId id : scene_.timeline().in_order()) {
      if (!scene_.selection.shows(id)) continue;
      add_call(id, attempts[id.index]);
      add_tools(id);
    }
    for (const Conversation& conversation : scene_.graph.conversations()) add_life(conversation);
    for (const Session& session : scene_.graph.sessions())
      if (!told_.shown(session.events).empty()) ++log_.sessions;
    log_.path = {static_cast<int64_t>(scene_.metrics.critical_path.size()),
                 scene_.metrics.critical_time};
    return std::move(log_);
  }

 private:
  uint32_t group_of(EventId id) {
    const Event& event = scene_.timeline()[id];
    const Call& call = scene_.timeline().call(id);
    switch (by_) {
      case StatsBy::nothing: return Work::kNoGroup;
      case StatsBy::day: return groups_.of(day(event.start), event.start);
      case StatsBy::run:  // of calls it is the session (link/hops/hops.h)
      case StatsBy::session:
        return groups_.of(session_name(scene_.graph.trace(), scene_.graph.session_of(id)),
                          event.start);
      case StatsBy::task: break;
    }
    std::string task(task_of(trace_, call.task_step));
    return groups_.of(task.empty() ? tasks_.of(id) : task, event.start);
  }

  Work begun(EventId id) {
    Work work;
    work.agent = scene_.graph.agent_of(id).type;
    work.group = group_of(id);
    return work;
  }

  void add_call(EventId id, uint16_t attempt) {
    const Event& event = scene_.timeline()[id];
    const Call& call = scene_.timeline().call(id);
    Work work = begun(id);
    work.kind = Work::Kind::model;
    work.operation = "chat";
    work.model = trace_[call.model];
    work.error = trace_[call.error];
    work.error_class = provider_error(work.error);
    work.start = event.start;
    work.duration = event.duration;
    work.outcome = event.outcome;
    work.usage = scene_.spending.own(id);
    work.call = id;
    work.attempt = attempt;
    work.is_compacted = call.is_compacted;
    work.is_critical = scene_.metrics.of[id.index].on_critical_path;
    if (work.is_critical && event.duration > Duration{0}) work.on_path = event.duration;
    work.slack = slack_[id.index];
    log_.works.push_back(std::move(work));
  }

  void add_tools(EventId id) {
    std::map<uint32_t, const Link*> results;  // by tool use
    for (uint32_t i : scene_.graph.effects_of(id)) {
      const Link& link = scene_.links()[i];
      if (!link.tool_use) continue;
      if (link.kind == LinkKind::tool_result) results.try_emplace(link.tool_use.index, &link);
    }
    for (const ToolUse* use : scene_.graph.tool_uses_of(id)) {
      Work work = begun(id);
      work.kind = Work::Kind::tool;
      work.operation = "execute_tool";
      work.tool = trace_[use->name];
      work.start = scene_.timeline()[id].end();
      auto result = results.find(scene_.timeline().id_of(*use).index);
      work.is_answered = result != results.end();
      if (work.is_answered) {
        const Link& link = *result->second;
        work.outcome = link.is_error ? Outcome::error : Outcome::ok;
        work.error_class = class_of(link.error);
        bool is_timed = scene_.timeline()[id].duration != kNoDuration;
        if (is_timed && link.gap != kNoDuration && link.gap >= Duration{0})
          work.duration = link.gap;
      }
      log_.works.push_back(std::move(work));
    }
  }

  void add_life(const Conversation& conversation) {
    std::vector<EventId> shown = told_.shown(conversation.events);
    if (shown.empty()) return;
    const Agent& agent = scene_.graph.agents()[conversation.agent];
    Time start = kNoTime, end = kNoTime;
    for (EventId id : shown) {
      const Event& event = scene_.timeline()[id];
      if (event.start == kNoTime) continue;
      start = start == kNoTime ? event.start : std::min(start, event.start);
      if (event.duration != kNoDuration) end = std::max(end, event.end());
    }
    bool is_unrecorded = scene_.selection.shown(shown).empty();
    log_.lives.push_back(
        {agent.type, elapsed(start, end), agent.spawned, is_unrecorded, group_of(shown.front())});
  }

  const CallScene& scene_;
  const Selection& told_;  ///< with subagents of which no call is on record
  const Trace& trace_;
  StatsBy by_;
  WorkLog log_;
  Groups groups_;
  Tasks tasks_;
  std::vector<Duration> slack_;
};

struct RoleWords {
  Work::Kind kind;
  std::string_view operation;
};
RoleWords words_of(GenAi::Role role) {
  switch (role) {
    case GenAi::Role::agent: return {Work::Kind::agent, "invoke_agent"};
    case GenAi::Role::tool: return {Work::Kind::tool, "execute_tool"};
    case GenAi::Role::model: return {Work::Kind::model, "chat"};
    case GenAi::Role::retrieval: return {Work::Kind::retrieval, "retrieval"};
    case GenAi::Role::other: break;
  }
  return {Work::Kind::other, {}};
}

Usage spent_on(const Trace& trace, const GenAi& told, Outcome outcome, const PriceTable& prices) {
  Usage usage{told.tokens, told.cost, 0, 0};
  if (usage.cost < 0) usage.cost = prices.cost(trace[told.model], told.tokens);
  // As CallCosts::is_missing has it.
  bool is_free = outcome == Outcome::error && told.tokens == Tokens();
  usage.unpriced = usage.cost < 0 && !is_free ? 1 : 0;
  return usage;
}

}  // namespace

WorkLog work_of_calls(const CallScene& scene, const Selection& told, StatsBy by) {
  return CallLog(scene, told, by).read();
}

WorkLog work_of_spans(const HopScene& scene, StatsBy by) {
  WorkLog log;
  Groups groups(log.groups);
  const Trace& trace = scene.question.graph.trace();
  Tasks tasks(scene.question.graph, by == StatsBy::task);
  const HopPath path = critical_path(scene);
  log.path = {path.hops, path.took};
  std::unordered_map<uint32_t, uint16_t> attempts;  // by hop
  for (const RetryChain& chain : retry_chains(scene))
    for (size_t i = 1; i < chain.attempts.size(); ++i)
      attempts[chain.attempts[i].node.hop.index] =
          static_cast<uint16_t>(std::min<size_t>(i + 1, UINT16_MAX));
  const std::vector<bool> duplicates = duplicate_calls(
      trace, scene.hops, [&](HopId id) { return scene.selection.shows_cause_of(id); });
  for (const Run& run : scene.hops.runs) {
    bool any = false;
    for (HopId id : run.hops) {
      if (!scene.selection.shows(id)) continue;
      any = true;
      const Hop& hop = scene.hops[id];
      const Span& span = scene.span(hop);
      const GenAi& told = row_or_empty(trace, span.gen_ai);
      Work work;
      work.kind = words_of(told.role).kind;
      work.operation = words_of(told.role).operation;
      if (duplicates[id.index]) {
        work.kind = Work::Kind::other;
        work.operation = {};
      }
      if (work.operation.empty()) work.operation = trace[span.operation];
      work.model = trace[told.model];
      work.tool = trace[told.tool];
      work.agent = trace[told.agent];
      if (work.agent.empty() && hop.from && scene.hops[hop.from].type == Actor::Type::agent)
        work.agent = scene.hops[hop.from].label();
      work.start = hop.start;
      work.duration = hop.duration;
      work.outcome = hop.outcome;
      const HopPath::Of& on = path.of[id.index];
      work.is_critical = on.is_on_path;
      if (on.is_on_path) work.on_path = on.on_path;
      work.slack = on.slack;
      work.is_leaf = on.is_leaf;
      if (auto again = attempts.find(id.index); again != attempts.end())
        work.attempt = again->second;
      work.error = trace[told.error];
      work.error_class = work.kind == Work::Kind::model  ? provider_error(work.error)
                         : work.kind == Work::Kind::tool ? class_of(told.tool_error)
                                                         : ErrorClass::other;
      if (work.kind == Work::Kind::model)
        work.usage = spent_on(trace, told, hop.outcome, *scene.question.prices);
      switch (by) {
        case StatsBy::nothing: break;
        case StatsBy::day: work.group = groups.of(day(hop.start), hop.start); break;
        case StatsBy::run:
        case StatsBy::session: work.group = groups.of(std::string(run.id), hop.start); break;
        case StatsBy::task: {
          std::string task(task_of(trace, span.task_step));
          if (task.empty()) task = hop.span ? tasks.of(hop.span) : std::string(run.id);
          work.group = groups.of(task, hop.start);
        }
      }
      if (work.kind == Work::Kind::agent) {
        bool by_agent = hop.from && scene.hops[hop.from].type == Actor::Type::agent;
        log.lives.push_back({work.agent, hop.duration, by_agent, false, work.group});
      }
      log.works.push_back(std::move(work));
    }
    log.sessions += any;
  }
  return log;
}

}  // namespace xtrace
