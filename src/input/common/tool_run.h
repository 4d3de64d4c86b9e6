#pragma once

#include "base/id.h"
#include "facts/record.h"

namespace xtrace {

/// What an event of a file states about a run of a tool, next to the output that the model got.
struct ToolRun {
  Extent source;
  StringId tool_use{};
  Time at_work = kNoTime;           ///< the tool was at work then, and had been for `took`
  Duration took = kNoDuration;      ///< without `at_work`: how long the tool ran
  StringId error{};                 ///< the class of its failure
  bool ends_before_output = false;  ///< a failure that counts only where the output comes after it
};

}  // namespace xtrace
