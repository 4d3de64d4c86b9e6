#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "doc/verdicts.h"
#include "settings/suite.h"

namespace xtrace {

/// How the scenarios of a suite were judged, as `--save-baseline` kept it. Exit::usage names
/// file:line of what cannot be heeded; so it does where it knows no scenario of the suite.
Result<Baseline> read_baseline(const std::string& path, const Suite& suite);

/// What is kept of verdicts under that name, for read_baseline().
std::string baseline_text(std::string_view id, const Verdicts& verdicts);

}  // namespace xtrace
