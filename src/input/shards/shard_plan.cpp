#include "input/shards/shard_plan.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>

#include "base/json_writer.h"
#include "base/number.h"
#include "base/system.h"
#include "base/text.h"
#include "input/bytes/head.h"
#include "input/common/json.h"
#include "input/parts/whole_file.h"

namespace xtrace {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kBegin = R"({"schema": "xtrace.plan/)";
constexpr unsigned kVersion = 1;

bool read_number(json::element from, std::string_view key, uint64_t& number) {
  constexpr int64_t kMost = int64_t{1} << 53;  // JsonWriter writes more as a text
  json::element value;
  const int64_t count = json::find(from, key, value) ? json::count(value, -1) : -1;
  number = static_cast<uint64_t>(count);
  return count >= 0 && count <= kMost;
}

bool read_file(json::element from, ShardPlan& plan) {
  PlannedFile& file = plan.files.emplace_back();
  file.path = json::text_at(from, "path");
  file.beside = json::text_at(from, "from_plan");
  file.sha256 = json::text_at(from, "sha256");
  json::element in_folder;
  file.listed = !json::find(from, "in_folder", in_folder) || !json::is_true(in_folder);
  return read_number(from, "nth", file.nth) && read_number(from, "bytes", file.bytes) &&
         !file.path.empty() && !file.sha256.empty();
}

bool read_range(json::element from, LineRange& range) {
  std::vector<int64_t> numbers;
  json::items(from, [&](json::element one) { numbers.push_back(json::count(one, -1)); });
  if (numbers.size() != 3 || numbers[0] < 0 || numbers[1] <= numbers[0] || numbers[2] < 1 ||
      numbers[2] > std::numeric_limits<int32_t>::max())
    return false;
  range = {static_cast<uint64_t>(numbers[0]), static_cast<uint64_t>(numbers[1]),
           static_cast<uint32_t>(numbers[2])};
  return true;
}

bool read_lines(json::element from, const ShardPlan& plan, ShardLines& lines) {
  uint64_t file = 0;
  json::element ranges;
  if (!read_number(from, "file", file) || file >= plan.files.size() ||
      !json::find(from, "ranges", ranges))
    return false;
  lines.file = static_cast<uint32_t>(file);
  lines.sha256 = json::text_at(from, "sha256");
  bool sound = !lines.sha256.empty();
  uint64_t end = 0;
  json::items(ranges, [&](json::element one) {
    sound &= read_range(one, lines.ranges.emplace_back());
    const LineRange& range = lines.ranges.back();
    sound &= range.begin >= end && range.end <= plan.files[file].bytes;
    end = range.end;
  });
  return sound && !lines.ranges.empty();
}

bool read_plan_of(json::element root, ShardPlan& plan) {
  bool sound = true;
  json::element list;
  if (!json::find(root, "files", list)) return false;
  json::items(list, [&](json::element one) { sound &= read_file(one, plan); });
  if (!sound || !json::find(root, "shards", list)) return false;
  json::items(list, [&](json::element one) {
    PlannedShard& shard = plan.shards.emplace_back();
    shard.name = json::text_at(one, "plan");
    json::element of;
    sound &= read_number(one, "bytes", shard.bytes) && read_number(one, "records", shard.records) &&
             json::find(one, "files", of);
    if (sound)
      json::items(of, [&](json::element lines) {
        sound &= read_lines(lines, plan, shard.lines.emplace_back());
      });
  });
  return sound;
}

bool has_bytes(const std::string& path, uint64_t bytes) {
  const std::optional<FileStatus> status = file_status(path);
  return status && status->is_regular() && status->bytes == bytes;
}

}  // namespace

ShardPlan ShardPlan::only(size_t shard) const {
  ShardPlan one;
  one.shards.push_back(shards[shard]);
  for (ShardLines& lines : one.shards.front().lines) {
    one.files.push_back(files[lines.file]);
    lines.file = static_cast<uint32_t>(one.files.size() - 1);
  }
  return one;
}

