#pragma once

#include "doc/document.h"

namespace xtrace {

/// The day of a moment, for a column beside that of the time; nothing where it is not known.
Cell day_of(Time time, Door& door);

}  // namespace xtrace
