#pragma once

#include "view/common/field.h"
#include "view/hops/hop_scene.h"

namespace xtrace {

struct HopRow {
  const HopScene& scene;
  HopId id;
  const Hop& hop;
  std::span<const HopId> effects;  ///< those shown
  CellArena& arena;

  RecordPlace place() const { return scene.names.place(hop.at); }
};

/// An edge between hops.
struct HopEdgeRow {
  const HopScene& scene;
  const HopEdge& edge;
  CellArena& arena;

  const Hop& hop() const { return scene.hops[edge.to]; }
  /// Is it the one that the hop's chain goes by?
  bool is_from_cause() const { return edge.from == hop().cause; }
  RecordPlace place() const { return scene.names.place(hop().at); }
};

/// The fields of a span or hop as a node of `dag --view calls`.
std::span<const Field<HopRow>> hop_fields();
std::span<const Column> hop_columns();
std::span<const Field<HopEdgeRow>> hop_edge_fields();
std::span<const Column> hop_edge_columns();

}  // namespace xtrace
