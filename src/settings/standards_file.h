#pragma once

#include <string>

#include "base/result.h"
#include "view/assess/assess.h"

namespace xtrace {

/// The profile that `xtrace assess --learn` wrote. What is wrong is named as `file:line`, with
/// Exit::usage.
Result<Profile> read_profile(const std::string& path);

/// Agent cards: one object, a list of them, or a list under `agents`. Each has `agent_id` (or
/// `name`), and lists of names: `dependencies` (agents), `tools`, `resources`.
Result<std::vector<AgentCard>> read_cards(const std::string& path);

/// What the options of the view name; the files are added to those that were read.
Status read_standards(Assess& assess, std::vector<std::string>& files);

}  // namespace xtrace
