#pragma once

#include <memory>
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

  bool any() const { return !calls.empty() || !spans.empty(); }
};

/// One of the parts on which a scenario is tried.
struct Trial {
  std::string name;  ///< of its session, run, query or file, not yet passed; empty: all at once
  Scope scope;
};

/// Finds the calls and spans that scenarios are about. It names those of an input once for all
/// scenarios: a suite of n scenarios over n sessions takes n lookups, not n passes.
class ScopeFinder {
 public:
  /// `question` must live as long.
  explicit ScopeFinder(const Question& question);
  ~ScopeFinder();

  /// What a scenario is tried on, in order of time; one at least, which says what is missing where
  /// there is none.
  std::vector<Trial> find_trials(const Scenario& scenario);

 private:
  class Index;
  std::unique_ptr<Index> index_;
};

}  // namespace xtrace
