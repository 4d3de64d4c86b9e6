#pragma once

#include <string>

#include "base/result.h"
#include "base/system.h"

namespace xtrace {

/// For a pipe, waits for its writer.
Result<File> open_to_read(const std::string& path);

/// Waits for nothing: a pipe or device is an error.
Result<File> open_regular(const std::string& path);

/// `cannot open 'logs.jsonl': Permission denied`, of an input.
tl::unexpected<Error> cannot(std::string_view verb, std::string_view path, int error);
/// The same of an output; names the folder where that is what is missing.
tl::unexpected<Error> cannot_write(const std::string& path, int error);

}  // namespace xtrace
