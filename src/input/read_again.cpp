#include "input/read_again.h"

#include <simdjson.h>

#include <map>

#include "base/hash.h"
#include "input/plan.h"

namespace xtrace {

namespace {

/// Was it made a log where the part was made, and is only what it was made of here?
bool is_made(const Source& source) {
  return source.from_part && source.unpacked_bytes && source.file == nullptr;
}

}  // namespace

std::shared_ptr<const File> ReadAgain::file_of(uint32_t number) {
  const Source& source = trace_->sources[number];
  if (!is_made(source)) return source.file;
  auto [made, is_new] = made_.try_emplace(number);
  if (is_new) made->second = made_again(source.original, *source.unpacked_bytes);
  return made->second;
}

std::optional<std::string_view> ReadAgain::read(const Extent& place) {
  const Source& source = trace_->sources[place.file];
  if (!source.seekable) return std::nullopt;  // opening a pipe again would wait for another writer
  const std::shared_ptr<const File> file = file_of(place.file);
  const bool is_opened = file != nullptr || is_made(source);
  Result<File> opened =
      is_opened ? File() : open_regular(source.original.empty() ? source.path : source.original);
  const int fd = file != nullptr ? file->fd() : !is_opened && opened ? opened->fd() : -1;
  // What follows the record may be anything, so nothing is cleared for it.
  if (const size_t room = place.length + simdjson::SIMDJSON_PADDING; bytes_.size() < room)
    bytes_.resize(room);
  const std::optional<size_t> count = read_at(fd, bytes_.data(), place.length, place.offset);
  const std::string_view read = std::string_view(bytes_).substr(0, place.length);
  const bool is_it = fd >= 0 && count == place.length && place.is_still(sample_hash_of(read));
  if (!is_it) changed_.insert(place.file);
  return is_it ? std::optional(read) : std::nullopt;
}

void complain_of_rewritten(Trace& trace, const std::set<uint32_t>& may_be) {
  if (may_be.empty()) return;
  ReadAgain again(trace);
  std::map<uint32_t, Extent> first;
  auto look = [&](const Extent& place) {
    if (!may_be.contains(place.file) || again.read(place)) return;
    auto [known, is_new] = first.emplace(place.file, place);
    if (!is_new && place.offset < known->second.offset) known->second = place;
  };
  for (const Call& call : trace.calls) look(call.source);
  for (const Span& span : trace.spans) look(span.source);
  for (const auto& [source, place] : first)
    trace.complaints.push_back({place, "the input has changed since it was read; run xtrace again",
                                Complaint::Kind::damaged});
}

}  // namespace xtrace
