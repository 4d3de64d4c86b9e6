#include "input/parts/make_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/hex.h"
#include "base/result.h"
#include "base/text.h"
#include "input/bytes/inputs.h"
#include "input/common/json.h"
#include "input/parts/stored_shard.h"
#include "input/parts/whole_file.h"
#include "input/plan_reader.h"
#include "input/reader.h"
#include "input/shards/planned_inputs.h"

namespace xtrace {

namespace {

/// Where a line of a file comes from.
struct LineOrigin {
  uint32_t file = 0;  ///< index into Origins::files
  uint32_t line = 0;
  uint64_t offset = 0;
};

struct Origins {
  std::vector<std::string> files;
  std::vector<LineOrigin> lines;
};

/// Reads a JSON object a line, `{"file": "logs.jsonl", "line": 17, "offset": 4096}`, for each line
/// of the file that is told of.
Result<Origins> read_origins(const std::string& path) {
  Result<std::string> bytes = whole_file(path);
  if (!bytes) return tl::unexpected(bytes.error());
  Origins origins;
  std::unordered_map<std::string, uint32_t> files;
  simdjson::dom::parser parser;
  std::string_view rest = *bytes;
  for (size_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    json::element root, at_line, at_offset;
    if (parser.parse(line.data(), line.size()).get(root) || json::text_at(root, "file").empty() ||
        !json::find(root, "line", at_line) || !json::find(root, "offset", at_offset) ||
        json::count(at_line, 0) < 1 || json::count(at_offset, -1) < 0 ||
        json::count(at_line, 0) > std::numeric_limits<uint32_t>::max() - 1)
      return fail(Exit::usage, fmt::format("{}:{}: each line of --origin must be {{\"file\": PATH, "
                                           "\"line\": NUMBER, \"offset\": BYTES}}",
                                           printable(path), number));
    const auto [file, is_new] = files.try_emplace(std::string(json::text_at(root, "file")),
                                                  static_cast<uint32_t>(files.size()));
    if (is_new) origins.files.push_back(file->first);
    origins.lines.push_back({file->second, static_cast<uint32_t>(json::count(at_line, 0)),
                             static_cast<uint64_t>(json::count(at_offset, 0))});
  }
  return origins;
}

/// The same whatever the number of threads, as the part has to be.
constexpr uint64_t kPiece = 64 << 20;

/// Takes shards into the part.
class PartWriter {
 public:
  PartWriter(const Seal& seal, bool arguments) : seal_(seal) {
    made_.part.take_over(seal);
    made_.part.has_arguments = arguments;
    made_.part.program = XTRACE_VERSION;
  }

  void add(PartBody body) {
    for (const Stretch& stretch : body.shard.stretches()) {
      made_.records += stretch.records + stretch.other_records;
      made_.skipped += stretch.skipped;
    }
    made_.part.shards.emplace_back(StoredShard::write(body, seal_));
  }
  PartMade take() { return std::move(made_); }

 private:
  const Seal& seal_;
  PartMade made_;
};

/// Lines that are in a file by themselves, and come from others.
class ScatteredLines {
 public:
  ScatteredLines(std::string bytes, Origins origins)
      : bytes_(std::move(bytes)), origins_(std::move(origins)) {
    bytes_.reserve(bytes_.size() + simdjson::SIMDJSON_PADDING);
    const std::string_view all = bytes_;
    for (size_t at = 0; at < all.size(); at += lines_.back().size() + 1)
      lines_.push_back(all.substr(at, all.find('\n', at) - at));
  }

  Status check(const std::string& path) const {
    if (lines_.size() == origins_.lines.size()) return {};
    return fail(Exit::usage, fmt::format("--origin has {} lines, but {} has {}",
                                         origins_.lines.size(), printable(path), lines_.size()));
  }

