#include "run/shard_files.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <ostream>
#include <set>

#include "base/system.h"
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
#include "run/share_out.h"
#include "run/written_files.h"

namespace xtrace {

namespace fs = std::filesystem;

namespace {

/// Of an empty file no shard has a line.
void drop_empty(Found& found) {
  std::erase_if(found.inputs, [](const Input& input) {
    std::error_code error;
    return input.bytes == 0 && fs::is_regular_file(input.path, error) &&
           fs::file_size(input.path, error) == 0 && !error;
  });
}

Status check_can_plan(const Found& found) {
  for (const Input& input : found.inputs) {
    if (!input.seekable)
      return fail(
          Exit::usage,
          fmt::format("{}: not a regular file; a plan needs one: write the input to a file first",
                      printable(input.path)));
    if (is_shard_plan_file(input.path) || is_part_file(input.path))
      return fail(Exit::usage,
                  fmt::format("{}: not a log; pass the original logs", printable(input.path)));
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

/// Plans of an earlier run would be read with those of this one.
Status check_folder(const std::string& folder, const ShardPlan& plan) {
  std::set<std::string> written;
  for (const PlannedShard& shard : plan.shards) written.insert(shard.name);
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (const std::string name = at->path().filename().string();
        name.ends_with(kPlanName) && !written.contains(name))
      return fail(Exit::usage, fmt::format("{}: a plan from an earlier run; all plans in a folder "
                                           "are read together: remove it or use another folder",
                                           printable(at->path().string())));
  return error ? cannot("read the folder", folder, error.value()) : Status();
}

Status check_plans_overwrite_nothing(const ShardRequest& request, const ShardPlan& plan) {
  const fs::path folder(request.folder);
  std::vector<std::string> paths = {(folder / kWholePlan).string()};
  for (const PlannedShard& shard : plan.shards) paths.push_back((folder / shard.name).string());
  std::vector<WrittenFile> written;
  written.reserve(paths.size());
  for (const std::string& path : paths) written.push_back({"--output", path});
  return check_inputs(written, request.inputs, request.loading);
}

Status write_plan(const std::string& path, const ShardPlan& plan) {
  return write_answer(path, Readers::umask, [&](std::ostream& out) { out << written_plan(plan); });
}

/// Reads the logs. What they hold no record of is no loss; what cannot be read is.
Result<RawTrace> read_all(Found found, const ShardRequest& request) {
  LoadOptions loading = request.loading;
  loading.digests = true;
  Progress progress;
  ShownProgress shown(progress, !request.quiet && is_terminal(kStandardError));
  Result<RawTrace> records = read_logs(std::move(found), loading, progress);
  if (!records) return records;
  for (const Unread& unread : records->unread)
    if (unread.may_hold_records)
      return fail(Exit::input,
                  fmt::format("{}: {}", printable(unread.paths.empty() ? "" : unread.paths.front()),
                              printable(unread.why)));
  return records;
}

/// Where the lines begin that may be given to different shards.
Status find_lines(const RawTrace& records, PlannedLogs& logs) {
  const std::vector<bool> by_lines = find_line_inputs(records);
  for (size_t i = 0; i < logs.sources.size(); ++i) {
    InputLines& lines = logs.inputs.emplace_back();
    lines.begins = {0};
    lines.bytes = logs.sources[i].bytes;
    if (!by_lines[i]) continue;
    Result<std::vector<uint64_t>> begins = begins_of_lines(logs.sources[i]);
    if (!begins) return tl::unexpected(begins.error());
    lines.begins = *std::move(begins);
  }
  return {};
}

Status write_plans(const ShardPlan& plan, const fs::path& folder) {
  for (size_t i = 0; i < plan.shards.size(); ++i)
    if (Status written = write_plan((folder / plan.shards[i].name).string(), plan.only(i));
        !written)
      return written;
  return write_plan((folder / kWholePlan).string(), plan);
}

}  // namespace

Status write_shards(const ShardRequest& request) {
  Result<Found> found = find_inputs(request.inputs);
  if (!found) return tl::unexpected(found.error());
  drop_empty(*found);
  if (Status sound = check_can_plan(*found); !sound) return sound;
  std::map<std::string, bool> listed;
  for (const Input& input : found->inputs) listed[input.path] = input.listed;
  Result<RawTrace> records = read_all(*std::move(found), request);
  if (!records) return tl::unexpected(records.error());
  PlannedLogs logs;
  logs.sources = records->sources;
  logs.unread = records->unread;
  for (const Source& source : logs.sources) logs.listed.push_back(listed[source.path]);
  if (Status lines = find_lines(*records, logs); !lines) return lines;
  LineGroups groups(logs.inputs);
  groups.join_records(*records);
  groups.join_conclusions(link(complete(*std::move(records)), {}));
  groups.settle();
  std::error_code error;
  fs::create_directories(request.folder, error);
  if (error)
    return fail(Exit::output, fmt::format("cannot create the folder '{}': {}",
                                          printable(request.folder), error.message()));
  Result<ShardPlan> plan = share_out(logs, groups, request.shards, request.folder);
  if (!plan) return tl::unexpected(plan.error());
  if (Status free = check_folder(request.folder, *plan); !free) return free;
  if (Status safe = check_plans_overwrite_nothing(request, *plan); !safe) return safe;
  if (!request.quiet)
    for (const std::string& warning : plan->warnings) fmt::print(stderr, "warning: {}\n", warning);
  return write_plans(*plan, request.folder);
}

}  // namespace xtrace
