#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "facts/trace.h"

namespace xtrace {

struct Request;

/// That standard input was empty, and what else may be named.
std::string nothing_came_in(const Request& request);

/// Reads the inputs of a request: as one run, or where the view compares, as the one of before and
/// the one of now. Says on standard error what was wrong with them. Exit::input: one cannot be
/// read, or nothing in it is of use; Exit::usage: one would be overwritten.
Result<std::vector<Trace>> load_runs(const Request& request);

}  // namespace xtrace
