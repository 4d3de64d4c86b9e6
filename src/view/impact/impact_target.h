#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "view/impact/impact_scene.h"

namespace xtrace {

/// The steps whose effects are asked for: one, or all of a set.
struct ImpactTarget {
  std::vector<uint32_t> nodes;  ///< in order
  Text name;
  /// call, tool_use, hop or span; of sets turn, agent, session, tool, file, host, run, actor or
  /// place.
  std::string_view type;
  bool is_next_call = false;  ///< the place that was asked for records no call; this one follows
};

/// What a name means. Exit::no, with what is similar, if it means nothing or several.
Result<ImpactTarget> find_impact_target(const ImpactScene& scene, const std::string& name);

/// The step with which the query begins. Exit::no: filters hide all of it.
Result<ImpactTarget> first_step_of(const ImpactScene& scene, const Query& query);

}  // namespace xtrace
