#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "input/common/line_range.h"

namespace xtrace {

/// A file that shards are made of.
struct PlannedFile {
  std::string path;    ///< as it was named when the plan was made
  std::string beside;  ///< the same from the folder of the plan, for logs that move with it
  uint64_t bytes = 0;  ///< on disk
  std::string sha256;  ///< of these
  bool listed = true;  ///< somebody named it, and no folder around it
  uint64_t nth = 0;    ///< in the order in which they were given
};

/// What a shard takes of a file.
struct ShardLines {
  uint32_t file = 0;  ///< index into ShardPlan::files
  std::vector<LineRange> ranges;
  std::string sha256;  ///< of what is there
};

/// Records that are read together.
struct PlannedShard {
  std::string name;  ///< `0017.plan`
  uint64_t bytes = 0, records = 0;
  std::vector<ShardLines> lines;
};

/// Which lines of which files are read together, so that nothing that links is torn apart: all
/// shards, or one of them with its files alone.
struct ShardPlan {
  std::vector<PlannedFile> files;
  std::vector<PlannedShard> shards;
  std::vector<std::string> warnings;

  /// That one alone.
  ShardPlan only(size_t shard) const;
};

inline constexpr std::string_view kPlanName = ".plan";
/// All shards are in it.
inline constexpr std::string_view kWholePlan = "plan.json";

/// Is it a plan, by its first bytes?
bool is_shard_plan(std::string_view head);
inline constexpr size_t kPlanHead = 64;
/// Is the file there one?
bool is_shard_plan_file(const std::string& path);

std::string written_plan(const ShardPlan& plan);
/// Exit::input says what is wrong with it: no plan, damaged, of a newer version; `path` is for the
/// error alone.
Result<ShardPlan> parse_shard_plan(std::string_view bytes, const std::string& path);
Result<ShardPlan> read_shard_plan(const std::string& path);

/// Where a file of a plan is now, as it may be opened and shown: where it was when the plan was
/// made, else where it is from the plan. Exit::input: nowhere.
Result<std::string> find_planned(const PlannedFile& file, const std::string& plan);

}  // namespace xtrace
