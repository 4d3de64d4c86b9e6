#include <sys/resource.h>

#include <catch2/catch.hpp>

#include "base/sha256.h"
#include "made_log.h"
#include "packed.h"
#include "reading.h"
#include "story.h"

using namespace xtrace;

namespace {

std::string ids_in(const Trace& trace) {
  std::string ids;
  for (const Call& call : trace.calls)
    ids += (ids.empty() ? "" : " ") + std::string(trace[call.id]);
  return ids;
}

std::string log_of(const std::string& call) {
  CallStory story;
  story.call(call);
  return story.log();
}

/// As gzip or zstd pack it, and as their users put it together.
std::string packed(const std::string& log, int how) {
  size_t middle = log.find('\n', log.size() / 2) + 1;
  std::string first = log.substr(0, middle), second = log.substr(middle);
  switch (how) {
    case 0: return gzipped(log);
    case 1: return gzipped(first) + gzipped(second);
    case 2: return gzipped(log) + std::string(700, '\0');
    case 3: return zstd_packed(log);
    case 4: return zstd_packed(first, 27) + zstd_packed(second, 31);
    default:  // a frame for others to skip, before and behind
      return "\x53\x2a\x4d\x18" + std::string("\5\0\0\0words", 9) + zstd_packed(log, 28) +
             std::string("\x50\x2a\x4d\x18\0\0\0\0", 8);
  }
}

Result<Trace> load_paths(const std::vector<std::string>& paths, const LoadOptions& loading = {}) {
  Progress progress;
  return load(paths, loading, progress);
}

LoadOptions keeping(bool rereads) {
  LoadOptions loading;
  loading.rereads = rereads;
  loading.digests = true;
  loading.jobs = 2;
  loading.piece_bytes = 5000;
  return loading;
}

constexpr std::string_view kDamage = "the archive is damaged or cut off here (";

}  // namespace

TEST_CASE("a packed log is read as if it were not packed, from a file or a pipe") {
  std::string log = make_log({}).text(), archive = packed(log, GENERATE(0, 1, 2, 3, 4, 5));
  bool is_pipe = GENERATE(false, true);
  LoadOptions loading = keeping(GENERATE(false, true));
  Folder folder;
  Pipe pipe(archive);
  Trace plain = read_log(log, loading);
  Trace trace =
      load_paths({is_pipe ? pipe.path() : folder.write("any.name", archive)}, loading).value();
  REQUIRE(plain.calls.size() > 20);
  CHECK(ids_in(trace) == ids_in(plain));
  CHECK(complaints_of(trace) == complaints_of(plain));
  CHECK(trace.calls.back().source.line == plain.calls.back().source.line);
  CHECK(trace.calls.back().source.offset == plain.calls.back().source.offset);
  CHECK(trace.sources.front().bytes == archive.size());
  CHECK(trace.sources.front().unpacked_bytes == log.size());
  CHECK(trace.sources.front().sha256 == sha256_of(archive));
  CHECK(trace.sources.front().seekable == loading.rereads);
  CHECK_FALSE(plain.sources.front().unpacked_bytes);
}

TEST_CASE("a packed document is read as well, also behind a byte order mark") {
  std::string pretty = "\xef\xbb\xbf[\n" + log_of("a") + ",\n" + log_of("b") + "\n]\n";
  Folder folder;
  CHECK(ids_in(load_paths({folder.write("a", zstd_packed(pretty))}).value()) == "a b");
  CHECK(ids_in(load_paths({folder.write("b", gzipped("\xef\xbb\xbf" + log_of("c")))}).value()) ==
        "c");
}

TEST_CASE("of an archive that is cut off, all that stands before is used, and it is said") {
  std::string log = make_log({}).text();
  std::string whole_ids = ids_in(read_log(log));
  std::string archive = packed(log, GENERATE(0, 1, 3, 4));
  LoadOptions loading = keeping(GENERATE(false, true));
  size_t most = 0;
  for (size_t length = 5; length < archive.size(); length += archive.size() / 12 + 1) {
    CAPTURE(length);
    Trace trace = read_log(archive.substr(0, length), loading);
    std::string ids = ids_in(trace);
    most = std::max(most, trace.calls.size());
    CHECK(whole_ids.starts_with(ids));
    bool parts_are_whole = complaints_of(trace).find("archive") == std::string::npos;
    if (parts_are_whole) CHECK(ids.size() < whole_ids.size());
    CHECK(trace.complaints.back().what.starts_with(kDamage));
    CHECK(complaints_of(trace).find("the last line is incomplete") == std::string::npos);
    CHECK(trace.sources.front().skipped > 0);
    CHECK(trace.sources.front().bytes == length);
  }
  CHECK(most > 0);
}

