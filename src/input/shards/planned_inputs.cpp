#include "input/shards/planned_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "base/parallel.h"
#include "base/text.h"
#include "input/bytes/head.h"
#include "input/shards/range_digest.h"
#include "input/shards/shard_plan.h"

namespace xtrace {

namespace {

/// What plans say of one file.
struct Wanted {
  PlannedFile file;
  std::string plan;  ///< the first that says so
  std::vector<LineRange> ranges;
  std::vector<ShardLines> checked;  ///< what stands there has to be what stood there
};

/// Sorts them, and makes one of those that follow on one another.
Status join_ranges(const std::string& path, Wanted& wanted) {
  std::vector<LineRange>& ranges = wanted.ranges;
  sort_ranges(ranges);
  std::vector<LineRange> joined;
  for (const LineRange& range : ranges) {
    if (!joined.empty() && range.begin < joined.back().end)
      return fail(
          Exit::input,
          fmt::format(
              "{}: the plans divide it differently; pass plans of a single `xtrace shard` run",
              printable(path)));
    if (!joined.empty() && range.begin == joined.back().end)
      joined.back().end = range.end;
    else
      joined.push_back(range);
  }
  ranges = std::move(joined);
  return {};
}

/// Reads what the plans want, and compares.
Status check_unchanged(const std::map<std::string, Wanted>& files, unsigned jobs) {
  std::vector<std::pair<const std::string*, const Wanted*>> all;
  all.reserve(files.size());
  for (const auto& [path, wanted] : files) all.emplace_back(&path, &wanted);
  std::vector<Status> found(all.size());
  for_each_on(jobs, all.size(), [&] {
    return [&](size_t i) {
      const auto& [path, wanted] = all[i];
      for (const ShardLines& lines : wanted->checked) {
        Result<std::string> digest = sha256_of_ranges(*path, lines.ranges);
        if (!digest)
          found[i] = tl::unexpected(digest.error());
        else if (*digest != lines.sha256)
          found[i] =
              fail(Exit::input,
                   fmt::format(
                       "{}: has changed since {} was made (different SHA-256); make the plan again",
                       printable(*path), printable(wanted->plan)));
        if (!found[i]) return;
      }
    };
  });
  for (Status& one : found)
    if (!one) return one;
  return {};
}

Status take(const std::string& path, std::map<std::string, Wanted>& files,
            std::vector<std::string>& order) {
  Result<ShardPlan> plan = read_shard_plan(path);
  if (!plan) return tl::unexpected(plan.error());
  std::vector<std::string> paths;
  for (const PlannedFile& file : plan->files) {
    Result<std::string> at = find_planned(file, path);
    if (!at) return tl::unexpected(at.error());
    paths.push_back(*at);
    const auto [known, is_new] = files.try_emplace(*at);
    if (is_new) {
      known->second.file = file;
      known->second.plan = path;
      order.push_back(*at);
    } else if (known->second.file.sha256 != file.sha256) {
      return fail(Exit::input,
                  fmt::format("{}: {} was a different file when {} was made; pass plans of a "
                              "single `xtrace shard` run",
                              printable(path), printable(*at), printable(known->second.plan)));
    }
  }
  for (PlannedShard& shard : plan->shards)
    for (ShardLines& lines : shard.lines) {
      Wanted& wanted = files.at(paths[lines.file]);
      wanted.ranges.insert(wanted.ranges.end(), lines.ranges.begin(), lines.ranges.end());
      const bool is_known =
          std::any_of(wanted.checked.begin(), wanted.checked.end(), [&](const ShardLines& other) {
            return other.sha256 == lines.sha256 &&
                   std::equal(other.ranges.begin(), other.ranges.end(), lines.ranges.begin(),
                              lines.ranges.end(), is_same_range);
          });
      if (!is_known) wanted.checked.push_back(std::move(lines));
    }
  return {};
}

}  // namespace

Status read_plans(Found& found, unsigned jobs) {
  std::vector<Input> logs, plans;
  for (Input& input : found.inputs) {
    const Result<std::string> head = head_of(input, kPlanHead);
    if (!head) return tl::unexpected(head.error());
    (is_shard_plan(*head) ? plans : logs).push_back(std::move(input));
  }
  if (plans.empty()) {
    found.inputs = std::move(logs);
    return {};
  }
  std::map<std::string, Wanted> files;
  std::vector<std::string> order;
  for (const Input& plan : plans)
    if (Status taken = take(plan.path, files, order); !taken) return taken;
  std::set<FileId> named;
  for (const Input& log : logs) named.insert(log.id);
  for (auto& [path, wanted] : files)
    if (Status joined = join_ranges(path, wanted); !joined) return joined;
  if (Status same = check_unchanged(files, jobs); !same) return same;
  // As the files were given, whichever of them the first plan has.
  std::stable_sort(order.begin(), order.end(), [&](const std::string& a, const std::string& b) {
    return files.at(a).file.nth < files.at(b).file.nth;
  });
  for (const std::string& path : order) {
    const Wanted& wanted = files.at(path);
    Result<Found> one = find_inputs({path});
    if (!one) return tl::unexpected(one.error());
    if (one->inputs.empty()) continue;
    Input& input = one->inputs.front();
    if (!named.insert(input.id).second) continue;
    input.listed = wanted.file.listed;
    const bool is_whole = wanted.ranges.size() == 1 && wanted.ranges.front().begin == 0 &&
                          wanted.ranges.front().end == wanted.file.bytes;
    if (!is_whole) input.ranges = std::make_shared<const std::vector<LineRange>>(wanted.ranges);
    logs.push_back(std::move(input));
  }
  found.inputs = std::move(logs);
  return {};
}

}  // namespace xtrace
