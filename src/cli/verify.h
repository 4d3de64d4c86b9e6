#pragma once

#include "base/result.h"

namespace xtrace {

struct Request;

/// Makes the trace in the file named by `--verify` again, as it says it was made, from the
/// request's inputs, and prints what differs. Exit::no if anything does.
Result<Exit> verify(const Request& request);

}  // namespace xtrace
