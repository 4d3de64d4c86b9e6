#pragma once

#include "view/calls/call_fields.h"

namespace xtrace {

struct LinkRow {
  const CallScene& scene;
  const Link& link;
  CellArena& arena;

  RecordPlace place() const { return scene.names.place(link.to); }
};

/// The fields of a link: its ends, how sure it is and why, and what its type adds.
std::span<const Field<LinkRow>> link_fields();
std::span<const Column> link_columns();

}  // namespace xtrace
