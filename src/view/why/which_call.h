#pragma once

#include <string>
#include <vector>

#include "view/common/view.h"

namespace xtrace {

/// A name that fits several calls: an Error that lists them, each with what names it alone.
tl::unexpected<Error> which_call(const Question& question, const std::string& name,
                                 const std::vector<CallId>& calls);

}  // namespace xtrace
