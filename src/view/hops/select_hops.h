#pragma once

#include "base/zone.h"
#include "view/common/filter.h"
#include "view/common/selection.h"

namespace xtrace {

/// The same as select_calls(), of hops.
Result<HopSelection> select_hops(const Filter& asked, const Trace& trace, const Hops& hops,
                                 HopLinks links, const Zone& zone);

}  // namespace xtrace
