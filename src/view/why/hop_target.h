#pragma once

#include "view/common/selector.h"
#include "view/hops/hop_scene.h"

namespace xtrace {

/// The actor or the hop that a user wants explained, by any of NameOf::targets and NameOf::parts.
/// Exit::no, with the nearest names, when the name fits none or several.
Result<Meant> find_target(const HopScene& scene, const std::string& name);

/// A name that fits several calls: an Error that lists them, each with what names it alone.
tl::unexpected<Error> which_call(const HopScene& scene, const std::string& name,
                                 const std::vector<CallId>& calls);

}  // namespace xtrace
