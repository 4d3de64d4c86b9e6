#pragma once

#include <string>
#include <vector>

#include "settings/suite.h"
#include "view/common/view.h"

namespace xtrace {

/// The calls and spans of an input that a scenario is about, in order of time.
struct Scope {
  std::vector<CallId> calls;
  std::vector<SpanId> spans;  ///< of runs that no call covers, or that a query names
  std::string missing;        ///< why there are none, in words; names of the input not yet passed
};

/// One of the parts on which a scenario is tried.
struct Trial {
  std::string name;  ///< of its session, run, query or file, not yet passed; empty: all at once
  Scope scope;
};

/// What a scenario is tried on, in order of time; one at least, which says what is missing where
/// there is none.
std::vector<Trial> trials_of(const Question& question, const Scenario& scenario);

}  // namespace xtrace
