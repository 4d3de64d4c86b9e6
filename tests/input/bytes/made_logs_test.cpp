#include <catch2/catch.hpp>

#include "base/sha256.h"
#include "packed.h"
#include "reading.h"

using namespace xtrace;

// What is no log and is made one is read alike where it lies, packed and from a pipe.

namespace {

const std::string kHistory =
    "# aider chat started at 2026-01-01 10:00:00\n\n#### look  \n\nI look.\n\n"
    "> Tokens: 1,200 sent, 90 received.  \n";

Trace load_made(const std::string& path, bool rereads) {
  Progress progress;
  LoadOptions loading;
  loading.digests = true;
  loading.rereads = rereads;
  return load({path}, loading, progress).value();
}

void check(const Trace& trace, const std::string& on_disk) {
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls[0].tokens.input == 1200);
  CHECK(trace.calls[0].source.line == 5);
  const Source& source = trace.sources.at(0);
  CHECK(source.format == "aider");
  CHECK(source.bytes == on_disk.size());
  CHECK(source.sha256 == sha256_of(on_disk));
  CHECK(complaints_of(trace).empty());
}

}  // namespace

TEST_CASE("the history of aider is read packed, named or below a folder, and from a pipe") {
  const bool rereads = GENERATE(true, false);
  Folder folder;
  for (const std::string& bytes : {kHistory, gzipped(kHistory), zstd_packed(kHistory)}) {
    const std::string path = folder.write("h/history.md.x", bytes);
    check(load_made(path, rereads), bytes);
    check(load_made(folder.path() + "/h", rereads), bytes);
    Pipe pipe(bytes);
    check(load_made(pipe.path(), rereads), bytes);
  }
}

TEST_CASE("a packed history of aider that is cut off is read as far as it goes, which is told") {
  std::string history = kHistory + "\n";
  for (int i = 0; i < 20'000; ++i) history += "word" + std::to_string(i * 7919 % 10007) + "\n";
  const std::string packed = gzipped(history);
  Folder folder;
  const Trace trace = load_made(folder.write("history.md.gz", packed.substr(0, packed.size() / 2)),
                                GENERATE(true, false));
  CHECK(trace.calls.size() == 2);
  CHECK_FALSE(complaints_of(trace).empty());
}