TEST_CASE("damage in an archive is named with its place and what the library says") {
  std::string log = log_of("a") + log_of("b"), archive = gzipped(log);
  archive[archive.size() - 8] ^= 1;  // its checksum
  Trace trace = read_log(archive);
  CHECK(ids_in(trace) == "a b");
  CHECK(complaints_of(trace) == "damaged 2: " + std::string(kDamage) +
                                    "gzip: incorrect data check); the content before it is used");
  archive = zstd_packed(log);
  archive.back() ^= 1;
  CHECK(complaints_of(read_log(archive)).find("zstd: Restored data doesn't match checksum") !=
        std::string::npos);
  trace = read_log(gzipped(log) + "and more");
  CHECK(ids_in(trace) == "a b");
  CHECK(complaints_of(trace).find("the data after the compressed log is not gzip") !=
        std::string::npos);
  trace = read_log(zstd_packed(log) + "and more");
  CHECK(ids_in(trace) == "a b");
  CHECK(complaints_of(trace).find("the data after the compressed log is not zstd") !=
        std::string::npos);
}

TEST_CASE("an archive of which nothing comes out is damage, not silence") {
  for (const char* head : {"\x1f\x8b\x08rest", "\x28\xb5\x2f\xfdrest", "\x1f\x8b"}) {
    Trace trace = read_log(head);
    CHECK(trace.calls.empty());
    CHECK(trace.sources.front().skipped == 1);
  }
  CHECK(read_log(gzipped("")).sources.front().skipped == 0);
}

TEST_CASE("a bomb is refused, wherever it unpacks to") {
  constexpr size_t kSize = 70 << 20;
  int kind = GENERATE(0, 1, 2, 3);
  std::string record = log_of("a"), many;
  if (kind == 3)
    while (many.size() < kSize) many += record;
  std::string bomb = kind == 0   ? gzipped(std::string(kSize, '\0'))
                     : kind == 1 ? gzipped(std::string(kSize, '\n'))
                     : kind == 2 ? zstd_packed(record + std::string(kSize, ' '))
                                 : zstd_packed(many);
  LoadOptions loading = keeping(GENERATE(false, true));
  Folder folder;
  std::string path = folder.write("logs/b.gz", bomb);
  folder.write("logs/a.jsonl", log_of("z"));
  Result<Trace> named = load_paths({path}, loading);
  REQUIRE_FALSE(named);
  CHECK(named.error().exit == Exit::input);
  CHECK(named.error().what.starts_with(path + ": "));
  CHECK(named.error().what.find("like a decompression bomb; if you trust it, unpack it yourself "
                                "(") != std::string::npos);
  Trace below = load_paths({folder.path() + "/logs"}, loading).value();
  CHECK(ids_in(below) == "z");
  // Whose beginning is no log is not unpacked for longer than that, unless it is kept.
  bool begins_like_a_log = kind >= 2;
  if (begins_like_a_log || loading.rereads) {
    CHECK(passed_over(below).find("like a decompression bomb") != std::string::npos);
    CHECK(below.unread.front().may_hold_records);
  } else {
    CHECK(passed_over(below) == "1 not JSON: b.gz");
  }
}

TEST_CASE("a window of more than 2 GB is refused, whatever stands behind it") {
  std::string head("\x28\xb5\x2f\xfd\x00\xb0", 6);  // 2 to the power of 10 + 0xb0 / 8
  Result<Trace> trace = load_log(head + std::string(100, 'x'));
  REQUIRE_FALSE(trace);
  CHECK(trace.error().what.find("takes more than 2 GB of memory; if you trust it, unpack it") !=
        std::string::npos);
}

TEST_CASE("hundreds of archives are read with a few files open at a time") {
  Folder folder;
  for (int i = 0; i < 300; ++i) {
    std::string name = "c" + std::to_string(1000 + i);
    int window_bits = i % 50 == 1 ? 31 : 20;  // the large ones, one of which is read at a time
    folder.write("logs/" + name,
                 i % 2 == 0 ? gzipped(log_of(name)) : zstd_packed(log_of(name), window_bits));
  }
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit few{64, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &few);
  LoadOptions loading;
  loading.jobs = 4;
  Result<Trace> trace = load_paths({folder.path() + "/logs"}, loading);
  setrlimit(RLIMIT_NOFILE, &before);
  REQUIRE(trace);
  CHECK(trace->calls.size() == 300);
  CHECK(complaints_of(*trace) == "");
}

TEST_CASE("progress counts an archive by its bytes on disk") {
  std::string archive = gzipped(make_log({}).text());
  Memory memory(archive);
  Progress progress;
  REQUIRE(load({memory.path()}, {}, progress));
  CHECK(progress.bytes == archive.size());
  CHECK(progress.total == archive.size());
  CHECK(progress.files == 1);
}

TEST_CASE("archives in archives and of other programs are refused by name, with the way out") {
  auto error = [](const std::string& bytes) {
    Result<Trace> trace = load_log(bytes);
    return trace ? "none" : trace.error().what;
  };
  CHECK(error(gzipped(gzipped(log_of("a")))).find("unpack the outer one") != std::string::npos);
  CHECK(error("\xfd\x37zXZ rest").find("xz -dc FILE | xtrace dag -") != std::string::npos);
  CHECK(error("BZh91AY").find("bzip2 -dc FILE") != std::string::npos);
  CHECK(error("PK\x03\x04rest").find("zip archive") != std::string::npos);
  CHECK(error(gzipped("a.jsonl" + std::string(250, '\0') + "ustar")).find("a tar archive") !=
        std::string::npos);
}
