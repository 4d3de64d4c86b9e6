#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/file.h"

namespace xtrace {

/// One input that will be read: a file that can be read at any place, or a stream.
struct Input {
  std::string path;  ///< as the user named it, or as it is found below a folder they named
  uint64_t bytes = 0;
  bool seekable = true;
  bool listed = true;  ///< the user named this very file; what is below a folder may be anything
  /// Open if it is a stream, or if its path does not lead to it.
  std::shared_ptr<const File> file;

  /// To read from: the file that is open already, or a new one.
  Result<std::shared_ptr<const File>> open() const;
};

/// Looks up what the user named. A folder stands for the regular files below it, in the order of
/// their names, hidden ones left out.
Result<std::vector<Input>> find_inputs(const std::vector<std::string>& paths);

}  // namespace xtrace
