#include "input/shards/shard_plan.h"

#include "fuzz/fuzz.h"

/// Whatever stands where a plan is expected, it is refused or says the same when it is written
/// again.
void xtrace::try_shard_plan(std::string_view bytes) {
  Result<ShardPlan> plan = parse_shard_plan(bytes, "plan");
  if (!plan) return;
  const std::string written = written_plan(*plan);
  Result<ShardPlan> again = parse_shard_plan(written, "plan");
  if (!again || written_plan(*again) != written) __builtin_trap();
}
