#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "input/common/line_range.h"
#include "input/parts/part_file.h"

namespace xtrace {

/// What parts are to tell of one log.
struct PlannedLog {
  uint64_t bytes = 0;             ///< of the log
  std::string beside;             ///< a second path of it, from the folder of the manifest
  std::vector<LineRange> ranges;  ///< by place, each once
};

/// What there has to be, by path: out of a plan, or of what the makers of parts noted.
using Manifest = std::map<std::string, PlannedLog>;

inline constexpr std::string_view kManifestBegin = R"({"schema": "xtrace.part/)";
/// Does the file there hold what makers of parts noted?
bool is_manifest_file(const std::string& path);

/// A line on a part, as it lies at `path` with these bytes: which bytes of which logs it tells of.
/// Exit::bug: it cannot be read.
Result<std::string> manifest_line(const FactsPart& part, std::string_view bytes,
                                  const std::string& path);
/// Adds the line, unless it is there: a part may be made twice. Exit::output: it cannot.
Status append_to_manifest(const std::string& manifest, const std::string& line);

/// Reads either kind. Exit::input: it is none, or damaged.
Result<Manifest> read_manifest(const std::string& path);

}  // namespace xtrace
