#pragma once

#include <string>

#include "input/bytes/inputs.h"

namespace xtrace {

// What a file begins with, for who has to know what it is before it is read.

/// At most so many bytes of the regular file there; none: it cannot be read.
std::string head_of(const std::string& path, size_t most);

/// The same of an input. None: it is a stream, or was found below a folder and cannot be opened;
/// one that the user named and that cannot be opened is an Error.
Result<std::string> head_of(const Input& input, size_t most);

}  // namespace xtrace
