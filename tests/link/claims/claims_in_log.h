#pragma once

#include <string>

#include "link/claims/reply_claims.h"

namespace xtrace {

/// `tests_pass contradicted failed`, a line for each claim of the replies in a log.
std::string claims_in_log(const std::string& log);

}  // namespace xtrace
