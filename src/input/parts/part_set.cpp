#include "input/parts/part_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "base/system.h"
#include "base/text.h"
#include "input/plan.h"

namespace xtrace {

namespace {

tl::unexpected<Error> no_answer(std::string what) {
  return fail(Exit::input, std::move(what));
}

std::string words_of(const std::string& path, uint64_t begin, uint64_t end) {
  return end == Stretch::kToTheEnd ? printable(path)
                                   : fmt::format("{}: bytes {}-{}", printable(path), begin, end);
}

/// Can who goes back to what was read find it? Parts without a key know what was at a place.
bool is_here(const PartSource& known) {
  const std::optional<FileStatus> status = file_status(known.path);
  if (!status || !status->is_regular()) return false;
  // An archive would have to be unpacked to go back to it; what is made a log is small.
  if (known.unpacked_bytes && !is_made_log(known.path)) return false;
  return known.is_whole ? status->bytes == known.bytes : status->bytes + 1 >= known.bytes;
}

/// Where the log is here.
std::string moved(const std::string& path, const PartSet::Roots& roots) {
  for (const auto& [from, to] : roots) {
    if (!path.starts_with(from)) continue;
    const std::string_view rest = std::string_view(path).substr(from.size());
    if (rest.empty() || from.ends_with('/') || rest.starts_with('/')) return to + std::string(rest);
  }
  return path;
}

Source source_of(PartSource known, bool is_keyed, const PartSet::Roots& roots) {
  known.path = moved(known.path, roots);
  Source source;
  source.path = known.shown;
  source.original = known.path;
  source.bytes = known.bytes;
  source.unpacked_bytes = known.unpacked_bytes;
  source.is_document = known.is_document;
  source.seekable = !is_keyed && is_here(known);
  source.from_part = true;
  return source;
}

}  // namespace

/// As files of a folder stand.
bool PartSet::Order::operator()(const std::string& a, const std::string& b) const {
  return std::filesystem::path(a) < std::filesystem::path(b) ||
         (std::filesystem::path(a) == std::filesystem::path(b) && a < b);
}

Status PartSet::know(const PartSource& source, const std::string& path) {
  auto [at, is_new] = known_.try_emplace(source.path);
  Known& known = at->second;
  if (is_new) {
    known.source = source;
    return {};
  }
  if (!known.read_here.empty() || source.is_document != known.source.is_document)
    return no_answer(fmt::format(
        "{}: {} is covered twice, by this part and by {}", printable(path), printable(source.path),
        known.read_here.empty() ? "a part that reads it as another kind of file" : "itself"));
  known.source.bytes = std::max(known.source.bytes, source.bytes);
  known.source.is_whole |= source.is_whole;
  known.source.listed |= source.listed;
  return {};
}

Status PartSet::add(FactsPart part, const std::string& path) {
  std::vector<PackedShard> shards = std::move(part.shards);
  part.shards.clear();
  if (Status joined = join_parts(std::move(part), path, head_); !joined) return joined;
  for (const PackedShard& packed : shards) {
    std::optional<PartBody> body = StoredShard::read(packed.bytes);
    if (!body) return no_answer(not_of_this_version(path));
    for (const PartSource& source : body->sources)
      if (Status sound = know(source, path); !sound) return sound;
    take(*std::move(body), path);
  }
  return {};
}

void PartSet::take(PartBody body, const std::string& path) {
  for (Unread& unread : body.unread) unread_.push_back(std::move(unread));
  if (body.shard.stretches().empty()) return;
  const size_t shard = shards_.size();
  for (size_t i = 0; i < body.shard.stretches().size(); ++i)
    known_.at(body.sources[body.shard.stretches()[i].source].path).stretches.push_back({shard, i});
  shards_.push_back(std::move(body.shard));
  paths_.push_back(path);
}

Status PartSet::add(const PartSource& source, const Source& told, std::vector<Shard> shards) {
  auto [at, is_new] = known_.try_emplace(source.path);
  if (!is_new)
    return no_answer(
        fmt::format("{}: also covered by a part; pass only one of them", printable(source.path)));
  at->second.source = source;
  at->second.told = &told;
  at->second.read_here = source.path;
  for (Shard& shard : shards) {
    for (size_t i = 0; i < shard.stretches().size(); ++i)
      at->second.stretches.push_back({shards_.size(), i});
    shards_.push_back(std::move(shard));
    paths_.push_back(source.path);
  }
  return {};
}

void PartSet::note_missing(const Known& known, uint64_t begin, uint64_t end) {
  used_.missing.push_back(words_of(known.source.shown, begin, end));
  used_.bytes_missing += end - begin;
}

Status PartSet::settle(Known& known) {
  auto key = [&](const At& one) {
    const Stretch& stretch = at(one);
    return std::tuple(stretch.begin, stretch.end, stretch.digest, one.shard, one.stretch);
  };
  std::sort(known.stretches.begin(), known.stretches.end(),
            [&](const At& a, const At& b) { return key(a) < key(b); });
  uint64_t end = 0;
  bool knows_line = true;
  const At* last = nullptr;
  for (const At& one : known.stretches) {
    Stretch& stretch = at(one);
    if (last != nullptr && stretch.begin == at(*last).begin && stretch.end == at(*last).end &&
        stretch.digest == at(*last).digest) {
      stretch.is_again = true;
      stretch.has_lines = at(*last).has_lines;
      continue;
    }
    if (stretch.begin < end)
      return no_answer(
          fmt::format("{} and {} cover the same bytes of {}, but with different cuts or text; make "
                      "parts of ranges that do not overlap, from a file that is not being written",
                      printable(paths_[last->shard]), printable(paths_[one.shard]),
                      words_of(known.source.path, stretch.begin, std::min(end, stretch.end))));
    if (stretch.begin > end) {
      if (!known.is_planned) note_missing(known, end, stretch.begin);
      knows_line = false;
    }
    knows_line |= stretch.first_line > 0;
    stretch.has_lines = knows_line;
    known.source.is_document |= !knows_line;  // places in it are bytes
    end = stretch.end;
    last = &one;
    if (!known.is_planned) ++used_.used;
  }
  if (!known.is_planned && known.source.is_whole && known.read_here.empty() &&
      end < known.source.bytes)
    note_missing(known, end, known.source.bytes);
  return {};
}

/// Paths as they are from everywhere.
std::string PartSet::whole_path(const std::string& path) {
  std::error_code error;
  return std::filesystem::absolute(path, error).lexically_normal().string();
}

/// By its path, wherever one starts from; else the only one of that name and size.
PartSet::Known* PartSet::find(const std::string& path, const PlannedLog& log) {
  if (const auto at = known_.find(path); at != known_.end()) return &at->second;
  const auto name_of = [](const std::string& of, uint64_t bytes) {
    return std::pair(std::filesystem::path(of).filename().string(), bytes);
  };
  if (by_whole_path_.empty())
    for (auto& [name, known] : known_) {
      by_whole_path_.emplace(whole_path(name), &known);
      const auto [alike, is_new] = by_name_.emplace(name_of(name, known.source.bytes), &known);
      if (!is_new) alike->second = nullptr;
    }
  for (const std::string& there : {path, log.beside})
    if (const auto at = by_whole_path_.find(whole_path(there));
        !there.empty() && at != by_whole_path_.end())
      return at->second;
  const auto alike = by_name_.find(name_of(path, log.bytes));
  return alike == by_name_.end() ? nullptr : alike->second;
}

/// Each range is there or is not; of one that is there in part it is told which bytes lack.
void PartSet::hold_against(const std::string& path, const PlannedLog& log) {
  const Known* known = find(path, log);
  const std::string& name = known != nullptr ? known->source.shown : path;
  if (known == nullptr || known->stretches.empty()) {
    for (const LineRange& range : log.ranges) {
      const bool is_all = range.begin == 0 && range.end == log.bytes;
      used_.missing.push_back(words_of(name, range.begin, is_all ? Stretch::kToTheEnd : range.end));
      used_.bytes_missing += range.end - range.begin;
    }
    return;
  }
  for (const LineRange& range : log.ranges) {
    uint64_t at = range.begin;
    std::string lacks;
    const auto note = [&](uint64_t end) {
      lacks += (lacks.empty() ? words_of(name, at, end) : fmt::format(" and {}-{}", at, end));
      used_.bytes_missing += end - at;
    };
    for (const At& one : known->stretches) {
      const Stretch& stretch = shards_[one.shard].stretches()[one.stretch];
      if (stretch.end <= at || stretch.begin >= range.end) continue;
      if (stretch.begin > at) note(stretch.begin);
      at = std::max(at, stretch.end);
    }
    if (at < range.end) note(range.end);
    if (lacks.empty())
      ++used_.used;
    else
      used_.missing.push_back(std::move(lacks));
  }
}

Status PartSet::settle(bool allow_missing, const Manifest& manifest, const Roots& roots) {
  for (const auto& [path, log] : manifest)
    if (Known* known = find(path, log); known != nullptr) known->is_planned = true;
  for (auto& [path, known] : known_) {
    if (Status sound = settle(known); !sound) return sound;
    for (const At& one : known.stretches) at(one).source = static_cast<uint32_t>(sources_.size());
    sources_.push_back(known.told != nullptr ? *known.told
                                             : source_of(known.source, head_.is_keyed, roots));
    is_listed_.push_back(known.source.listed);
  }
  for (const auto& [path, log] : manifest) hold_against(path, log);
  if (used_.missing.empty() || allow_missing) return {};
  constexpr size_t kNamed = 5;
  std::string what =
      fmt::format("{} of the inputs not covered by the given parts ({} bytes)",
                  used_.missing.size() == 1 ? "a range" : "ranges", used_.bytes_missing);
  for (size_t i = 0; i < std::min(used_.missing.size(), kNamed); ++i)
    what += fmt::format("{} {}", i == 0 ? ":" : ",", used_.missing[i]);
  if (used_.missing.size() > kNamed)
    what += fmt::format(" and {} more", used_.missing.size() - kNamed);
  return no_answer(what + "; make the missing part, or use --allow-missing");
}

}  // namespace xtrace
