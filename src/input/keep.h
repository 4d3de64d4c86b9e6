#pragma once

#include "base/result.h"
#include "input/inputs.h"
#include "input/load.h"

namespace xtrace {

/// Makes a stream a file: all that comes out of it is written to one that has no name and is gone
/// with the process, however that ends.
Status keep(Input& stream, Progress& progress);

}  // namespace xtrace
