#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "input/bytes/inputs.h"
#include "input/common/loading.h"

namespace xtrace {

/// Replaces a stream or an archive by a file with its contents that has no name and is removed when
/// the process ends. `digests`: hash an archive meanwhile. Returns why an archive is refused; an
/// Error means that no file can be written, or that a pipe cannot be read.
Result<std::optional<Error>> copy_to_unnamed_file(Input& input, bool digests, Progress& progress);

/// Creates a file without a name for a copy of `path`; it is removed when the process ends.
Result<File> create_unnamed_file(const std::string& path);
/// Appends the next bytes of `path` to its copy.
Status append_to(const File& copy, std::string_view bytes, const std::string& path);
/// Makes the input read `made`, which no other process can write to.
void read_in_place_of(Input& input, File&& made, uint64_t bytes);

}  // namespace xtrace
