#pragma once

#include <string>

#include "base/result.h"
#include "settings/standards.h"

namespace xtrace {

/// The profile that `xtrace assess --learn` wrote. What is wrong is named as `file:line`, with
/// Exit::usage.
Result<Profile> read_profile(const std::string& path);

/// Agent cards: one object, a list of them, or a list under `agents`. Each has `agent_id` (or
/// `name`), and lists of names: `dependencies` (agents), `tools`, `resources`.
Result<std::vector<AgentCard>> read_cards(const std::string& path);

/// Both, of those that are named; the files are added to those that were read.
Result<Standards> read_standards(const std::string& baseline, const std::string& cards,
                                 std::vector<std::string>& files);

}  // namespace xtrace
