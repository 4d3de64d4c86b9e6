#include "link/activities/steps_taken.h"

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

StepTaken step_at(const Graph& graph, CallId id, StepTaken::Kind kind) {
  StepTaken step;
  step.kind = kind;
  step.call = id;
  step.turn = graph.call_turns()[id.index];
  const Call& call = graph.timeline()[id];
  step.start = kind == StepTaken::Kind::told ? call.start : call.end();
  if (step.start == kNoTime) step.start = call.start;
  return step;
}

StepTaken step_of(const Graph& graph, const Activity& tool) {
  StepTaken step = step_at(graph, tool.call, StepTaken::Kind::did);
  step.use = tool.use;
  step.target = tool.use->target;
  step.deed = tool.has_spawned ? Deed::started : deed_of(tool.tool);
  if (tool.start != kNoTime) step.start = tool.start;
  step.took = tool.duration;
  step.failed = tool.outcome == Outcome::error;
  step.has_no_result = tool.outcome == Outcome::unknown;
  return step;
}

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
    std::optional<StepTaken>& last = last_[{graph_.call_turns()[call.index], who}];
    for (const StepTaken& done : unread->second)
      if (!last || says_more(done, *last)) last = done;
    unread_.erase(unread);
  }

  /// Of a tool that touched something else.
  void note(const StepTaken& done) {
    if (done.failed || done.deed == Deed::ran) unread_[whose(done.call)].push_back(done);
  }

  /// That of a change, which the next one is not made for.
  std::optional<StepTaken> take(const StepTaken& change) {
    std::optional<StepTaken> reason;
    StepTaken known_to = change;
    for (CallId at = change.call; at;) {
      if (const auto known = last_.find({change.turn, whose(at)}); known != last_.end()) {
        if (known->second && was_known(*known->second, known_to)) reason = known->second;
        break;
      }
      at = starter_of(at);
      if (at) known_to = step_at(graph_, at, StepTaken::Kind::did);
    }
    last_[{change.turn, whose(change.call)}].reset();
    return reason;
  }

 private:
  static constexpr uint32_t kStartedByNobody = 0;

  uint32_t whose(CallId call) const {
    return graph_.agent_of(call).spawned ? graph_.conversation_of(call).number : kStartedByNobody;
  }
  static bool says_more(const StepTaken& done, const StepTaken& than) {
    const bool had_failed = than.failed && than.deed == Deed::ran;
    const bool is_same = had_failed && done.deed == Deed::ran && done.use->command &&
                         done.use->command == than.use->command;
    return !had_failed || is_same || (done.failed && done.deed == Deed::ran);
  }
  CallId starter_of(CallId call) const {
    const Agent& agent = graph_.agent_of(call);
    const Link* link = agent.spawned ? beginning_of(graph_, agent) : nullptr;
    return link == nullptr ? CallId{} : link->from;
  }
  static bool was_known(const StepTaken& reason, const StepTaken& change) {
    const Time ended = reason.took == kNoDuration ? reason.start : after(reason.start, reason.took);
    return reason.start == kNoTime || change.start == kNoTime || ended <= change.start;
  }

  const Graph& graph_;
  /// By turn and agent; empty: what there was, a change was made for.
  std::map<std::pair<CallTurn, uint32_t>, std::optional<StepTaken>> last_;
  std::map<uint32_t, std::vector<StepTaken>> unread_;  ///< by agent: of its last call
};

class StepsWith {
 public:
  StepsWith(const Graph& graph, std::span<const std::string> resources)
      : graph_(graph), resources_(resources.begin(), resources.end()), reasons_(graph) {}

  std::vector<StepTaken> find(const Session& session) && {
    std::map<CallTurn, CallId> first_of;  // what a turn began with
    for (CallId id : session.calls) {
      const CallTurn turn = graph_.call_turns()[id.index];
      first_of.try_emplace(turn, id);
      reasons_.begin(id);
      for (const Activity& tool : graph_.activities().tools_of(id)) {
        StepTaken done = step_of(graph_, tool);
        if (!touches(done)) {
          reasons_.note(done);
          continue;
        }
        if (told_.insert(turn).second)
          taken_.push_back(step_at(graph_, first_of[turn], StepTaken::Kind::told));
        if (done.use->patches) done.deed = Deed::edited;  // a shell may do that as well
        if (changes(done.deed))
          if (std::optional<StepTaken> reason = reasons_.take(done)) add(*reason);
        add(done);
      }
    }
    return std::move(taken_);
  }

 private:
  /// Notes what of all that is asked about it is about.
  bool touches(StepTaken& done) const {
    const Trace& trace = graph_.trace();
    if (!done.use->target) return resources_.contains(resources_of(trace, *done.use).front());
    for (StringId target : targets_of(trace, *done.use)) {
      if (!resources_.contains(resource_named(trace[target]))) continue;
      done.target = target;
      return true;
    }
    return false;
  }

  /// In order of time, within the turn: what was run may have been before the file was read, and
  /// agents work side by side.
  void add(const StepTaken& step) {
    auto place = taken_.end();
    while (place != taken_.begin() && std::prev(place)->start > step.start &&
           (std::prev(place)->kind != StepTaken::Kind::told || std::prev(place)->turn != step.turn))
      --place;
    taken_.insert(place, step);
  }

  const Graph& graph_;
  std::unordered_set<std::string_view> resources_;
  Reasons reasons_;
  std::set<CallTurn> told_;
  std::vector<StepTaken> taken_;
};

}  // namespace

std::vector<StepTaken> steps_with(const Graph& graph, const Session& session,
                                  std::span<const std::string> resources) {
  return StepsWith(graph, resources).find(session);
}

std::vector<StepTaken> steps_of(const Graph& graph, std::span<const CallId> calls) {
  std::vector<StepTaken> taken;
  if (calls.empty()) return taken;
  taken.push_back(step_at(graph, calls.front(), StepTaken::Kind::told));
  for (CallId id : calls)
    for (const Activity& tool : graph.activities().tools_of(id))
      taken.push_back(step_of(graph, tool));
  const CallId last = calls.back();
  if (!graph.activities().tools_of(last).empty()) return taken;
  StepTaken& end = taken.emplace_back(step_at(graph, last, StepTaken::Kind::answered));
  const Outcome outcome = graph.timeline()[last].outcome;
  end.failed = outcome == Outcome::error;
  end.has_no_result = outcome == Outcome::unanswered || outcome == Outcome::unrecorded;
  return taken;
}

}  // namespace xtrace
