#include "input/parts/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/deferred_signals.h"
#include "base/file.h"
#include "base/hex.h"
#include "base/json_writer.h"
#include "base/sha256.h"
#include "base/text.h"
#include "input/bytes/head.h"
#include "input/common/json.h"
#include "input/parts/seal.h"
#include "input/parts/stored_shard.h"
#include "input/parts/whole_file.h"
#include "input/shards/shard_plan.h"

namespace xtrace {

namespace {

tl::unexpected<Error> cannot_note(const std::string& manifest) {
  return fail(Exit::output, fmt::format("--manifest: cannot write '{}': {}", printable(manifest),
                                        std::strerror(errno)));
}

tl::unexpected<Error> no_manifest(const std::string& path, std::string_view what) {
  return fail(Exit::input, fmt::format("--manifest {}: {}", printable(path), what));
}

void settle(Manifest& manifest) {
  for (auto& [path, log] : manifest) sort_ranges(log.ranges);
}

Result<Manifest> of_plan(const std::string& path) {
  Result<ShardPlan> plan = read_shard_plan(path);
  if (!plan) return tl::unexpected(plan.error());
  Manifest manifest;
  for (const PlannedShard& shard : plan->shards)
    for (const ShardLines& lines : shard.lines) {
      const PlannedFile& file = plan->files[lines.file];
      PlannedLog& log = manifest[file.path];
      log.bytes = file.bytes;
      log.beside =
          (std::filesystem::path(path).parent_path() / file.beside).lexically_normal().string();
      log.ranges.insert(log.ranges.end(), lines.ranges.begin(), lines.ranges.end());
    }
  settle(manifest);
  return manifest;
}

bool read_piece_of(json::element from, Manifest& manifest) {
  json::element bytes, list;
  const std::string path(json::text_at(from, "file"));
  if (path.empty() || !json::find(from, "bytes", bytes) || !json::find(from, "ranges", list))
    return false;
  PlannedLog& log = manifest[path];
  log.bytes = std::max(log.bytes, static_cast<uint64_t>(json::count(bytes, 0)));
  bool sound = true;
  json::items(list, [&](json::element range) {
    std::vector<int64_t> ends;
    json::items(range, [&](json::element one) { ends.push_back(json::count(one, -1)); });
    sound &= ends.size() == 2 && ends[0] >= 0 && ends[1] >= ends[0];
    if (sound)
      log.ranges.push_back({static_cast<uint64_t>(ends[0]), static_cast<uint64_t>(ends[1])});
  });
  return sound;
}

bool read_line_of(std::string_view line, simdjson::dom::parser& parser, Manifest& manifest) {
  json::element root, pieces;
  if (parser.parse(line.data(), line.size()).get(root) || !json::find(root, "pieces", pieces))
    return false;
  bool sound = true;
  json::items(pieces, [&](json::element one) { sound &= read_piece_of(one, manifest); });
  return sound;
}

}  // namespace

bool is_manifest_file(const std::string& path) {
  return head_of(path, kManifestBegin.size()) == kManifestBegin;
}

Result<std::string> manifest_line(const FactsPart& part, std::string_view bytes,
                                  const std::string& path) {
  Manifest pieces;
  uint64_t records = 0;
  for (const PackedShard& packed : part.shards) {
    std::optional<PartBody> body = StoredShard::read(packed.bytes);
    if (!body) return fail(Exit::bug, "a written part cannot be read");
    for (const Stretch& stretch : body->shard.stretches()) {
      const PartSource& source = body->sources[stretch.source];
      PlannedLog& log = pieces[source.path];
      records += stretch.records + stretch.other_records;
      log.bytes = std::max(log.bytes, source.bytes);
      log.ranges.push_back({stretch.begin, std::min(stretch.end, source.bytes)});
    }
  }
  settle(pieces);
  std::string text;
  JsonWriter out(text);
  out.open_object();
  out.field("schema", "xtrace.part/1");
  out.field("part", std::filesystem::path(path).filename().string());
  out.field("sha256", sha256_of(bytes));
  out.field("bytes", bytes.size());
  out.field("records", records);
  out.key("key");
  if (part.is_keyed)
    out.value(hex_bytes(part.key_id));
  else
    out.null();
  out.open_list("pieces");
  for (const auto& [file, log] : pieces) {
    out.open_object();
    out.field("file", file);
    out.field("bytes", log.bytes);
    out.open_list("ranges", JsonLayout::tight());
    for (const LineRange& range : log.ranges) {
      out.open_list(JsonLayout::tight());
      out.value(range.begin);
      out.value(range.end);
      out.close();
    }
    out.close();
    out.close();
  }
  out.close();
  out.close();
  return text + "\n";
}

Status append_to_manifest(const std::string& manifest, const std::string& line) {
  if (Result<std::string> known = whole_file(manifest))
    if (known->starts_with(line) || known->find("\n" + line) != std::string::npos) return {};
  const DeferredSignals deferred;  // between making the file and writing to it
  const File file = open_file(manifest, Access::append);
  if (!file.is_open()) return cannot_note(manifest);
  // At once, as several that make parts may note them in one file.
  if (!write_all(file.fd(), line)) return cannot_note(manifest);
  return {};
}

Result<Manifest> read_manifest(const std::string& path) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none))
    return no_manifest(
        path, "it is a folder; name a plan in it, or a file written by `xtrace facts --manifest`");
  if (is_shard_plan_file(path)) return of_plan(path);
  Result<std::string> bytes = whole_file(path);
  if (!bytes) return tl::unexpected(bytes.error());
  if (!bytes->starts_with(kManifestBegin))
    return no_manifest(
        path,
        "expected a plan from `xtrace shard` or a file written by `xtrace facts --manifest`; this "
        "file is something else, or its beginning is damaged");
  Manifest manifest;
  simdjson::dom::parser parser;
  std::string_view rest = *bytes;
  for (size_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (!read_line_of(line, parser, manifest))
      return no_manifest(path, fmt::format("line {} is cut off or damaged", number));
  }
  settle(manifest);
  return manifest;
}

}  // namespace xtrace
