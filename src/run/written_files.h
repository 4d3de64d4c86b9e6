#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace xtrace {

struct Request;

/// A file that a request writes.
struct WrittenFile {
  std::string_view option;  ///< that names it
  std::string_view path;    ///< standard output is one
};
std::vector<WrittenFile> written_files(const Request& request);

/// What is read must not be overwritten: `read`, which is `what`, is not one of the files that the
/// request writes.
Status check_not_written(const Request& request, const std::string& read, std::string_view what);

/// Nothing that is named to be read is written to, and no two files that are written are one.
/// Inputs below a folder are checked when they are found.
Status check_files(const Request& request);

}  // namespace xtrace
