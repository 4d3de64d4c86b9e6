#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "input/bytes/inputs.h"

namespace xtrace {

/// Takes what is a part out of what was found, and returns it. Exit::input: what should be a part,
/// by its name or as it lies in a folder of parts, is none.
Result<std::vector<Input>> take_parts(Found& found);

/// The id of the key of the parts that a path names; nothing: it names none.
Result<std::optional<std::string>> key_of_parts(const std::string& path);

/// Is the file there one, for who takes no parts?
bool is_part_file(const std::string& path);

}  // namespace xtrace
