#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "input/bytes/inputs.h"
#include "input/common/loading.h"

namespace xtrace {

/// Makes a stream or an archive a file: all that comes out of it is written to one that has no name
/// and is gone with the process, however that ends. `digests`: hash an archive meanwhile.
/// Tells why an archive is refused; an Error means that there is nowhere to write to, or that a
/// pipe cannot be read.
Result<std::optional<Error>> keep(Input& input, bool digests, Progress& progress);

/// A file that has no name and is gone with the process, for a copy of what `path` leads to.
Result<File> nameless_file(const std::string& path);
/// Writes the next bytes of `path` to its copy.
Status append_to(const File& copy, std::string_view bytes, const std::string& path);
/// What was made of the input is read, which nobody else can write to.
void read_in_place_of(Input& input, File&& made, uint64_t bytes);

}  // namespace xtrace
