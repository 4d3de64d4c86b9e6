#pragma once

#include "view/hops/hop_scene.h"

namespace xtrace {

/// Something about hops that can be listed, a line each.
struct HopList {
  std::string_view name;  ///< of the table
  std::span<const Column> columns;
  void (*write)(const HopScene& scene, const Stream::Write& write);
  Outline (*outline)(const HopScene& scene);
};

/// What `list` answers.
Result<Document> list_hops(const Question& question, const Filter& filter, const HopList& list);

}  // namespace xtrace
