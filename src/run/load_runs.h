#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "facts/trace.h"
#include "input/bytes/inputs.h"

namespace xtrace {

struct Request;

/// That standard input was empty, and what else may be named.
std::string nothing_came_in(const Request& request);

/// Reads the inputs of a request: as one run, or where the view compares, as the one of before and
/// the one of now. Says on standard error what was wrong with them. Exit::input: one cannot be
/// read, or nothing in it is of use; Exit::usage: one would be overwritten. `found`: what the
/// inputs of the one run are, if that is known already.
Result<std::vector<Trace>> load_runs(const Request& request,
                                     std::optional<Result<Found>> found = std::nullopt);

}  // namespace xtrace
