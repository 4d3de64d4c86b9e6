#pragma once

#include <vector>

#include "link/hops/hops.h"

namespace xtrace {

/// By hop: where it is a call back into an actor that waits, the earlier call into that actor;
/// where it is none, nowhere. Empty: nobody calls anybody back.
///
///     user → a  |-------------------------------|   waits for b, which calls it back
///     a → b        |------------------------|
///     b → a            |-----------------|          a call back
///
/// Only hops whose causes are not recorded are looked at, and only where nesting is clear: all
/// calls that enclose a hop lie within one another.
std::vector<HopId> find_callbacks(const Hops& hops);

}  // namespace xtrace
