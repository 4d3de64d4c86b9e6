#include "view/why/cause_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>

#include "view/common/field.h"
#include "view/common/words.h"
#include "view/hops/actor_nodes.h"
#include "view/hops/run_answers.h"

namespace xtrace {

namespace {

class Chains {
 public:
  Chains(const Provenance& why, const Paths& paths)
      : why_(why), paths_(paths), nodes_(why.scene, why.run, drawing_, why.scene.name(why.target)) {
    drawing_.title = run_title(why.scene, why.run);
  }

  Drawing draw() {
    for (const Cause& cause : why_.causes.all) add(cause);
    for (size_t i = 0; i < edges_.size(); ++i) finish(edges_[i], drawing_.edges[i]);
    nodes_.label();
    return std::move(drawing_);
  }

 private:
  struct Edge {
    std::string causes;     ///< their numbers
    double confidence = 1;  ///< the lowest of the links it represents
  };

  void add(const Cause& cause) {
    ++number_;
    for (size_t i = 0; i < cause.chain.size(); ++i) {
      uint32_t to = nodes_.of(cause.chain[i]);
      if (i == 0) continue;
      uint32_t from = nodes_.of(cause.chain[i - 1]);
      auto [known, is_new] = places_.emplace(std::pair(from, to), edges_.size());
      if (is_new) {
        edges_.emplace_back();
        drawing_.edges.push_back({from, to, {}, {}, Drawing::Stroke::solid, false, 1, "CALLS"});
      }
      std::string& causes = edges_[known->second].causes;
      causes += fmt::format("{}{}", causes.empty() ? "" : ", ", number_);
    }
    for (HopId access : cause.hops) doubt(access);
  }

  /// The confidence of a chain is that of all its links; each edge shows its own.
  void doubt(HopId access) {
    for (HopId id = access, by; id && doubted_.insert(id.index).second; id = by) {
      by = paths_.caller_of(id);
      const Hop& hop = why_.scene.hops[id];
      auto place = hop.from && hop.to
                       ? places_.find(std::pair(nodes_.of(hop.from), nodes_.of(hop.to)))
                       : places_.end();
      if (place == places_.end()) continue;
      double before = by ? paths_.certainty(by).confidence : 1;
      double own = before > 0 ? paths_.certainty(id).confidence / before : 0;
      Edge& edge = edges_[place->second];
      edge.confidence = std::min(edge.confidence, own);
    }
  }

  void finish(const Edge& edge, Drawing::Edge& drawn) const {
    std::string label = edge.causes;
    if (!is_sure(edge.confidence)) {
      drawn.stroke = Drawing::Stroke::dotted;
      label += fmt::format(" ({:.2f})", edge.confidence);
    }
    drawn.properties.add("confidence", thousandths(edge.confidence));
    drawn.label = why_.scene.question.door.composed(std::move(label));
  }

  const Provenance& why_;
  const Paths& paths_;
  Drawing drawing_;
  ActorNodes nodes_;
  std::vector<Edge> edges_;  ///< as those of the drawing
  std::map<std::pair<uint32_t, uint32_t>, size_t> places_;
  std::unordered_set<uint32_t> doubted_;  ///< hops
  size_t number_ = 0;
};

}  // namespace

Drawing picture_of_causes(const Provenance& why, const Paths& paths) {
  return Chains(why, paths).draw();
}

}  // namespace xtrace
