#pragma once

#include <string>

#include "base/result.h"
#include "redact/door.h"

namespace xtrace {

/// Writes what was replaced to a file that only the user can read, one JSON object a line. Paths
/// pass the door, which writes nothing more down.
Status write_audit(const std::string& path, const Audit& audit, Door& door);

}  // namespace xtrace
