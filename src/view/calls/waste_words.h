#pragma once

#include <string>

#include "link/waste/waste.h"
#include "view/calls/call_fields.h"

namespace xtrace {

/// What was wasted, in a few words: `Read again …/src/a.cpp`, `loop of Bash: $ go test ./…`.
Text waste_title(const CallScene& scene, const Waste& waste);
/// `5 findings: $1.20 and 2m03s could have been saved`
std::string waste_sum_words(std::span<const Waste> found);

/// The first ones as text. With what was tried, and what to do about each, below it.
Outline waste_outline(const CallScene& scene, std::span<const Waste> found, size_t most,
                      bool with_advice);

}  // namespace xtrace
