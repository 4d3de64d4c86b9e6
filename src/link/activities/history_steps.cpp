#include "link/activities/history_steps.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "facts/tool_targets.h"
#include "link/graph/queries.h"
#include "link/graph/resource.h"

namespace xtrace {

namespace {

HistoryStep step_at(const Graph& graph, CallId id, HistoryStep::Kind kind) {
  HistoryStep step;
  step.kind = kind;
  step.done = &graph.activities().of(id);
  step.turn = graph.call_turns()[id.index];
  const Call& call = graph.timeline()[id];
  step.start = kind == HistoryStep::Kind::prompt ? call.start : call.end();
  if (step.start == kNoTime) step.start = call.start;
  step.has_no_words = kind == HistoryStep::Kind::prompt && !graph.agent_of(id).spawned &&
                      !answers_a_user(graph, id);
  return step;
}

HistoryStep step_of(const Graph& graph, const Activity& tool) {
  HistoryStep step = step_at(graph, tool.call, HistoryStep::Kind::tool);
  step.done = &tool;
  step.target = tool.use->target;
  step.deed = tool.has_spawned ? Deed::started : deed_of(tool.tool);
  // Tools that search the web open pages as well: what they are given tells.
  if (step.deed == Deed::searched &&
      graph.trace()[step.target].find("://") != std::string_view::npos)
    step.deed = Deed::opened;
  if (tool.start != kNoTime) step.start = tool.start;
  return step;
}

/// The prompts of turns and the tasks of subagents: the reasons of their steps.
class Tasks {
 public:
  Tasks(const Graph& graph, const Session& session) : graph_(graph) {
    std::map<uint32_t, Task> last;  // by conversation
    for (CallId id : session.calls) {
      first_of_.try_emplace(graph.call_turns()[id.index], id);
      const Agent& agent = graph.agent_of(id);
      if (!agent.spawned) continue;
      auto [task, is_new] = last.try_emplace(graph.conversation_of(id).number, Task{id, nullptr});
      if (const Link* link = spawn_of(id))  // it may be told to go on
        task->second = {id, link};
      else if (is_new)
        task->second.given_by = beginning_of(graph, agent);
      task_of_.emplace(id.index, task->second);
    }
  }

  /// What a call's turn began with, then, if a subagent made the call, who started whom with which
  /// task, down to that.
  std::vector<HistoryStep> steps_to(CallId call) const {
    std::vector<HistoryStep> steps;  // the last one first
    std::set<uint32_t> passed;       // clocks may have agents start one another
    for (auto at = task_of_.find(call.index);
         at != task_of_.end() && passed.insert(at->first).second; at = task_of_.find(call.index)) {
      const auto& [first, given_by] = at->second;
      steps.push_back(step_at(graph_, first, HistoryStep::Kind::prompt));
      if (given_by == nullptr) break;
      call = given_by->from;
      if (const Activity* tool = started_by(*given_by)) steps.push_back(step_of(graph_, *tool));
    }
    if (!task_of_.contains(call.index))
      steps.push_back(step_at(graph_, first_of_.at(graph_.call_turns()[call.index]),
                              HistoryStep::Kind::prompt));
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

 private:
  struct Task {
    CallId first;
    const Link* given_by;  ///< nullptr: no record tells
  };

  const Link* spawn_of(CallId call) const {
    for (uint32_t i : graph_.causes_of(call))
      if (graph_.links()[i].kind == LinkKind::subagent_spawn) return &graph_.links()[i];
    return nullptr;
  }
  const Activity* started_by(const Link& spawn) const {
    if (!spawn.tool_use) return nullptr;
    return &graph_.activities()[graph_.activities().of_tool_use[spawn.tool_use.index]];
  }

  const Graph& graph_;
  std::map<CallTurn, CallId> first_of_;         ///< what a turn began with
  std::unordered_map<uint32_t, Task> task_of_;  ///< by call of a subagent
};

/// What an agent may have changed a file for: what it ran or saw fail, or, until it did either, who
/// started it.
class Reasons {
 public:
  explicit Reasons(const Graph& graph) : graph_(graph) {}

  /// What its agent's last call asked for is known from here on, in this call's turn.
  void begin(CallId call) {
    const uint32_t who = whose(call);
    const auto unread = unread_.find(who);
    if (unread == unread_.end()) return;
    std::optional<HistoryStep>& last = last_[{graph_.call_turns()[call.index], who}];
    for (const HistoryStep& done : unread->second)
      if (!last || says_more(done, *last)) last = done;
    unread_.erase(unread);
  }

  /// Of a tool that touched something else.
  void note(const HistoryStep& done) {
    if (done.failed() || done.deed == Deed::ran) unread_[whose(done.call())].push_back(done);
  }

  /// That of a change, which the next one is not made for.
  std::optional<HistoryStep> take(const HistoryStep& change) {
    std::optional<HistoryStep> reason;
    HistoryStep known_to = change;
    for (CallId at = change.call(); at;) {
      if (const auto known = last_.find({change.turn, whose(at)}); known != last_.end()) {
        if (known->second && was_known(*known->second, known_to)) reason = known->second;
        break;
      }
      at = starter_of(at);
      if (at) known_to = step_at(graph_, at, HistoryStep::Kind::tool);
    }
    last_[{change.turn, whose(change.call())}].reset();
    return reason;
  }

 private:
  static constexpr uint32_t kStartedByNobody = 0;

