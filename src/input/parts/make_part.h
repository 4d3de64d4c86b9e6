#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "input/common/loading.h"
#include "input/parts/part_file.h"

namespace xtrace {

/// Which lines a part is made of, and where they come from.
struct PartOptions {
  std::optional<std::pair<uint64_t, uint64_t>> range;  ///< bytes; lines that begin there
  std::string origin;      ///< a file that shows where each line comes from; empty: they are there
  std::string name;        ///< of the file, in place of its path
  bool arguments = false;  ///< also those of tool uses, sealed
};

/// What was read for a part.
struct PartMade {
  FactsPart part;
  uint64_t records = 0, skipped = 0;
};

/// Reads logs into a part. One in which nothing is of use is a part as well. Exit::usage: such a
/// part cannot be made of such a file.
Result<PartMade> make_part(const std::vector<std::string>& paths, const LoadOptions& loading,
                           const PartOptions& options, const Seal& seal, Progress& progress);

}  // namespace xtrace
