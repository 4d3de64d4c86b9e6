#include <set>
#include <utility>

#include "view/assess/profile.h"
#include "view/calls/call_sum.h"

namespace xtrace {

namespace {

class FigureSum {
 public:
  FigureSum(const HopScene& scene, RunTraits& traits) : scene_(scene), traits_(traits) {}

  void add(const Activity& done) {
    using Kind = Activity::Kind;
    if (done.same_as || (done.kind != Kind::model_call && done.kind != Kind::tool_run)) return;
    any_ = true;
    if (!done.is_recorded()) return;  // only the report of a subagent mentions it
    CallSum one = CallSum::of(done.outcome);
    if (done.kind == Kind::tool_run) {
      one.calls = 0;
      if (!done.tool.empty()) ++traits_.tools[without_numbers(scene_.once(done.tool).view())];
    } else {
      one.usage = usage_of(done);
      traits_.cost_is_partial |= done.is_unpriced || done.cost_is_partial;
    }
    sum_.add(one);
  }

  void add(const UnplacedUsage& row) {
    any_ = true;
    traits_.cost_is_partial |= row.is_unpriced || row.cost_is_partial;
    if (row.charged() != 0) sum_.usage.add(usage_of(row));
  }

  void finish() {
    if (!any_) return;
    auto set = [&](std::string_view name, double figure) {
      traits_.figures[std::string(name)] = figure;
    };
    if (sum_.usage.cost >= 0) set(kCostFigure, static_cast<double>(sum_.usage.cost) / 1e9);
    set(kCallsFigure, static_cast<double>(sum_.calls));
    // What is not known to have gone well may have failed: then there are as many, or more.
    if (sum_.errors > 0 || sum_.unknown == 0)
      set(kFailuresFigure, static_cast<double>(sum_.errors));
  }

 private:
  const HopScene& scene_;
  RunTraits& traits_;
  CallSum sum_;  ///< of calls; outcomes are those of tools too
  bool any_ = false;
};

/// The conversations of a run of which the first hop is shown.
void add_calls(const HopScene& scene, const Run& run, FigureSum& sum) {
  const Graph& graph = scene.question.graph;
  std::set<std::pair<uint32_t, uint64_t>> entries;
  for (HopId id : run.hops)
    if (const Hop& hop = scene.hops[id];
        scene.selection.shows(id) && hop.to && scene.hops[hop.to].type == Actor::Type::agent)
      entries.emplace(hop.at.file, hop.at.offset);
  for (const Conversation& conversation : graph.conversations()) {
    CallId first = conversation.calls.front();
    const Extent& at = graph.timeline()[first].source;
    if (&scene.hops.runs[graph.session_of(first).number - 1] != &run ||
        !entries.contains({at.file, at.offset}))
      continue;
    for (CallId id : conversation.calls) {
      sum.add(graph.activities().of(id));
      for (const Activity& tool : graph.activities().tools_of(id)) sum.add(tool);
    }
  }
}

}  // namespace

void add_figures(const HopScene& scene, const Run& run, RunTraits& traits) {
  const Graph& graph = scene.question.graph;
  FigureSum sum(scene, traits);
  const Ledger& ledger = graph.activities().ledger;
  if (run.hops.empty() || !scene.hops[run.hops.front()].span) {
    add_calls(scene, run, sum);
    const uint32_t number = static_cast<uint32_t>(&run - scene.hops.runs.data()) + 1;
    for (const UnplacedUsage& row : ledger.unplaced)
      if (row.session == number) sum.add(row);
  } else {
    for (HopId id : run.hops) {
      if (!scene.selection.shows(id)) continue;
      const Activity& done = graph.activities().of(scene.hops[id].span);
      sum.add(done);
      if (const UnplacedUsage* row = ledger.of(done.hop)) sum.add(*row);
    }
  }
  sum.finish();
  for (HopId id : run.hops)
    if (const Hop& hop = scene.hops[id]; hop.tool && scene.selection.shows(id))
      traits.first_uses.try_emplace(without_numbers(scene.once(graph.trace()[hop.tool]).view()),
                                    id);
}

}  // namespace xtrace
