#include "run/share_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "input/shards/range_digest.h"
#include "view/common/words.h"

namespace xtrace {

namespace fs = std::filesystem;

namespace {

/// A group of lines, with how much it is.
struct Group {
  uint32_t first = 0;  ///< line
  uint64_t bytes = 0, records = 0;
  bool has_records = false;  ///< there is something to answer of it
};

uint64_t bytes_of(const InputLines& input, size_t line) {
  return (line + 1 < input.begins.size() ? input.begins[line + 1] : input.bytes) -
         input.begins[line];
}

std::vector<Group> groups_of(const std::vector<InputLines>& inputs, LineGroups& lines) {
  std::map<uint32_t, Group> groups;
  for (uint32_t i = 0; i < inputs.size(); ++i)
    for (size_t line = 0; line < inputs[i].begins.size(); ++line) {
      const size_t number = lines.first_of(i) + line;
      Group& group = groups[lines.group_of(number)];
      group.bytes += bytes_of(inputs[i], line);
      group.records += lines.records_on(number);
      group.has_records |= lines.has_records(number);
    }
  std::vector<Group> all;
  for (auto& [first, group] : groups) {
    group.first = first;
    all.push_back(group);
  }
  std::stable_sort(all.begin(), all.end(), [](const Group& a, const Group& b) {
    return std::pair(a.has_records, a.bytes) > std::pair(b.has_records, b.bytes);
  });
  return all;
}

size_t count_groups_with_records(const std::vector<Group>& groups) {
  return static_cast<size_t>(std::count_if(groups.begin(), groups.end(),
                                           [](const Group& group) { return group.has_records; }));
}

/// The place of the line that names a group.
std::string place_of(const PlannedLogs& logs, const LineGroups& lines, uint32_t line) {
  uint32_t input = 0;
  while (input + 1 < logs.inputs.size() && lines.first_of(input + 1) <= line) ++input;
  const std::string path = printable(logs.sources[input].path);
  return logs.inputs[input].begins.size() == 1
             ? path
             : fmt::format("{}:{}", path, line - lines.first_of(input) + 1);
}

/// The path from the folder of the plans, so that both may move.
Result<std::string> path_from(const std::string& folder, const std::string& path) {
  std::error_code error;
  const fs::path base = fs::canonical(folder, error);
  if (error) return cannot("read the folder", folder, error.value());
  const fs::path named(path);
  const fs::path parent =
      fs::canonical(named.has_parent_path() ? named.parent_path() : fs::path("."), error);
  if (error) return cannot("read the folder", named.parent_path().string(), error.value());
  return (parent / named.filename()).lexically_relative(base).string();
}

/// Distributes groups, and lists what each shard reads.
class Sharing {
 public:
  Sharing(const PlannedLogs& logs, LineGroups& lines) : logs_(logs), lines_(lines) {}

  Result<ShardPlan> plan(size_t shards, const std::string& folder) {
    const std::vector<Group> groups = groups_of(logs_.inputs, lines_);
    give_out(groups, shards);
    for (uint32_t i = 0; i < logs_.sources.size(); ++i)
      if (Status added = add_file(i, folder); !added) return tl::unexpected(added.error());
    for (uint32_t i = 0; i < logs_.sources.size(); ++i)
      if (Status added = add_lines(i); !added) return tl::unexpected(added.error());
    warn(groups, shards);
    return std::move(plan_);
  }

 private:
  /// The largest first, each to the shard that has least; then those without records, so that no
  /// shard has only these.
  void give_out(const std::vector<Group>& groups, size_t shards) {
    plan_.shards.resize(std::min(shards, std::max<size_t>(count_groups_with_records(groups), 1)));
    std::set<std::pair<uint64_t, size_t>> emptiest;
    for (size_t i = 0; i < plan_.shards.size(); ++i) {
      plan_.shards[i].name = fmt::format("{:04}{}", i, kPlanName);
      emptiest.emplace(0, i);
    }
    for (const Group& group : groups) {
      const size_t i = emptiest.begin()->second;
      emptiest.erase(emptiest.begin());
      plan_.shards[i].bytes += group.bytes;
      plan_.shards[i].records += group.records;
      shard_of_[group.first] = i;
      emptiest.emplace(plan_.shards[i].bytes, i);
    }
  }

  Status add_file(uint32_t i, const std::string& folder) {
    const Source& source = logs_.sources[i];
    Result<std::string> beside = path_from(folder, source.path);
    if (!beside) return tl::unexpected(beside.error());
    plan_.files.push_back({source.path, *beside, source.bytes, source.sha256, logs_.listed[i], i});
    return {};
  }

  Status add_lines(uint32_t i) {
    const InputLines& input = logs_.inputs[i];
    std::map<size_t, ShardLines> by_shard;
    size_t last = SIZE_MAX;
    for (size_t line = 0; line < input.begins.size(); ++line) {
      const size_t shard = shard_of_.at(lines_.group_of(lines_.first_of(i) + line));
      const uint64_t begin = input.begins[line], end = begin + bytes_of(input, line);
      std::vector<LineRange>& ranges = by_shard[shard].ranges;
      if (shard == last)
        ranges.back().end = end;
      else
        ranges.push_back({begin, end, static_cast<uint32_t>(line + 1)});
      last = shard;
    }
    if (input.bytes == 0) return {};
    for (auto& [shard, lines] : by_shard) {
      lines.file = i;
      plan_.shards[shard].lines.push_back(std::move(lines));
    }
    return add_digests(i, by_shard.size());
  }

  Status add_digests(uint32_t i, size_t shards) {
    const Source& source = logs_.sources[i];
    for (PlannedShard& shard : plan_.shards) {
      if (shard.lines.empty() || shard.lines.back().file != i) continue;
      ShardLines& lines = shard.lines.back();
      if (shards == 1) {
        lines.sha256 = source.sha256;
        continue;
      }
      Result<std::string> digest = sha256_of_ranges(source.path, lines.ranges);
      if (!digest) return tl::unexpected(digest.error());
      lines.sha256 = *std::move(digest);
    }
    return {};
  }

  void warn(const std::vector<Group>& groups, size_t shards) {
    uint64_t all = 0;
    for (const Group& group : groups) all += group.bytes;
    const uint64_t share = all / std::max<size_t>(shards, 1);
    if (plan_.shards.size() < shards)
      plan_.warnings.push_back(
          fmt::format("only {}, because linked lines must stay together",
                      plural(static_cast<int64_t>(plan_.shards.size()), "shard")));
    constexpr size_t kNamed = 5;  // the largest; others are rarely larger than a share
    for (size_t i = 0; i < std::min(groups.size(), kNamed) && shards > 1; ++i)
      if (groups[i].bytes > share)
        plan_.warnings.push_back(
            fmt::format("{} of {} bytes are linked and must stay together, starting at {}; this is "
                        "more than the {} bytes of one shard",
                        groups[i].bytes, all, place_of(logs_, lines_, groups[i].first), share));
    for (const Unread& unread : logs_.unread)
      plan_.warnings.push_back(fmt::format(
          "{} skipped ({})", plural(static_cast<int64_t>(unread.files), "file"), unread.why));
  }

  const PlannedLogs& logs_;
  LineGroups& lines_;
  ShardPlan plan_;
  std::map<uint32_t, size_t> shard_of_;  ///< by group
};

}  // namespace

Result<ShardPlan> share_out(const PlannedLogs& logs, LineGroups& lines, size_t shards,
                            const std::string& folder) {
  return Sharing(logs, lines).plan(shards, folder);
}

}  // namespace xtrace