bool is_shard_plan(std::string_view head) {
  return head.starts_with(kBegin);
}

bool is_shard_plan_file(const std::string& path) {
  return is_shard_plan(head_of(path, kPlanHead));
}

std::string written_plan(const ShardPlan& plan) {
  std::string text;
  JsonWriter out(text);
  out.open_object();
  out.field("schema", fmt::format("xtrace.plan/{}", kVersion));
  out.open_list("files", JsonLayout::lines(2));
  for (const PlannedFile& file : plan.files) {
    out.open_object();
    out.field("nth", file.nth);
    out.field("path", file.path);
    out.field("from_plan", file.beside);
    out.field("bytes", file.bytes);
    out.field("sha256", file.sha256);
    if (!file.listed) out.field("in_folder", true);
    out.close();
  }
  out.close();
  out.open_list("shards", JsonLayout::lines(2));
  for (const PlannedShard& shard : plan.shards) {
    out.open_object();
    out.field("plan", shard.name);
    out.field("bytes", shard.bytes);
    out.field("records", shard.records);
    out.open_list("files", JsonLayout::lines(4));
    for (const ShardLines& lines : shard.lines) {
      out.open_object();
      out.field("file", lines.file);
      out.field("sha256", lines.sha256);
      out.open_list("ranges", JsonLayout::tight());
      for (const LineRange& range : lines.ranges) {
        out.open_list(JsonLayout::tight());
        out.value(range.begin);
        out.value(range.end);
        out.value(range.line);
        out.close();
      }
      out.close();
      out.close();
    }
    out.close();
    out.close();
  }
  out.close();
  if (!plan.warnings.empty()) {
    out.open_list("warnings", JsonLayout::lines(2));
    for (const std::string& warning : plan.warnings) out.value(warning);
    out.close();
  }
  out.close();
  text += '\n';
  return text;
}

Result<ShardPlan> read_shard_plan(const std::string& path) {
  Result<std::string> bytes = whole_file(path);
  if (!bytes) return tl::unexpected(bytes.error());
  return parse_shard_plan(*bytes, path);
}

Result<ShardPlan> parse_shard_plan(std::string_view bytes, const std::string& path) {
  if (!is_shard_plan(bytes))
    return fail(Exit::input,
                fmt::format("{}: not a plan written by `xtrace shard`", printable(path)));
  const std::string_view version = bytes.substr(kBegin.size());
  const auto number = number_of<unsigned>(version.substr(0, version.find('"')));
  if (number && *number > kVersion)
    return fail(
        Exit::input,
        fmt::format(
            "{}: a plan of version {}, but this xtrace ({}) reads up to {}; use a newer xtrace",
            printable(path), *number, XTRACE_VERSION, kVersion));
  ShardPlan plan;
  simdjson::dom::parser parser;
  json::element root;
  if (parser.parse(bytes.data(), bytes.size()).get(root) || !read_plan_of(root, plan))
    return fail(Exit::input,
                fmt::format("{}: the plan is cut off or damaged; make it again", printable(path)));
  return plan;
}

Result<std::string> find_planned(const PlannedFile& file, const std::string& plan) {
  if (has_bytes(file.path, file.bytes)) return file.path;
  const fs::path beside = fs::path(plan).parent_path() / file.beside;
  // Where a folder is a link, what is above it is not what its path says.
  const fs::path shorter = beside.lexically_normal();
  std::error_code error;
  const bool is_same = fs::equivalent(beside, shorter, error) && !error;
  std::string path = (is_same ? shorter : beside).string();
  if (has_bytes(path, file.bytes)) return path;
  for (const std::string& there : {file.path, path})
    if (const std::optional<FileStatus> status = file_status(there))
      return fail(Exit::input,
                  fmt::format("{}: has {} bytes, but had {} when {} was made; make the plan again",
                              printable(there), status->bytes, file.bytes, printable(plan)));
  return fail(Exit::input, fmt::format("{}: not found, nor is {}; {} needs it",
                                       printable(file.path), printable(path), printable(plan)));
}

}  // namespace xtrace
