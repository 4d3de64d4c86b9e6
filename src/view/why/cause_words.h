#pragma once

#include <string>
#include <vector>

#include "view/why/provenance.h"

namespace xtrace {

/// Says in several lines why the target was accessed: who ran at the same time, the chains by who
/// accessed it, and which of them started first.
std::string describe_answer(const Provenance& why);

/// Adds the lines about one cause: the chain, numbers, who delegated, and where.
void add_cause_lines(const Provenance& why, const Cause& cause, size_t number,
                     std::vector<Text>& lines);

/// Adds what came of it: chains forward from the target.
void add_effect_lines(const Provenance& why, std::vector<Text>& lines);

/// From the target to what was reached.
Texts path_of(const Provenance& why, const HopEffect& effect);

}  // namespace xtrace
