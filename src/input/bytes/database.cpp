#include "input/bytes/database.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "base/system_mapping.h"
#include "base/text.h"
#include "input/bytes/flow.h"
#include "input/bytes/unnamed_copy.h"
#include "sqlite/session_store.h"

namespace xtrace {

namespace {

uint32_t big_endian(const unsigned char* bytes) {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
}

/// The sums by which a write-ahead log says where it ends: https://sqlite.org/fileformat2.html,
/// "Checksum Algorithm".
struct LogSum {
  bool is_big_endian = false;
  uint32_t first = 0, second = 0;

  uint32_t word(const unsigned char* bytes) const {
    return is_big_endian ? big_endian(bytes)
                         : uint32_t{bytes[3]} << 24 | uint32_t{bytes[2]} << 16 |
                               uint32_t{bytes[1]} << 8 | bytes[0];
  }
  void add(const unsigned char* bytes, size_t size) {
    for (size_t at = 0; at + 8 <= size; at += 8) {
      first += word(bytes + at) + second;
      second += word(bytes + at + 4) + first;
    }
  }
  bool is(const unsigned char* stored) const {
    return big_endian(stored) == first && big_endian(stored + 4) == second;
  }
};

bool read_all(int fd, unsigned char* to, size_t size, uint64_t at) {
  return read_at(fd, reinterpret_cast<char*>(to), size, at) == size;
}

/// Puts the pages that were committed to the log into the copy. False: the copy cannot be written.
bool apply_log(int log, int copy) {
  constexpr size_t kHead = 32, kFrameHead = 24;
  unsigned char head[kHead];
  if (!read_all(log, head, kHead, 0) || (big_endian(head) & ~1u) != 0x377f0682) return true;
  const size_t page = big_endian(head + 8);
  LogSum sum;
  sum.is_big_endian = (big_endian(head) & 1) != 0;
  sum.add(head, 24);
  if (!sum.is(head + 24) || page < 512 || page > 65536) return true;
  struct Frame {
    uint32_t page;
    uint64_t at;
  };
  std::vector<Frame> open;  // since the last commit
  std::vector<unsigned char> bytes(kFrameHead + page);
  for (uint64_t at = kHead; read_all(log, bytes.data(), bytes.size(), at); at += bytes.size()) {
    if (std::memcmp(bytes.data() + 8, head + 16, 8) != 0) break;  // of a log before this one
    sum.add(bytes.data(), 8);
    sum.add(bytes.data() + kFrameHead, page);
    if (!sum.is(bytes.data() + 16)) break;
    open.push_back({big_endian(bytes.data()), at + kFrameHead});
    const uint32_t pages = big_endian(bytes.data() + 4);
    if (pages == 0) continue;  // more belongs to this transaction
    std::string content(page, '\0');
    for (const Frame& frame : open) {
      if (frame.page == 0 || read_at(log, content.data(), page, frame.at) != page) break;
      if (!write_at(copy, content, uint64_t{frame.page - 1} * page)) return false;
    }
    open.clear();
    if (!resize_file(copy, uint64_t{pages} * page)) return false;
  }
  return true;
}

Status copy_all(int from, const File& to, const std::string& path) {
  std::vector<char> block(kBlock);
  for (uint64_t at = 0;;) {
    const std::optional<size_t> count = read_at(from, block.data(), block.size(), at);
    if (!count) return cannot("read", path, errno);
    if (*count == 0) return {};
    at += *count;
    if (Status kept = append_to(to, {block.data(), *count}, path); !kept) return kept;
  }
}

/// What shows that a log was begun anew, or the database written to without one.
struct State {
  std::array<unsigned char, 32> log_head{};
  bool has_log = false, has_journal = false;
  FileTime changed;

  bool operator==(const State& other) const {
    if (has_log != other.has_log || has_journal || other.has_journal) return false;
    // With a log all that was written to the database meanwhile is in the log too.
    return has_log ? log_head == other.log_head : changed == other.changed;
  }
};

State state_of(int database, const std::string& path) {
  State state;
  if (const std::optional<FileStatus> status = file_status(database))
    state.changed = status->changed;
  Result<File> log = open_regular(path + "-wal");
  state.has_log = log && read_all(log->fd(), state.log_head.data(), state.log_head.size(), 0);
  const std::optional<FileStatus> journal = file_status(path + "-journal");
  state.has_journal = journal && journal->bytes > 0;
  return state;
}

/// A copy that nobody writes to, as of one moment.
Result<File> consistent_copy(int database, const std::string& path) {
  constexpr int kTries = 20;
  for (int i = 0; i < kTries; ++i) {
    if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const State before = state_of(database, path);
    Result<File> copy = create_unnamed_file(path);
    if (!copy) return copy;
    if (Status copied = copy_all(database, *copy, path); !copied)
      return tl::unexpected(copied.error());
    if (before.has_log) {
      Result<File> log = open_regular(path + "-wal");
      if (!log) continue;
      if (!apply_log(log->fd(), copy->fd()))
        return fail(Exit::input, fmt::format("cannot keep a copy of '{}': {}", printable(path),
                                             std::strerror(errno)));
    }
    if (state_of(database, path) == before) return copy;
  }
  return fail(Exit::input,
              fmt::format("{}: is being written continuously; run xtrace again", printable(path)));
}

/// All of the copy, without the mark that a log is beside it.
Result<Mapping> mapped(const File& copy, const std::string& path) {
  constexpr uint64_t kVersions = 18;  // of the format that writers and readers have to know
  Mapping mapping;
  if (write_at(copy.fd(), "\1\1", kVersions))
    if (const std::optional<FileStatus> status = file_status(copy.fd()))
      mapping = Mapping(copy.fd(), status->bytes);
  if (mapping.size() == 0) return cannot("read", path, errno);
  return mapping;
}

}  // namespace

bool is_database(std::string_view head) {
  return head.starts_with(std::string_view("SQLite format 3\0", kDatabaseHead));
}

std::optional<Error> unpack_database(Input& input, const File& file) {
  Result<File> copy = consistent_copy(file.fd(), input.path);
  if (!copy) return copy.error();
  Result<File> log = create_unnamed_file(input.path);
  if (!log) return log.error();
  uint64_t bytes = 0;
  Result<Mapping> whole = mapped(*copy, input.path);
  if (!whole) return whole.error();
  Status read = read_session_store({whole->start(), whole->size()}, input.path,
                                   [&](std::string_view session) {
                                     std::string line(session);
                                     std::replace(line.begin(), line.end(), '\n', ' ');
                                     line += '\n';
                                     bytes += line.size();
                                     return append_to(*log, line, input.path);
                                   });
  if (!read) return read.error();
  read_in_place_of(input, *std::move(log), bytes);
  return {};
}

}  // namespace xtrace
