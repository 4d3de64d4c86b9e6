#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "input/bytes/inputs.h"
#include "input/bytes/window.h"
#include "input/common/loading.h"
#include "input/piece.h"

namespace xtrace {

/// What is to be read, and how it is shared out.
struct Plan {
  std::vector<Input> inputs;
  std::vector<Source> sources;  ///< of each input
  std::vector<std::unique_ptr<Window>>
      streams;  ///< of each input; nullptr if it can be opened again
  std::vector<Piece> pieces;
  std::vector<Unread> unread;
};

/// Looks at the beginning of each input. What nobody named and cannot be read is left out.
Result<Plan> make_plan(Found found, const LoadOptions& loading, Progress& progress);

/// Is the file there no log itself, but made one when it is read, as a database is?
bool is_made_log(const std::string& path);
/// It made a log again, as whoever goes back to it needs; nullptr: the log would not be so long.
std::shared_ptr<const File> made_again(const std::string& path, uint64_t bytes);

}  // namespace xtrace
