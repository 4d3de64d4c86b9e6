#include "input/shards/shard_plan.h"

#include "fuzz/fuzz.h"

/// Whatever stands where a plan is expected, it is refused or says the same when it is written
/// again.
int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace xtrace;
  Result<ShardPlan> plan = parse_shard_plan(text_of(bytes, size), "plan");
  if (!plan) return 0;
  const std::string written = written_plan(*plan);
  Result<ShardPlan> again = parse_shard_plan(written, "plan");
  if (!again || written_plan(*again) != written) __builtin_trap();
  return 0;
}