  /// Reads them in the order in which they stood.
  PartBody read(const LoadOptions& loading) {
    sort();
    PartBody body;
    body.shard = Shard(0, false, loading.keep_arguments);
    body.shard.seal_arguments(loading.sealed_argument);
    for (const std::string& file : origins_.files) {
      PartSource& source = body.sources.emplace_back();
      source.path = file;
    }
    Reader reader(loading);
    reader.write_to(body.shard);
    body.shard.keep_digests();
    const LineOrigin* before = nullptr;
    for (uint32_t i : order_) {
      const LineOrigin& from = origins_.lines[i];
      if (before != nullptr && is_same(*before, from)) continue;
      Stretch& last = body.shard.now();
      const bool goes_on = before != nullptr && before->file == from.file &&
                           last.end == from.offset && before->line + 1 == from.line;
      if (!goes_on) begin(body.shard, from, before == nullptr);
      read_line(i, reader, body.shard);
      body.sources[from.file].bytes = body.shard.now().end;
      before = &from;
    }
    return body;
  }

 private:
  static bool is_same(const LineOrigin& a, const LineOrigin& b) {
    return a.file == b.file && a.offset == b.offset;
  }

  /// By file, as PartSet puts them, and place.
  void sort() {
    order_.resize(lines_.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
      const LineOrigin &x = origins_.lines[a], &y = origins_.lines[b];
      if (x.file != y.file)
        return std::filesystem::path(origins_.files[x.file]) <
               std::filesystem::path(origins_.files[y.file]);
      return x.offset < y.offset;
    });
  }

  static void begin(Shard& shard, const LineOrigin& from, bool is_first) {
    Stretch stretch;
    stretch.source = from.file;
    stretch.begin = stretch.end = from.offset;
    stretch.first_line = from.line;
    if (is_first)
      shard.now() = std::move(stretch);
    else
      shard.begin_stretch(std::move(stretch));
  }

  void read_line(uint32_t i, Reader& reader, Shard& shard) {
    constexpr std::string_view kMark = "\xef\xbb\xbf";  // of the byte order
    const LineOrigin& from = origins_.lines[i];
    std::string_view line = lines_[i];
    const bool is_whole = line.data() + line.size() < bytes_.data() + bytes_.size();
    shard.now().end += line.size() + (is_whole ? 1 : 0);
    const uint32_t number = from.line - shard.now().first_line + 1;
    ++shard.now().lines;
    Extent at{from.offset, 0, from.file, number};
    if (from.offset == 0 && line.starts_with(kMark)) {
      line.remove_prefix(kMark.size());
      at.offset += kMark.size();
    }
    reader.read_line(line, at, is_whole ? LineEnding::whole : LineEnding::torn);
  }

  std::string bytes_;
  Origins origins_;
  std::vector<std::string_view> lines_;
  std::vector<uint32_t> order_;
};

PartSource source_of(const Source& source, const PartOptions& options, bool listed) {
  PartSource known;
  known.path = options.name.empty() ? source.path : options.name;
  known.bytes = source.bytes;
  known.unpacked_bytes = source.unpacked_bytes;
  known.is_document = source.is_document;
  known.is_whole = true;
  known.listed = listed;
  return known;
}

/// Takes of the plan for a file what begins in the range.
Status narrow(Plan& plan, std::pair<uint64_t, uint64_t> range) {
  if (plan.inputs.empty()) return {};
  const Input& input = plan.inputs.front();
  if (plan.inputs.size() > 1) return fail(Exit::usage, "--range requires a single input file");
  if (input.ranges != nullptr)
    return fail(Exit::usage, "--range: the plan already selects the bytes; remove one of them");
  if (range.first >= input.bytes && range.first > 0)
    return fail(Exit::usage, fmt::format("--range: starts after the end of '{}' ({} bytes)",
                                         printable(input.path), input.bytes));
  const bool is_cut = range.first > 0 || range.second < input.bytes;
  const bool has_lines = input.seekable && input.compression == Compression::none &&
                         !input.unpacked && plan.pieces.front().framing == Framing::lines;
  if (is_cut && !has_lines)
    return fail(Exit::usage, fmt::format("{}: does not have one record per line, so no range can "
                                         "be read; make a part of the whole file, without --range",
                                         printable(input.path)));
  if (!is_cut) return {};
  std::vector<Piece> pieces;
  const uint64_t begin = plan.pieces.front().begin, last = std::min(range.second, input.bytes);
  for (uint64_t at = range.first; at < last; at += kPiece) {
    const uint64_t end = std::min(at + kPiece, last);
    // What precedes the first line is no line.
    if (at == 0)
      pieces.push_back({0, begin, std::max(end, begin + 1), Framing::lines, true});
    else
      pieces.push_back({0, at, end, Framing::lines, false});
  }
  plan.pieces = std::move(pieces);
  return {};
}

/// Equal values stay equal, and nobody learns what they are.
void seal_arguments(const Seal& seal, LoadOptions& loading) {
  loading.keep_arguments = true;
  loading.sealed_argument = [&seal](std::string_view value) {
    return "#" + hex(seal.hash(hash_of(value)));
  };
}

/// Nothing that could be read is lost because of what cannot.
Status check_all_read(const std::vector<Unread>& unread) {
  for (const Unread& one : unread)
    if (one.may_hold_records)
      return fail(Exit::input,
                  fmt::format("{}: {}", printable(one.paths.empty() ? "" : one.paths.front()),
                              printable(one.why)));
  return {};
}

}  // namespace

