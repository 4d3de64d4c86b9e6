#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "input/common/loading.h"

namespace xtrace {

/// What `xtrace shard` is asked for.
struct ShardRequest {
  std::vector<std::string> inputs;  ///< logs
  std::string folder;               ///< for the plans
  size_t shards = 0;                ///< at most
  bool quiet = false;
  LoadOptions loading;
};

/// Writes which lines are read together: a plan of all shards, and one for each. Exit::input: a log
/// cannot be read; Exit::usage: it cannot be read again, or the folder holds plans of another run.
Status write_shards(const ShardRequest& request);

}  // namespace xtrace
