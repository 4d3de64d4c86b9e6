#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "settings/suite.h"
#include "view/impact/impact_scene.h"

namespace xtrace {

/// The steps that decided the failed expectations of a scenario, in order. Exit::no: none failed.
Result<std::vector<uint32_t>> find_failed_steps(const ImpactScene& scene, const Suite& suite,
                                                const std::string& scenario);

}  // namespace xtrace
