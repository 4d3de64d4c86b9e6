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

/// The fields of a span or hop as a node of `dag --view calls`.
std::span<const Field<HopRow>> hop_fields();
std::span<const Column> hop_columns();
/// The fields of the edge from its cause to it.
std::span<const Field<HopRow>> cause_fields();
std::span<const Column> cause_columns();

}  // namespace xtrace