Result<PartMade> make_part(const std::vector<std::string>& paths, const LoadOptions& loading,
                           const PartOptions& options, const Seal& seal, Progress& progress) {
  PartWriter writer(seal, options.arguments);
  if (!options.origin.empty()) {
    Result<Origins> origins = read_origins(options.origin);
    if (!origins) return tl::unexpected(origins.error());
    Result<std::string> bytes = whole_file(paths.front());
    if (!bytes) return tl::unexpected(bytes.error());
    if (bytes->empty()) return writer.take();
    if (!origins->lines.empty()) {
      ScatteredLines lines(*std::move(bytes), *std::move(origins));
      if (Status sound = lines.check(paths.front()); !sound) return tl::unexpected(sound.error());
      LoadOptions reading = loading;
      if (options.arguments) seal_arguments(seal, reading);
      writer.add(lines.read(reading));
      return writer.take();
    }
  }
  Result<Found> found = find_inputs(paths);
  if (!found) return tl::unexpected(found.error());
  if (Status planned = read_plans(*found, loading.jobs); !planned)
    return tl::unexpected(planned.error());
  LoadOptions reading = loading;
  reading.passes_over = true;  // it is counted
  reading.piece_bytes = kPiece;
  reading.keep_digests = true;
  if (options.arguments) seal_arguments(seal, reading);
  Result<Plan> plan = make_plan(*std::move(found), reading, progress);
  if (!plan) return tl::unexpected(plan.error());
  if (options.range)
    if (Status narrowed = narrow(*plan, *options.range); !narrowed)
      return tl::unexpected(narrowed.error());
  Result<std::vector<Shard>> shards = read_plan(*plan, reading, progress);
  if (!shards) return tl::unexpected(shards.error());
  if (Status all = check_all_read(plan->unread); !all) return tl::unexpected(all.error());
  for (size_t i = 0; i < shards->size(); ++i) {
    const Piece& piece = plan->pieces[i];
    const Source& source = plan->sources[piece.source];
    PartBody body;
    body.sources = {source_of(source, options, plan->inputs[piece.source].listed)};
    body.shard = std::move((*shards)[i]);
    for (Stretch& stretch : body.shard.stretches()) stretch.source = 0;
    if (Stretch& stretch = body.shard.now(); piece.ranges.empty()) {
      stretch.begin = piece.is_first ? 0 : piece.begin;
      stretch.end = std::min(piece.end, source.bytes);
    }
    writer.add(std::move(body));
  }
  if (!plan->unread.empty()) {
    PartBody body;
    body.unread = plan->unread;
    writer.add(std::move(body));
  }
  return writer.take();
}

}  // namespace xtrace
