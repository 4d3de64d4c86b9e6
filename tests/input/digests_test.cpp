#include <signal.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <thread>

#include "base/sha256.h"
#include "made_log.h"
#include "reading.h"

using namespace xtrace;

namespace {

Result<Trace> load_with_digests(const std::vector<std::string>& paths, LoadOptions loading = {}) {
  loading.digests = true;
  Progress progress;
  return load(paths, loading, progress);
}

std::string digest_in(const Result<Trace>& trace, size_t source = 0) {
  return trace.value().sources.at(source).sha256;
}

}  // namespace

TEST_CASE("the digest of an input is that of its bytes, for any number of threads") {
  Folder folder;
  MadeLog first = make_log({}), second = make_log({.seed = 2});
  std::string a = folder.write("a.jsonl", first.text()), b = folder.write("b.jsonl", second.text());
  LoadOptions loading;
  loading.jobs = GENERATE(1u, 2u, 5u);
  loading.piece_bytes = GENERATE(0u, 100u, 5000u);
  Result<Trace> trace = load_with_digests({a, b}, loading);
  CHECK(digest_in(trace, 0) == sha256_of(first.text()));
  CHECK(digest_in(trace, 1) == sha256_of(second.text()));
}

TEST_CASE("a digest is told only if it was asked for") {
  CHECK(read_log(make_log({}).text()).sources.front().sha256.empty());
}

TEST_CASE("a pipe has the digest of all that came out of it, kept or not") {
  std::string log = make_log({}).text();
  LoadOptions loading;
  loading.rereads = GENERATE(false, true);
  Pipe pipe(log);
  Result<Trace> trace = load_with_digests({pipe.path()}, loading);
  CHECK(digest_in(trace) == sha256_of(log));
  CHECK(trace->sources.front().bytes == log.size());
}

TEST_CASE("a digest counts what is no record: a byte order mark, damage, what stands behind") {
  std::string document = "\xef\xbb\xbf{\"data\":[] , torn" + std::string(300'000, ' ') + "]";
  bool is_pipe = GENERATE(false, true);
  Folder folder;
  Pipe pipe(document);
  Result<Trace> trace =
      load_with_digests({is_pipe ? pipe.path() : folder.write("a.json", document)});
  CHECK(digest_in(trace) == sha256_of(document));
  CHECK(trace->sources.front().bytes == document.size());
}

TEST_CASE("every file that is read has a digest, an empty one too") {
  Folder folder;
  folder.write("logs/a.jsonl", make_log({}).text());
  folder.write("logs/b.jsonl", "");
  folder.write("logs/c.txt", "not a log");
  Result<Trace> trace = load_with_digests({folder.path() + "/logs"});
  CHECK(digest_in(trace, 1) == sha256_of(""));
  CHECK(trace->sources.size() == 2);
}
