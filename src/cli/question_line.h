#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "run/request.h"

namespace xtrace {

/// Reads words as a command line of a view, for servers, whose clients ask as commands do.
Result<Request> read_question(std::vector<std::string> words);

}  // namespace xtrace
