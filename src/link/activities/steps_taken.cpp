#include "link/activities/steps_taken.h"

#include <iterator>
#include <map>
#include <optional>
#include <utility>

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
  step.deed = tool.has_spawned ? Deed::started : deed_of(tool.tool);
  step.took = tool.duration;
  step.failed = tool.outcome == Outcome::error;
  return step;
}

}  // namespace

std::vector<StepTaken> steps_with(const Graph& graph, const Session& session,
                                  std::string_view resource) {
  std::vector<StepTaken> taken;
  std::map<CallTurn, CallId> first_of;                  // what a turn began with
  std::map<CallTurn, std::optional<StepTaken>> before;  // what was run or failed last
  std::map<CallTurn, bool> told;
  for (CallId id : session.calls) {
    first_of.try_emplace(graph.call_turns()[id.index], id);
    for (const Activity& tool : graph.activities().tools_of(id)) {
      const StepTaken done = step_of(graph, tool);
      std::optional<StepTaken>& reason = before[done.turn];
      if (resource_of(graph.trace(), *tool.use) == resource) {
        if (!std::exchange(told[done.turn], true))
          taken.push_back(step_at(graph, first_of[done.turn], StepTaken::Kind::told));
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
  std::vector<StepTaken> taken;
  if (calls.empty()) return taken;
  taken.push_back(step_at(graph, calls.front(), StepTaken::Kind::told));
  for (CallId id : calls)
    for (const Activity& tool : graph.activities().tools_of(id))
      taken.push_back(step_of(graph, tool));
  const CallId last = calls.back();
  if (graph.activities().tools_of(last).empty())
    taken.push_back(step_at(graph, last, StepTaken::Kind::answered));
  return taken;
}

}  // namespace xtrace
