#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "facts/trace.h"
#include "input/shards/shard_plan.h"
#include "run/line_groups.h"

namespace xtrace {

/// What was read.
struct PlannedLogs {
  std::vector<Source> sources;
  std::vector<bool> listed;
  std::vector<InputLines> inputs;
  std::vector<Unread> unread;
};

/// Distributes groups of lines to at most `shards` shards, and lists what each reads. `folder`:
/// where the plans go. Exit::input: a log cannot be read.
Result<ShardPlan> share_out(const PlannedLogs& logs, LineGroups& lines, size_t shards,
                            const std::string& folder);

}  // namespace xtrace
