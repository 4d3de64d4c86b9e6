#pragma once

#include "view/common/selection.h"

namespace xtrace {

/// Links over calls that a filter hides: from the nearest shown call that the hidden ones go on
/// from, or were spawned by, to the shown one that they lead to. As sure as all that it stands for.
/// Only what leads from call to call is followed, not each tool's result beside it.
std::vector<Link> adjusted_links(const Graph& graph, const Selection& selection,
                                 const std::function<bool(const Link&)>& is_wanted);

}  // namespace xtrace
