#include <algorithm>

#include "link/graph/graph.h"

namespace xtrace {

namespace {

/// Appends runs of spans to the hops of model calls.
class Joiner {
 public:
  explicit Joiner(const Graph& graph)
      : graph_(graph),
        spans_(graph.hops()),
        joined_(hops_of_calls(graph)),
        place_(spans_.all.size()),
        taken_(graph.trace().strings.size()) {}

  Hops join() {
    for (const Hop& hop : joined_.all)
      if (hop.id) ++taken_[hop.id.index];
    for (size_t i = 0; i < spans_.runs.size(); ++i)
      if (!graph_.partners().covers_run[i]) add(spans_.runs[i]);
    // Causes and rivals may be in a later run.
    for (uint32_t i = 0; i < place_.size(); ++i)
      if (place_[i]) connect(spans_.all[i], joined_.all[place_[i].index]);
    for (HopEdge edge : spans_.edges) {
      edge.from = place_[edge.from.index];
      edge.to = place_[edge.to.index];
      if (edge.from && edge.to) joined_.edges.push_back(edge);
    }
    joined_.list_edges();
    for (const Detail& detail : spans_.details)
      if (HopId hop = place_[detail.hop.index]) joined_.details.push_back({hop, detail.at});
    return std::move(joined_);
  }

 private:
  ActorId actor(ActorId of_spans) {
    if (!of_spans) return {};
    const size_t known = joined_.actors.size();
    const ActorId actor = joined_.actor(spans_[of_spans].id);
    if (actor.index >= known) joined_.actors[actor.index].type = spans_[of_spans].type;
    return actor;
  }

  void add(const Run& run) {
    Run own{run.id, actor(run.principal), {}};
    own.session = run.session;
    for (ActorId principal : run.principals) own.principals.push_back(actor(principal));
    for (HopId id : run.hops) {
      place_[id.index] = HopId(joined_.all.size());
      own.hops.push_back(place_[id.index]);
      Hop hop = spans_[id];
      hop.run = static_cast<uint32_t>(joined_.runs.size());
      hop.from = actor(hop.from);
      hop.to = actor(hop.to);
      hop.principal = actor(hop.principal);
      hop.kind = joined_.words.intern(spans_.words[hop.kind]);
      hop.nth = ++taken_[hop.id.index];
      const std::span<const SpanId> observations = spans_.observations_of(hop);
      hop.first_observation = static_cast<uint32_t>(joined_.observations.size());
      joined_.observations.insert(joined_.observations.end(), observations.begin(),
                                  observations.end());
      joined_.all.push_back(hop);
    }
    joined_.runs.push_back(std::move(own));
  }

  void connect(const Hop& told, Hop& hop) {
    if (hop.cause) hop.cause = place_[hop.cause.index];
    if (hop.parent) hop.parent = place_[hop.parent.index];
    hop.first_alternative = static_cast<uint32_t>(joined_.alternatives.size());
    for (const Rival<HopId>& other : spans_.alternatives_of(told))
      if (HopId cause = place_[other.from.index])
        joined_.alternatives.push_back({cause, other.confidence});
    hop.alternatives = static_cast<uint32_t>(joined_.alternatives.size()) - hop.first_alternative;
  }

  const Graph& graph_;
  const Hops& spans_;
  Hops joined_;
  std::vector<HopId> place_;     ///< by hop of the spans; nowhere: calls record its run
  std::vector<uint32_t> taken_;  ///< by id, how many hops bear it
};

}  // namespace

Hops join_hops(const Graph& graph) {
  return Joiner(graph).join();
}

}  // namespace xtrace
