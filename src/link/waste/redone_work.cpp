#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "link/waste/waste_search.h"

namespace xtrace {

namespace {

constexpr size_t kFewestShared = 3;  // fewer, two agents may need for themselves

/// What was asked and what came of it, whoever asked.
using AskedAndGot = std::tuple<uint32_t, uint64_t, uint64_t>;  // name, arguments, result

class RedoneFinder {
 public:
  explicit RedoneFinder(WasteSearch& search) : search_(search), steps_(search.steps) {}

  void find() {
    std::map<uint32_t, std::vector<uint32_t>> by_session;  // steps of subagents
    for (uint32_t i = 0; i < steps_.all().size(); ++i)
      if (counts(i)) by_session[steps_[i].session].push_back(i);
    for (const auto& [session, steps] : by_session) look_at(steps);
  }

 private:
  uint32_t agent_of(uint32_t i) const { return search_.graph.agent_index_of(steps_[i].call); }

  bool counts(uint32_t i) const {
    const ToolStep& step = steps_[i];
    return step.use->arguments != 0 && step.said != 0 && step.went_well() && search_.shows(i) &&
           search_.graph.agents()[agent_of(i)].spawned && !search_.is_claimed(i);
  }

  void look_at(const std::vector<uint32_t>& steps) {
    std::map<AskedAndGot, uint32_t> first_by;  // the step of who did it first
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> shared;  // agents: later, first
    std::map<uint32_t, size_t> in_all;                                      // by agent
    std::set<std::pair<uint32_t, AskedAndGot>> done;                        // each once by an agent
    for (uint32_t i : steps) {
      const ToolStep& step = steps_[i];
      const uint32_t agent = agent_of(i);
      const AskedAndGot deed{step.use->name.index, step.use->arguments, step.said};
      if (!done.emplace(agent, deed).second) continue;
      ++in_all[agent];
      auto [first, is_new] = first_by.emplace(deed, i);
      if (is_new) continue;
      if (steps_.is_change(i) || steps_.is_polling(i)) continue;
      if (!steps_.same_result(steps_[first->second], step)) continue;
      shared[{agent, agent_of(first->second)}].push_back(i);
    }
    for (const auto& [agents, again] : shared)
      if (again.size() >= kFewestShared) add(agents.second, again, first_by);
  }

  void add(uint32_t before, const std::vector<uint32_t>& again,
           const std::map<AskedAndGot, uint32_t>& first_by) {
    Waste& redone = search_.add_steps(WasteKind::redone_work, 0.8, again.front(), again);
    redone.evidence.clear();
    for (uint32_t i : again) {
      const ToolStep& step = steps_[i];
      const uint32_t done = first_by.at({step.use->name.index, step.use->arguments, step.said});
      redone.evidence.push_back({step.call, step.id, "again"});
      redone.evidence.push_back({steps_[done].call, steps_[done].id, "done before"});
    }
    redone.other = search_.graph.agents()[before].calls.front();
    const Life first = life_of(before);
    redone.is_parallel = overlap(first, life_of(agent_of(again.front())));
    leave_out(first.begin, first.end, redone.worked);  // that time passed for the other one too
    redone.tool = {};
    redone.target = {};
  }

  struct Life {
    Time begin = kNoTime, end = kNoTime;
  };
  Life life_of(uint32_t agent) const {
    Life life;
    for (CallId id : search_.graph.agents()[agent].calls) {
      const Call& call = search_.graph.trace()[id];
      if (call.start == kNoTime) continue;
      life.begin = life.begin == kNoTime ? call.start : std::min(life.begin, call.start);
      life.end = std::max(life.end, call.end());
    }
    return life;
  }
  static bool overlap(const Life& a, const Life& b) {
    return a.begin != kNoTime && b.begin != kNoTime && a.begin < b.end && b.begin < a.end;
  }

  WasteSearch& search_;
  const ToolSteps& steps_;
};

}  // namespace

void find_redone_work(WasteSearch& search) {
  RedoneFinder(search).find();
}

}  // namespace xtrace
