#pragma once

#include <map>

#include "view/hops/hop_scene.h"

namespace xtrace {

/// Puts actors into a drawing as nodes, each once, in the order in which they are met.
class ActorNodes {
 public:
  /// `about`: what the drawing is of beside the run, if it can be of several things.
  ActorNodes(const HopScene& scene, const Run& run, Drawing& drawing, Text about = {});

  /// Nowhere: one that is not on record, a node as well.
  uint32_t of(ActorId id);
  /// When all are met: labels short enough, by which those that differ are told apart.
  void label();

 private:
  const HopScene& scene_;
  Drawing& drawing_;
  Text run_, scope_;
  std::map<ActorId, uint32_t> places_;
};

}  // namespace xtrace
