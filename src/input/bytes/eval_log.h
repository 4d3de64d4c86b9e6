#pragma once

#include <optional>

#include "base/result.h"
#include "input/bytes/inputs.h"

namespace xtrace {

/// Makes an `.eval` log of inspect_ai, which is a ZIP archive, a log of its samples in a file that
/// has no name and is gone with the process: each line is the document that the same log has as
/// JSON, with one sample. Tells why it cannot be read.
std::optional<Error> unpack_eval_log(Input& input, const File& file);

}  // namespace xtrace
