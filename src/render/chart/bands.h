#pragma once

#include "render/chart/actors.h"

namespace xtrace {

/// Gives edges between actors that have their places a way from box to box, with spots for their
/// numbers. A way passes between the boxes of columns that it crosses; where several leave a box,
/// reach one or pass the same gap, they are next to each other. The picture grows by what has no
/// room in it.
void lay_bands(Actors& actors);

}  // namespace xtrace
