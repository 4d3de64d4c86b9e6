#pragma once

#include <string>
#include <vector>

#include "settings/suite.h"
#include "view/common/view.h"

namespace xtrace {

/// The calls and spans of an input that a scenario is about, in order of time.
struct Scope {
  std::vector<CallId> calls;
  std::vector<SpanId> spans;  ///< only where the input has no calls, or a query names both
  std::string missing;        ///< why there are none, in words; names of the input not yet passed
};

Scope scope_of(const Question& question, const Match& match);

}  // namespace xtrace
