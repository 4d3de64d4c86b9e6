#pragma once

#include <string>

#include "base/result.h"
#include "input/parts/part_file.h"

namespace xtrace {

/// All that a part holds, as JSON: for who has to know what leaves the machine. Exit::input: it is
/// damaged; `path` is for that error alone.
Result<std::string> shown_part(const FactsPart& part, const std::string& path);

}  // namespace xtrace
