#include "input/growing/tail.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/text.h"
#include "input/bytes/compression.h"
#include "input/bytes/flow.h"
#include "input/bytes/unnamed_copy.h"
#include "input/common/values.h"

namespace xtrace {

namespace {

std::string head_of(const Generation& generation, uint64_t bytes, size_t most) {
  std::string head(std::min<uint64_t>(bytes, most), '\0');
  head.resize(read_at(generation.copy->fd(), head.data(), head.size(), 0).value_or(0));
  return head;
}

/// Does what is there tell how records stand in it, whatever follows?
bool tells_framing(std::string_view head) {
  size_t begin = head.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return false;
  size_t newline = head.find('\n', begin);
  std::string_view first = head.substr(begin, newline - begin);
  ValueScanner scanner;
  scanner.feed(first);
  if (newline == std::string_view::npos)  // one document on one line may lack its newline
    return scanner.closed() && sniff(head, true).framing != Framing::lines;
  bool more = head.find_first_not_of(" \t\r\n", newline) != std::string_view::npos;
  return more || scanner.closed() || (first.front() != '{' && first.front() != '[');
}

bool is_changed(const FileStatus& a, const FileStatus& b) {
  return a.bytes != b.bytes || a.changed != b.changed;
}

}  // namespace

Status Tail::read(Growth& growth) {
  if (before_)
    if (Status read = read_on(*before_, growth); !read) return read;
  if (now_)
    if (Status read = read_on(*now_, growth); !read) return read;
  return open_next(growth);
}

Status Tail::end(Growth& growth) {
  if (Status read = this->read(growth); !read) return read;
  if (before_)
    if (Status finished = finish(*before_, growth); !finished) return finished;
  if (now_)
    if (Status finished = finish(*now_, growth); !finished) return finished;
  return {};
}

/// Looks whether another file is at the path by now.
Status Tail::open_next(Growth& growth) {
  if (stream_ >= 0) {
    if (now_) return {};
    now_.emplace(Opened{File()});
    if (Status begun = begin(*now_); !begun) return begun;
    return read_on(*now_, growth);
  }
  const std::optional<FileStatus> status = file_status(path_);
  if (!status || !status->is_regular()) return {};
  if (now_ && status->id == now_->status.id) return {};
  File file = open_file(path_, Access::read);
  if (!file.is_open()) {
    if (!now_) return cannot("open", path_, errno);
    return {};  // it went away again, or comes with the next look
  }
  if (now_) {
    if (before_)
      if (Status finished = finish(*before_, growth); !finished) return finished;
    // What was written between the last look and the new file's coming.
    if (Status read = read_on(*now_, growth); !read) return read;
    before_ = std::move(now_);
  }
  now_.emplace(Opened{std::move(file)});
  if (Status begun = begin(*now_); !begun) return begun;
  return read_on(*now_, growth);
}

Status Tail::begin(Opened& opened) {
  Result<uint32_t> generation = generations_.add(argument_, path_);
  if (!generation) return tl::unexpected(generation.error());
  opened.generation = *generation;
  opened.read = opened.given = opened.scanned = 0;
  opened.lines = 0;
  opened.is_known = false;
  if (opened.file.is_open()) opened.status = file_status(opened.file.fd()).value_or(opened.status);
  return {};
}

Status Tail::read_on(Opened& opened, Growth& growth) {
  bool grew = false;
  if (opened.file.is_open()) {
    const std::optional<FileStatus> status = file_status(opened.file.fd());
    if (!status) return {};
    if (generations_[opened.generation].is_whole && opened.is_known)
      return is_changed(*status, opened.status) ? read_anew(opened, *status, growth) : Status();
    if (status->bytes < opened.read)
      if (Status restarted = restart(opened, growth); !restarted) return restarted;
    opened.status = *status;
    if (Status copied = copy(opened, grew); !copied) return copied;
  } else if (!ended_) {
    if (Status copied = read_stream(opened, grew); !copied) return copied;
  }
  if (!grew) return {};
  if (!opened.is_known) find_out(opened, false, growth);
  if (opened.is_known) give_lines(opened, growth);
  return {};
}

/// The file begins anew, and what it held goes: it is in no file that was named any more.
Status Tail::restart(Opened& opened, Growth& growth) {
  growth.notes.push_back(
      fmt::format("{} was truncated; reading it from the start again", printable(path_)));
  generations_[opened.generation].is_over = true;
  growth.over.push_back(opened.generation);
  return begin(opened);
}

Status Tail::copy(Opened& opened, bool& grew) {
  std::array<char, kBlock> block;
  for (;;) {
    const std::optional<size_t> count =
        read_at(opened.file.fd(), block.data(), block.size(), opened.read);
    if (!count) return cannot("read", path_, errno);
    if (*count == 0) return {};
    const std::string_view bytes(block.data(), *count);
    Status kept = append_to(*generations_[opened.generation].copy, bytes, path_);
    if (!kept) return kept;
    opened.read += bytes.size();
    grew = true;
  }
}

/// What a pipe has by now.
Status Tail::read_stream(Opened& opened, bool& grew) {
  std::array<char, kBlock> block;
  while (can_read(stream_)) {
    const std::optional<size_t> count = read_from(stream_, block.data(), block.size());
    if (!count && errno == EAGAIN) return {};
    if (!count) return cannot("read", path_, errno);
    if (*count == 0) {
      ended_ = true;
      return {};
    }
    const std::string_view bytes(block.data(), *count);
    grew = true;
    opened.read += bytes.size();
    Status kept = append_to(*generations_[opened.generation].copy, bytes, path_);
    if (!kept) return kept;
  }
  return {};
}

/// Are these lines, each a record, or one piece of JSON? `ended`: nothing follows.
void Tail::find_out(Opened& opened, bool ended, Growth& growth) {
  Generation& generation = generations_[opened.generation];
  std::string head = head_of(generation, opened.read, kSniffed);
  if (head.size() >= kSniffed && opened.read < kLineSniffed && !ended && wants_line(head)) {
    head = head_of(generation, opened.read, kLineSniffed);
    if (wants_line(head)) return;
  }
  if (!ended && head.size() < kSniffed && !tells_framing(head)) return;
  Sniffed sniffed = sniff(head, ended || opened.read == head.size());
  opened.is_known = true;
  generation.framing = sniffed.framing;
  bool is_packed = compression_of(head) != Compression::none;
  generation.is_whole = sniffed.framing != Framing::lines || is_packed;
  std::string_view why = sniffed.refused;
  if (is_packed) why = "archives do not grow; use `xtrace dag`";
  if (sniffed.hopeless && why.empty()) why = "not JSON";
  if (!why.empty()) growth.notes.push_back(fmt::format("{}: {}", printable(path_), why));
  opened.given = opened.scanned = sniffed.skip;
  if (!generation.is_whole || is_packed) return;
  generation.bytes = opened.read;
  growth.records.push_back({opened.generation, 0, 0, 0});
}

/// A document that grows or was written again; it may have become lines.
Status Tail::read_anew(Opened& opened, const FileStatus& status, Growth& growth) {
  generations_[opened.generation].is_over = true;
  growth.over.push_back(opened.generation);
  if (Status begun = begin(opened); !begun) return begun;
  opened.status = status;
  bool grew = false;
  if (Status copied = copy(opened, grew); !copied) return copied;
  if (!grew) return {};
  find_out(opened, false, growth);
  if (opened.is_known) give_lines(opened, growth);
  return {};
}

void Tail::give_lines(Opened& opened, Growth& growth) {
  Generation& generation = generations_[opened.generation];
  if (generation.is_whole) return;
  std::array<char, kBlock> block;
  while (opened.scanned < opened.read) {
    size_t room = std::min<uint64_t>(block.size(), opened.read - opened.scanned);
    const size_t count =
        read_at(generation.copy->fd(), block.data(), room, opened.scanned).value_or(0);
    if (count == 0) return;
    const std::string_view bytes(block.data(), count);
    uint64_t begin = opened.scanned;
    for (size_t at = bytes.find('\n'); at != std::string_view::npos;
         at = bytes.find('\n', at + 1)) {
      uint64_t end = begin + at;
      ++opened.lines;
      if (end > opened.given && end - opened.given < UINT32_MAX)
        growth.records.push_back({opened.generation, opened.lines, opened.given,
                                  static_cast<uint32_t>(end - opened.given)});
      opened.given = end + 1;
    }
    opened.scanned += bytes.size();
  }
  generation.bytes = opened.given;
}

Status Tail::finish(Opened& opened, Growth& growth) {
  if (opened.read == 0) return {};
  if (!opened.is_known) find_out(opened, true, growth);
  give_lines(opened, growth);
  Generation& generation = generations_[opened.generation];
  if (!generation.is_whole && opened.given < opened.read &&
      opened.read - opened.given < UINT32_MAX) {
    growth.records.push_back({opened.generation, ++opened.lines, opened.given,
                              static_cast<uint32_t>(opened.read - opened.given)});
    opened.given = opened.read;
  }
  if (!generation.is_whole) generation.bytes = opened.read;
  return {};
}

}  // namespace xtrace