  uint32_t whose(CallId call) const {
    return graph_.agent_of(call).spawned ? graph_.conversation_of(call).number : kStartedByNobody;
  }
  static bool says_more(const HistoryStep& done, const HistoryStep& than) {
    const bool had_failed = than.failed() && than.deed == Deed::ran;
    const bool is_same = had_failed && done.deed == Deed::ran && done.use()->command &&
                         done.use()->command == than.use()->command;
    return !had_failed || is_same || (done.failed() && done.deed == Deed::ran);
  }
  CallId starter_of(CallId call) const {
    const Agent& agent = graph_.agent_of(call);
    const Link* link = agent.spawned ? beginning_of(graph_, agent) : nullptr;
    return link == nullptr ? CallId{} : link->from;
  }
  static bool was_known(const HistoryStep& reason, const HistoryStep& change) {
    const Time ended = after(reason.start, reason.took());
    return reason.start == kNoTime || change.start == kNoTime || ended <= change.start;
  }

  const Graph& graph_;
  /// By turn and agent; empty: what there was, a change was made for.
  std::map<std::pair<CallTurn, uint32_t>, std::optional<HistoryStep>> last_;
  std::map<uint32_t, std::vector<HistoryStep>> unread_;  ///< by agent: of its last call
};

class StepsWith {
 public:
  StepsWith(const Graph& graph, std::span<const std::string> resources)
      : graph_(graph), resources_(resources.begin(), resources.end()), reasons_(graph) {}

  std::vector<HistoryStep> find(const Session& session) && {
    const Tasks tasks(graph_, session);
    for (CallId id : session.calls) {
      reasons_.begin(id);
      for (const Activity& tool : graph_.activities().tools_of(id)) {
        HistoryStep done = step_of(graph_, tool);
        if (!touches(done)) {
          reasons_.note(done);
          continue;
        }
        add_reasons(id, tasks);
        if (done.use()->patches) done.deed = Deed::edited;  // a shell may do that as well
        if (changes(done.deed))
          if (std::optional<HistoryStep> reason = reasons_.take(done)) add(*reason);
        add(done);
      }
    }
    return std::move(steps_);
  }

 private:
  /// Notes what of all that is asked about it is about.
  bool touches(HistoryStep& done) const {
    const Trace& trace = graph_.trace();
    const ToolUse& use = *done.use();
    if (!use.target) return resources_.contains(resources_of(trace, use).front());
    for (StringId target : targets_of(trace, use)) {
      if (!resources_.contains(resource_named(trace[target]))) continue;
      done.target = target;
      return true;
    }
    return false;
  }

  /// Adds the reason of an agent for a turn, once.
  void add_reasons(CallId call, const Tasks& tasks) {
    const uint32_t who =
        graph_.agent_of(call).spawned ? graph_.conversation_of(call).number : kUsersAgent;
    if (!explained_.insert({graph_.call_turns()[call.index], who}).second) return;
    for (const HistoryStep& step : tasks.steps_to(call)) {
      if (!listed_.insert({step.call(), step.use()}).second) continue;
      const bool is_turn = step.use() == nullptr && !graph_.agent_of(step.call()).spawned;
      is_turn ? steps_.push_back(step) : add(step);
    }
  }

  /// In order of time, within the turn: what was run may have been before the file was read, and
  /// agents work side by side.
  void add(const HistoryStep& step) {
    auto place = steps_.end();
    while (place != steps_.begin() && std::prev(place)->start > step.start &&
           !begins(*std::prev(place), step))
      --place;
    steps_.insert(place, step);
  }
  /// Its turn, or of a subagent its task.
  bool begins(const HistoryStep& prompt, const HistoryStep& step) const {
    if (prompt.kind != HistoryStep::Kind::prompt || prompt.turn != step.turn) return false;
    return !graph_.agent_of(prompt.call()).spawned ||
           graph_.conversation_of(prompt.call()).number ==
               graph_.conversation_of(step.call()).number;
  }

  const Graph& graph_;
  std::unordered_set<std::string_view> resources_;
  Reasons reasons_;
  static constexpr uint32_t kUsersAgent = 0;  // conversations count from 1
  std::set<std::pair<CallTurn, uint32_t>> explained_;
  std::set<std::pair<CallId, const ToolUse*>> listed_;  ///< of turns, spawns and tasks
  std::vector<HistoryStep> steps_;
};

}  // namespace

std::vector<HistoryStep> find_steps_with(const Graph& graph, const Session& session,
                                         std::span<const std::string> resources) {
  return StepsWith(graph, resources).find(session);
}

namespace {

/// Adds the steps of an agent in the calls after its prompt.
std::vector<HistoryStep> with_deeds(const Graph& graph, std::span<const CallId> calls,
                                    std::vector<HistoryStep> steps) {
  for (CallId id : calls)
    for (const Activity& tool : graph.activities().tools_of(id))
      steps.push_back(step_of(graph, tool));
  const CallId last = calls.back();
  if (!graph.activities().tools_of(last).empty()) return steps;
  steps.push_back(step_at(graph, last, HistoryStep::Kind::answer));
  return steps;
}

}  // namespace

std::vector<HistoryStep> list_steps(const Graph& graph, std::span<const CallId> calls) {
  if (calls.empty()) return {};
  return with_deeds(graph, calls, {step_at(graph, calls.front(), HistoryStep::Kind::prompt)});
}

std::vector<HistoryStep> list_steps_up_to(const Graph& graph, std::span<const CallId> calls) {
  if (calls.empty()) return {};
  const CallId last = calls.back();
  std::vector<HistoryStep> steps = Tasks(graph, graph.session_of(last)).steps_to(last);
  return with_deeds(graph, calls, std::move(steps));
}

}  // namespace xtrace
