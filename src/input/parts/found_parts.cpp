#include "input/parts/found_parts.h"

#include <fmt/format.h>

#include "base/one_of.h"
#include "base/text.h"
#include "input/bytes/compression.h"
#include "input/bytes/head.h"
#include "input/parts/manifest.h"
#include "input/parts/part_file.h"
#include "input/shards/shard_plan.h"

namespace xtrace {

bool is_part_file(const std::string& path) {
  return is_part(head_of(path, kPartMagic.size()));
}

namespace {

/// By its name: `part.xfacts.gz`.
bool is_packed_part(std::string_view path, std::string_view head) {
  const size_t at = path.rfind(kPartName);
  return compression_of(head) != Compression::none && at != path.npos &&
         is_one_of(path.substr(at + kPartName.size()), {".gz", ".zst"});
}

}  // namespace

Result<std::vector<Input>> take_parts(Found& found) {
  std::vector<Input> parts, logs;
  const Input* stray = nullptr;
  bool in_folder = false;
  for (Input& input : found.inputs) {
    const Result<std::string> head = head_of(input, kPartMagic.size());
    if (!head) return tl::unexpected(head.error());
    const bool part = is_part(*head);
    if (part && (!input.seekable || input.path == "-"))
      return fail(Exit::usage, fmt::format("{}: a part cannot be read from a pipe; use a file",
                                           printable(input.path)));
    if (!part && is_packed_part(input.path, *head))
      return fail(Exit::usage,
                  fmt::format("{}: parts are already compressed; decompress this file first",
                              printable(input.path)));
    if (part) in_folder |= !input.listed;
    (part ? parts : logs).push_back(std::move(input));
  }
  // Plans, and what was noted of parts, may lie beside the parts.
  if (in_folder)
    std::erase_if(logs, [](const Input& log) {
      return !log.listed && log.seekable &&
             (is_shard_plan_file(log.path) || is_manifest_file(log.path));
    });
  for (const Input& log : logs)
    if (std::string_view(log.path).ends_with(kPartName) || (in_folder && !log.listed))
      stray = stray == nullptr ? &log : stray;
  if (stray != nullptr)
    return fail(Exit::input,
                fmt::format("{}: not a part written by `xtrace facts`{}", printable(stray->path),
                            stray->listed ? "" : ", but in a folder of parts; remove it"));
  if (in_folder)
    for (const Unread& unread : found.unread)
      if (unread.may_hold_records)
        return fail(Exit::input,
                    fmt::format("{}: {}", printable(unread.paths.front()), printable(unread.why)));
  // A part that is given twice says no more than once, and nothing is lost for that.
  for (Unread& unread : found.unread) {
    const size_t named = unread.paths.size();
    if (unread.why == kSameFile) std::erase_if(unread.paths, is_part_file);
    unread.files -= named - unread.paths.size();
  }
  std::erase_if(found.unread, [](const Unread& unread) { return unread.files == 0; });
  found.inputs = std::move(logs);
  return parts;
}

Result<std::optional<std::string>> key_of_parts(const std::string& path) {
  Result<Found> found = find_inputs({path});
  if (!found) return tl::unexpected(found.error());
  Result<std::vector<Input>> parts = take_parts(*found);
  if (!parts) return tl::unexpected(parts.error());
  if (parts->empty()) return std::nullopt;
  Result<FactsPart> part = read_part_file(parts->front().path);
  if (!part) return tl::unexpected(part.error());
  return std::move(part->key_id);
}

}  // namespace xtrace
