#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "doc/verdicts.h"
#include "settings/suite.h"
#include "view/eval/scenario_result.h"

namespace xtrace {

/// Runs that were judged by a suite before, as `--history DIR` keeps them: a file each, of the same
/// form as a baseline, named by the digest of suite and runs. In order of their newest events; of
/// one time, by digest. A folder that is not there holds none where a history may begin; elsewhere
/// it is an error.
Result<std::vector<Baseline>> read_history(const std::string& folder, const Suite& suite,
                                           bool may_begin);

/// Those that ended before the runs of that digest did, or with them.
std::vector<Baseline> runs_before(const std::vector<Baseline>& history, std::string_view digest,
                                  std::string_view newest);

/// Where a scenario that does not pass began not to.
struct FirstBad {
  std::string scenario;
  std::string run;     ///< its id; empty: this one
  std::string newest;  ///< the time of its newest event
};

/// Of scenarios that do not pass now: the first of the runs since which none passed.
std::vector<FirstBad> first_bad_runs(const std::vector<ScenarioResult>& now,
                                     const std::vector<Baseline>& history);

/// The digest of a suite and of what was judged by it: the same whatever the files are called.
std::string digest_of(const Suite& suite, const Graph& graph, const Names& names);
/// The end of what ended last; empty: no time is on record.
std::string newest_of(const Graph& graph);

}  // namespace xtrace
