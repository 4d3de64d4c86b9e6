#include "view/stats/work.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "link/activities/carriers.h"
#include "link/activities/compaction.h"
#include "link/activities/hop_path.h"
#include "link/activities/spawned_agents.h"

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
    group.start = earliest_known(group.start, start);
    return at->second;
  }

 private:
  std::vector<WorkLog::Group>& groups_;
  std::map<std::string, uint32_t> numbers_;
};

/// The part of a call that belongs to a group: amounts are divided, counts of calls are not.
CallSum part_of(const CallSum& sum, uint32_t before, uint32_t parts, uint32_t whole) {
  CallSum part = sum;
  const auto divide = [&](int64_t& amount) {
    amount = part_of_amount(amount, before, parts, whole);
  };
  Tokens& tokens = part.usage.tokens;
  for (int64_t* amount :
       {&tokens.input, &tokens.output, &tokens.cache_read, &tokens.cache_creation,
        &tokens.cache_creation_1h, &part.usage.cost, &part.usage.uncharged, &part.paid.unsplit,
        &part.paid.uncharged, &part.missing_output, &part.missing_cost})
    divide(*amount);
  for (int64_t& amount : part.paid.parts) divide(amount);
  return part;
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
  WorkReader(const Question& question, const Grouping& grouping)
      : question_(question),
        graph_(question.graph),
        trace_(graph_.trace()),
        grouping_(grouping),
        groups_(log_.groups),
        bill_(graph_) {}

  void read(const ShownWork& calls) {
    const CallScene& scene = calls.scene;
    const Selection& reported = calls.recorded_or_reported;
    const std::vector<bool> is_retry = retries_of(scene);
    const std::vector<bool> is_compaction = Compactions(graph_, question_.payloads).of_calls();
    log_.works.reserve(trace_.calls.size() + trace_.tool_uses.size());
    for (CallId id : scene.timeline().in_order()) {
      if (!scene.selection.shows(id)) continue;
      const size_t first = log_.works.size();
      Work& work = add(graph_.activities().of(id), group_of(id));
      work.sum = calls.account.of(id);
      work.sum.retries = is_retry[id.index];
      work.sum.compactions = is_compaction[id.index];
      work.context_limit = scene.timeline()[id].context_limit;
      work.is_critical = scene.metrics.path.is_on_path[id.index];
      if (work.is_critical && work.done->duration > Duration{0}) work.on_path = work.done->duration;
      work.slack = scene.metrics.path.slack[id.index];
      for (const Activity& used : graph_.activities().tools_of(id)) add(used, group_of(id));
      divide(id, std::span(log_.works).subspan(first));
    }
    for (const Agent& agent : graph_.agents()) add_life(agent, scene, reported);
    for (const Session& session : graph_.sessions())
      if (!reported.shown(session.calls).empty()) ++log_.sessions;
    log_.path = {scene.metrics.path.steps(trace_), false, scene.metrics.path.took()};
  }

  void read(const HopScene& scene) {
    const auto shows = [&](HopId id) { return scene.selection.shows(id); };
    const HopPath path = critical_path(graph_, scene.hops, whole_runs(scene));
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
      int64_t context_limit = kNoCount;            // as the last span of the run that states it
      std::map<std::string_view, uint32_t> named;  // agents, with their groups
      std::set<std::string_view> lived;
      for (HopId id : run.hops) {
        if (!shows(id)) continue;
        any = true;
        const Hop& hop = scene.hops[id];
        const Activity& done = activities.of(id);
        Work& work = add(done, group_of(id));
        const std::string_view agent = done.agent.recorded();
        if (!agent.empty()) named.try_emplace(agent, work.group);
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
        const HopPath::Of& on = path.of[id.index];
        work.is_critical = on.is_on_path && is_longest;
        if (on.is_on_path) work.on_path = on_path[id.index];
        if (is_longest) work.slack = on.slack;
        work.is_leaf = on.is_leaf;
        add_divided(work);
        if (work.kind == Work::Kind::agent_run)
          log_.lives.push_back({done.agent.agent(),
                                hop.duration,
                                spawned.has(hop),
                                false,
                                work.group,
                                {},
                                !agent.empty() && lived.insert(agent).second});
      }
      for (const auto& [agent, group] : named)
        if (!lived.contains(agent)) log_.lives.push_back({.type = agent, .group = group});
      log_.runs += any;
    }
  }

  /// Usage without a call, as part of sums of calls.
  void read(const UnplacedRow& row) {
    const UnplacedUsage& usage = row.usage;
    Activity& done = log_.usages.emplace_back();
    done.kind = Activity::Kind::model_call;
    done.model = usage.model;
    done.provider = usage.provider;
    done.agent = {usage.agent, AgentRule::recorded};
    done.start = usage.time;
    Work& work = add(done, groups_.of(grouping_.name_of(usage), usage.time));
    work.is_unplaced = true;
    work.sum = CallSum::of(row, bill_);
    add_divided(work);
  }

  WorkLog log() && { return std::move(log_); }

 private:
  Work& add(const Activity& done, uint32_t group) {
    Work& work = log_.works.emplace_back();
    work.done = &done;
    work.kind = work.failed_as = done.kind;
    work.operation = done.operation;
    work.group = group;
    work.sum = CallSum::of(done.outcome);
    return work;
  }

  uint32_t group_of(CallId id) {
    if (grouping_.by() == StatsBy::nothing) return Work::kNoGroup;
    return groups_.of(grouping_.name_of(id), trace_[id].start);
  }

  uint32_t group_of(HopId id) {
    if (grouping_.by() == StatsBy::nothing) return Work::kNoGroup;
    return groups_.of(grouping_.name_of(id), graph_.hops()[id].start);
  }

  /// Adds what is not attributable, or a tool that a span records.
  void add_divided(const Work& whole) {
    if (grouping_.attribution() == nullptr) return;
    Work& work = log_.divided.emplace_back(whole);
    if (work.kind != Work::Kind::tool_run) return;
    const StatsBy by = grouping_.by();
    const std::string_view name = by == StatsBy::tool  ? whole.done->tool
                                  : by == StatsBy::mcp ? mcp_server_of(whole.done->tool)
                                                       : std::string_view();
    work.group = groups_.of(std::string(name), whole.done->start);
  }

  /// Adds the call, and behind it the tools that it asks for, to the groups that it is attributed
  /// to.
  void divide(CallId id, std::span<const Work> works) {
    if (grouping_.attribution() == nullptr) return;
    const std::span<const AttributedPart> parts = grouping_.attribution()->of(id);
    const Work& call = works.front();
    uint32_t whole = 0, before = 0;
    for (const AttributedPart& part : parts) whole += part.parts;
    for (const AttributedPart& part : parts) {
      Work& work = log_.divided.emplace_back(call);
      work.sum = part_of(call.sum, before, part.parts, whole);
      attribute(part, call.done->start, work);
      before += part.parts;
    }
    size_t nth = 0;
    for (const Activity& tool : graph_.activities().tools_of(id)) {
      Work& work = log_.divided.emplace_back(works[++nth]);
      // Parts of tools are in the order of their names; what has one part has it whatever its name.
      const std::string_view name =
          tool.use == nullptr ? std::string_view() : grouping_.attribution()->name_of(*tool.use);
      const auto part = std::ranges::lower_bound(parts, name, {}, &AttributedPart::name);
      attribute(parts.size() == 1 || part == parts.end() ? parts.front() : *part, call.done->start,
                work);
    }
  }

  void attribute(const AttributedPart& part, Time start, Work& work) {
    work.group = groups_.of(std::string(part.name), start);
    work.rule = part.rule;
    work.confidence = part.confidence;
    work.through_subagent = part.through_subagent;
  }

  void add_life(const Agent& agent, const CallScene& scene, const Selection& reported) {
    const std::vector<CallId> shown = reported.shown(agent.calls);
    if (shown.empty()) return;
    TimeRange lived;
    for (CallId id : shown) {
      const Call& call = trace_[id];
      if (call.start == kNoTime) continue;
      lived.start = earliest_known(lived.start, call.start);
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
  const Grouping& grouping_;
  WorkLog log_;
  Groups groups_;
  Bill bill_;
};

}  // namespace

ErrorClass Work::error_class() const {
  if (done->kind == Kind::model_call || failed_as == Kind::model_call)
    return provider_error(done->error);
  return done->kind == Kind::tool_run ? class_of(done->tool_error) : ErrorClass::other;
}

WorkLog work_of(const Question& question, const ShownWork* calls, const HopScene* spans,
                std::span<const UnplacedRow> unplaced, const Grouping& grouping) {
  WorkReader reader(question, grouping);
  if (calls != nullptr) reader.read(*calls);
  if (spans != nullptr) reader.read(*spans);
  for (const UnplacedRow& row : unplaced) reader.read(row);
  return std::move(reader).log();
}

}  // namespace xtrace
