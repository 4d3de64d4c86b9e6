#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace xtrace {

/// Where a line of a file comes from.
struct LineOrigin {
  uint32_t file = 0;  ///< index into Origins::files
  uint32_t line = 0;
  uint64_t offset = 0;
};

struct Origins {
  std::vector<std::string> files;
  std::vector<LineOrigin> lines;
};

/// Reads a JSON object a line, `{"file": "logs.jsonl", "line": 17, "offset": 4096}`, for each line
/// of the file that is told of.
Result<Origins> read_origins(const std::string& path);

}  // namespace xtrace
