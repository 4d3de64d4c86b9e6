#include "link/activities/steps_taken.h"

#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "link/graph/resource.h"

namespace xtrace {

namespace {

class Steps {
 public:
  explicit Steps(const Graph& graph) : graph_(graph), turns_(turns_of_calls(graph)) {}

  StepTaken at(CallId id, StepTaken::Kind kind) const {
    StepTaken step;
    step.kind = kind;
    step.call = id;
    step.turn = turns_[id.index];
    const Call& call = graph_.timeline()[id];
    step.start = kind == StepTaken::Kind::told ? call.start : call.end();
    if (step.start == kNoTime) step.start = call.start;
    return step;
  }

  StepTaken done(CallId id, const ToolUse& use) const {
    StepTaken step = at(id, StepTaken::Kind::did);
    step.use = &use;
    step.deed = deed_of(graph_.trace()[use.name]);
    for (uint32_t i : graph_.effects_of(id)) {
      const Link& link = graph_.links()[i];
      if (!link.tool_use || &graph_.trace().tool_uses[link.tool_use.index] != &use) continue;
      if (link.kind == LinkKind::subagent_spawn) step.deed = Deed::started;
      if (link.kind != LinkKind::tool_result) continue;
      step.took = link.took != kNoDuration ? link.took : link.gap;
      step.failed |= link.is_error;
    }
    return step;
  }

 private:
  const Graph& graph_;
  std::vector<CallTurn> turns_;
};

}  // namespace

std::vector<StepTaken> steps_with(const Graph& graph, const Session& session,
                                  std::string_view resource) {
  const Steps steps(graph);
  std::vector<StepTaken> taken;
  std::map<CallTurn, CallId> first_of;                  // what a turn began with
  std::map<CallTurn, std::optional<StepTaken>> before;  // what was run or failed last
  std::map<CallTurn, bool> told;
  for (CallId id : graph.timeline().in_order()) {
    if (&graph.session_of(id) != &session) continue;
    const StepTaken began = steps.at(id, StepTaken::Kind::told);
    first_of.try_emplace(began.turn, id);
    for (const ToolUse* use : graph.tool_uses_of(id)) {
      const StepTaken done = steps.done(id, *use);
      std::optional<StepTaken>& reason = before[done.turn];
      if (resource_of(graph.trace(), *use) == resource) {
        if (!std::exchange(told[done.turn], true))
          taken.push_back(steps.at(first_of[done.turn], StepTaken::Kind::told));
        if (changes(done.deed) && reason) {
          // What was run may have been before the file was read.
          auto place = taken.end();
          while (place != taken.begin() && std::prev(place)->start > reason->start) --place;
          taken.insert(place, *reason);
        }
        if (changes(done.deed)) reason.reset();
        taken.push_back(done);
      } else if (done.failed || (done.deed == Deed::ran && !(reason && reason->failed))) {
        reason = done;
      }
    }
  }
  return taken;
}

std::vector<StepTaken> steps_of(const Graph& graph, std::span<const CallId> calls) {
  const Steps steps(graph);
  std::vector<StepTaken> taken;
  if (calls.empty()) return taken;
  taken.push_back(steps.at(calls.front(), StepTaken::Kind::told));
  for (CallId id : calls)
    for (const ToolUse* use : graph.tool_uses_of(id)) taken.push_back(steps.done(id, *use));
  const CallId last = calls.back();
  if (graph.tool_uses_of(last).empty()) taken.push_back(steps.at(last, StepTaken::Kind::answered));
  return taken;
}

}  // namespace xtrace
