#pragma once

#include "base/result.h"

namespace xtrace {

class Health;
struct Request;

/// Loads, links, answers and writes; then what is kept beside the answer. Notes in `health` how
/// that went. Exit::no: the answer is no.
Result<Exit> analyze(const Request& request, Health& health);

}  // namespace xtrace
