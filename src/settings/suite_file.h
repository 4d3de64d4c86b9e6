#pragma once

#include <string>

#include "base/result.h"
#include "settings/suite.h"

namespace xtrace {

/// Reads a suite of evaluations, JSON or YAML. What cannot be heeded is an Error with Exit::usage
/// that names file:line, and the nearest name for one that is misspelt.
Result<Suite> read_suite(const std::string& path);

/// Adds the scores that a judge gave, `{"scenario": {"rubric": 0.8}}`, to those of a suite.
Status read_scores(const std::string& path, Suite& suite);

}  // namespace xtrace
