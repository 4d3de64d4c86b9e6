#include "run/shard_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <ostream>
#include <set>

#include "base/sha256.h"
#include "base/text.h"
#include "input/bytes/inputs.h"
#include "input/common/raw_trace.h"
#include "input/load.h"
#include "input/parts/found_parts.h"
#include "input/shards/range_digest.h"
#include "input/shards/shard_plan.h"
#include "keep/output.h"
#include "link/graph/graph.h"
#include "run/line_groups.h"
#include "run/progress.h"
#include "view/common/words.h"

namespace xtrace {

namespace fs = std::filesystem;

namespace {

/// What is read and what of it belongs together.
struct Grouped {
  std::vector<Source> sources;
  std::vector<bool> listed;
  std::vector<InputLines> inputs;
  std::vector<Unread> unread;
};

Status check_can_plan(const Found& found) {
  for (const Input& input : found.inputs) {
    if (!input.seekable)
      return fail(Exit::usage, fmt::format("{}: a plan tells where lines stand in files, and this "
                                           "is none; keep it in one first",
                                           printable(input.path)));
    if (is_shard_plan_file(input.path) || is_part_file(input.path))
      return fail(Exit::usage,
                  fmt::format("{}: it is no log; give the logs", printable(input.path)));
  }
  return {};
}

Result<std::vector<uint64_t>> begins_of_lines(const Source& source) {
  std::vector<uint64_t> begins = {0};
  uint64_t at = 0;
  Status read = each_block(source.path, 0, source.bytes, [&](std::string_view bytes) {
    for (size_t end = bytes.find('\n'); end != std::string_view::npos;
         end = bytes.find('\n', end + 1))
      if (at + end + 1 < source.bytes) begins.push_back(at + end + 1);
    at += bytes.size();
  });
  if (!read) return tl::unexpected(read.error());
  return begins;
}

/// A group of lines, with how much it is.
struct Group {
  uint32_t first = 0;  ///< line
  uint64_t bytes = 0, records = 0;
  bool is_told_of = false;  ///< there is something to answer of it
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
      group.is_told_of |= lines.is_told_of(number);
    }
  std::vector<Group> all;
  for (auto& [first, group] : groups) {
    group.first = first;
    all.push_back(group);
  }
  std::stable_sort(all.begin(), all.end(), [](const Group& a, const Group& b) {
    return std::pair(a.is_told_of, a.bytes) > std::pair(b.is_told_of, b.bytes);
  });
  return all;
}

size_t told_of(const std::vector<Group>& groups) {
  return static_cast<size_t>(std::count_if(groups.begin(), groups.end(),
                                           [](const Group& group) { return group.is_told_of; }));
}

/// Where the line stands that a group is named by.
std::string place_of(const Grouped& grouped, const LineGroups& lines, uint32_t line) {
  uint32_t input = 0;
  while (input + 1 < grouped.inputs.size() && lines.first_of(input + 1) <= line) ++input;
  const std::string path = printable(grouped.sources[input].path);
  return grouped.inputs[input].begins.size() == 1
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

/// Shares groups out, and tells what each shard reads.
class Sharing {
 public:
  Sharing(const Grouped& grouped, LineGroups& lines) : grouped_(grouped), lines_(lines) {}

  Result<ShardPlan> plan(const ShardRequest& request) {
    const std::vector<Group> groups = groups_of(grouped_.inputs, lines_);
    share_out(groups, request.shards);
    for (uint32_t i = 0; i < grouped_.sources.size(); ++i)
      if (Status added = add_file(i, request.folder); !added) return tl::unexpected(added.error());
    for (uint32_t i = 0; i < grouped_.sources.size(); ++i)
      if (Status added = add_lines(i); !added) return tl::unexpected(added.error());
    warn(groups, request);
    return std::move(plan_);
  }

 private:
  /// The largest first, each to the shard that has least; then what nothing can be told of, so that
  /// no shard has that alone.
  void share_out(const std::vector<Group>& groups, size_t shards) {
    plan_.shards.resize(std::min(shards, std::max<size_t>(told_of(groups), 1)));
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
    const Source& source = grouped_.sources[i];
    Result<std::string> beside = path_from(folder, source.path);
    if (!beside) return tl::unexpected(beside.error());
    plan_.files.push_back(
        {source.path, *beside, source.bytes, source.sha256, grouped_.listed[i], i});
    return {};
  }

  Status add_lines(uint32_t i) {
    const InputLines& input = grouped_.inputs[i];
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
    const Source& source = grouped_.sources[i];
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

  void warn(const std::vector<Group>& groups, const ShardRequest& request) {
    uint64_t all = 0;
    for (const Group& group : groups) all += group.bytes;
    const uint64_t share = all / std::max<size_t>(request.shards, 1);
    if (plan_.shards.size() < request.shards)
      plan_.warnings.push_back(
          fmt::format("{} and no more: what is in each links, and stays "
                      "together",
                      plural(static_cast<int64_t>(plan_.shards.size()), "shard")));
    constexpr size_t kNamed = 5;
    for (size_t i = 0; i < std::min(groups.size(), kNamed) && request.shards > 1; ++i)
      if (groups[i].bytes > share)
        plan_.warnings.push_back(fmt::format(
            "{} of {} bytes link to one another, from {} on: more than a share of {} bytes; they "
            "stay in one shard",
            groups[i].bytes, all, place_of(grouped_, lines_, groups[i].first), share));
    for (const Unread& unread : grouped_.unread)
      plan_.warnings.push_back(fmt::format(
          "{} passed over ({})", plural(static_cast<int64_t>(unread.files), "file"), unread.why));
  }

  const Grouped& grouped_;
  LineGroups& lines_;
  ShardPlan plan_;
  std::map<uint32_t, size_t> shard_of_;  ///< by group
};

/// Plans of an earlier run would be read with those of this one.
Status check_folder(const std::string& folder, const ShardPlan& plan) {
  std::set<std::string> written;
  for (const PlannedShard& shard : plan.shards) written.insert(shard.name);
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (const std::string name = at->path().filename().string();
        name.ends_with(kPlanName) && !written.contains(name))
      return fail(Exit::usage, fmt::format("{}: a plan of another run, and all plans of a folder "
                                           "are read together; remove it or name another folder",
                                           printable(at->path().string())));
  return error ? cannot("read the folder", folder, error.value()) : Status();
}

Status write_plan(const std::string& path, const ShardPlan& plan) {
  return write_answer(path, [&](std::ostream& out) { out << written_plan(plan); });
}

}  // namespace

Status write_shards(const ShardRequest& request) {
  std::error_code error;
  fs::create_directories(request.folder, error);
  if (error)
    return fail(Exit::output, fmt::format("cannot make the folder '{}': {}",
                                          printable(request.folder), error.message()));
  Result<Found> found = find_inputs(request.inputs);
  if (!found) return tl::unexpected(found.error());
  if (Status sound = check_can_plan(*found); !sound) return sound;
  Grouped grouped;
  std::map<std::string, bool> listed;
  for (const Input& input : found->inputs) listed[input.path] = input.listed;
  LoadOptions loading = request.loading;
  loading.digests = true;
  Progress progress;
  Result<RawTrace> records = [&] {
    ShownProgress shown(progress, !request.quiet && isatty(STDERR_FILENO));
    return read_logs(*std::move(found), loading, progress);
  }();
  if (!records) return tl::unexpected(records.error());
  for (const Unread& unread : records->unread)
    if (unread.may_hold_records)
      return fail(Exit::input,
                  fmt::format("{}: {}", printable(unread.paths.empty() ? "" : unread.paths.front()),
                              printable(unread.why)));
  grouped.sources = records->sources;
  grouped.unread = records->unread;
  for (uint32_t i = 0; i < grouped.sources.size(); ++i) {
    const Source& source = grouped.sources[i];
    grouped.listed.push_back(listed[source.path]);
    InputLines& lines = grouped.inputs.emplace_back();
    lines.begins = {0};
    lines.bytes = source.bytes;
    if (!stands_by_lines(*records, i)) continue;
    Result<std::vector<uint64_t>> begins = begins_of_lines(source);
    if (!begins) return tl::unexpected(begins.error());
    lines.begins = *std::move(begins);
  }
  LineGroups lines(grouped.inputs);
  lines.join_records(*records);
  {
    const Graph graph = link(complete(*std::move(records)), {});
    lines.join_conclusions(graph);
  }
  lines.settle();
  Result<ShardPlan> plan = Sharing(grouped, lines).plan(request);
  if (!plan) return tl::unexpected(plan.error());
  if (Status free = check_folder(request.folder, *plan); !free) return free;
  for (size_t i = 0; i < plan->shards.size(); ++i)
    if (Status written =
            write_plan((fs::path(request.folder) / plan->shards[i].name).string(), plan->only(i));
        !written)
      return written;
  if (!request.quiet)
    for (const std::string& warning : plan->warnings) fmt::print(stderr, "warning: {}\n", warning);
  return write_plan((fs::path(request.folder) / kWholePlan).string(), *plan);
}

}  // namespace xtrace
