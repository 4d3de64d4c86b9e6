#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/lower.h"
#include "base/one_of.h"
#include "facts/agents.h"
#include "link/waste/waste_search.h"

namespace xtrace {

namespace {

constexpr size_t kFewestShared = 3;  // fewer, two agents may need for themselves
constexpr size_t kMostBefore = 8;    // agents that are looked at for one deed

/// What was asked and what came of it, whoever asked.
using AskedAndGot = std::tuple<uint32_t, uint64_t, uint64_t>;  // name, arguments, result

class RedoneFinder {
 public:
  explicit RedoneFinder(StepSearch& search) : search_(search), steps_(search.steps) {}

  void find() {
    std::map<uint32_t, std::vector<uint32_t>> by_session;  // steps of subagents
    for (uint32_t conversation : search_.conversations)
      for (uint32_t i : steps_.by_conversation()[conversation])
        if (counts(i)) by_session[steps_[i].session].push_back(i);
    for (auto& [session, steps] : by_session) {
      std::sort(steps.begin(), steps.end());
      look_at(steps);
    }
  }

 private:
  uint32_t agent_of(uint32_t i) const { return search_.graph.agent_index_of(steps_[i].call()); }

  bool counts(uint32_t i) const {
    const ToolStep& step = steps_[i];
    return step.use().arguments != 0 && step.said != 0 && step.went_well() && search_.shows(i) &&
           !is_common_ground(step) && search_.graph.agents()[agent_of(i)].spawned &&
           !search_.is_claimed(i);
  }

  /// What any agent reads before it begins.
  bool is_common_ground(const ToolStep& step) const {
    const std::string_view path = search_.graph.trace()[step.use().target];
    const std::string name = lower(path.substr(path.find_last_of("/\\") + 1));
    return name.starts_with("readme") || is_instruction_file(name) ||
           is_one_of(name, {"package.json", "pyproject.toml", "cargo.toml", "go.mod",
                            "cmakelists.txt", "makefile", "pom.xml"});
  }

  /// A step, and that by which another agent had done the same before.
  struct Redone {
    uint32_t again = 0, before = 0;
  };
  using ByEarlier = std::map<uint32_t, std::vector<Redone>>;  // agents that did it before

  void look_at(const std::vector<uint32_t>& steps) {
    std::map<AskedAndGot, std::vector<uint32_t>> done;  // by whom first, each agent once
    std::set<std::pair<uint32_t, AskedAndGot>> seen;
    std::map<uint32_t, ByEarlier> shared;  // by the agent that does it again
    for (uint32_t i : steps) {
      const ToolStep& step = steps_[i];
      const uint32_t agent = agent_of(i);
      const AskedAndGot deed{step.use().name.index, step.use().arguments, step.said};
      if (!seen.emplace(agent, deed).second) continue;
      std::vector<uint32_t>& before = done[deed];
      if (!steps_.is_change(i) && !steps_.is_polling(i))
        for (uint32_t one : before) shared[agent][agent_of(one)].push_back({i, one});
      if (before.size() < kMostBefore) before.push_back(i);
    }
    for (auto& [agent, by_earlier] : shared) {
      for (auto& [earlier, steps_of_both] : by_earlier) keep_the_same(steps_of_both);
      add_most_shared(by_earlier);
    }
  }

  /// Results are read again to compare them, so only where enough seem to be the same.
  void keep_the_same(std::vector<Redone>& steps) const {
    if (steps.size() < kFewestShared) return steps.clear();
    std::erase_if(steps,
                  [&](const Redone& one) { return !steps_.same_result(one.before, one.again); });
  }

  /// What several had done before counts once, for the one with which most is shared.
  void add_most_shared(ByEarlier& by_earlier) {
    while (!by_earlier.empty()) {
      const auto most =
          std::ranges::max_element(by_earlier, {}, [](const auto& of) { return of.second.size(); });
      if (most->second.size() < kFewestShared) return;
      const std::vector<Redone> steps = std::move(most->second);
      add(most->first, steps);
      by_earlier.erase(most);
      std::set<uint32_t> counted;
      for (const Redone& one : steps) counted.insert(one.again);
      for (auto& [agent, others] : by_earlier)
        std::erase_if(others, [&](const Redone& one) { return counted.contains(one.again); });
    }
  }

  void add(uint32_t before, const std::vector<Redone>& steps) {
    std::vector<uint32_t> again;
    again.reserve(steps.size());
    for (const Redone& one : steps) again.push_back(one.again);
    Waste& redone = search_.add_steps(WasteKind::redone_work, 0.8, again.front(), again);
    redone.evidence.clear();
    for (const Redone& one : steps) {
      redone.evidence.push_back({steps_[one.again].call(), steps_[one.again].id, "again"});
      redone.evidence.push_back({steps_[one.before].call(), steps_[one.before].id, "done before"});
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
      life.begin = earliest_known(life.begin, call.start);
      life.end = std::max(life.end, call.end());
    }
    return life;
  }
  static bool overlap(const Life& a, const Life& b) {
    return a.begin != kNoTime && b.begin != kNoTime && a.begin < b.end && b.begin < a.end;
  }

  StepSearch& search_;
  const ToolSteps& steps_;
};

}  // namespace

void find_redone_work(StepSearch& search) {
  RedoneFinder(search).find();
}

}  // namespace xtrace
