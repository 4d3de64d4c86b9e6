#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>
#include <thread>

#include "base/file.h"
#include "input/file_payloads.h"
#include "input/read_again.h"
#include "load_while.h"
#include "reading.h"
#include "reread.h"
#include "story.h"

using namespace xtrace;

namespace {

/// The log after something happened to it, behind a pipe.
template <class Happens>
Trace read_while(const Folder& folder, const std::vector<std::string>& logs, Happens happens,
                 const LoadOptions& loading = {}) {
  constexpr std::string_view kRecord = "{\"id\":\"z\",\"body\":{\"messages\":[]}}\n";
  return load_while(folder, logs, kRecord, happens, loading).value();
}

/// What is wrong with the log, not with the pipe.
std::string complaints_of_log(Trace& trace) {
  std::erase_if(trace.complaints, [](const Complaint& one) { return one.at.file == 0; });
  return complaints_of(trace);
}

std::string log_of(size_t calls, char text = 'x') {
  CallStory story;
  for (size_t i = 0; i < calls; ++i)
    story.call("c" + std::to_string(i)).answers(std::string(4000, text));
  return story.log();
}

Trace read_file(const std::string& path) {
  Progress progress;
  return load({path}, {}, progress).value();
}

}  // namespace

TEST_CASE("of a file that becomes shorter while it is read, what was read is used, and that told") {
  size_t calls = GENERATE(20u, 1500u);  // read in blocks, or mapped
  bool named = GENERATE(true, false);
  unsigned jobs = GENERATE(1u, 3u);
  Folder folder;
  std::string log = log_of(calls), path = folder.write("logs/a.jsonl", log);
  size_t end = log.find('\n', log.size() / 2) + 1;  // between two records
  LoadOptions loading;
  loading.jobs = jobs;
  loading.digests = true;
  Trace trace = read_while(
      folder, {named ? path : folder.path() + "/logs"},
      [&] { std::filesystem::resize_file(path, end); }, loading);
  size_t whole =
      static_cast<size_t>(std::count(log.begin(), log.begin() + static_cast<ptrdiff_t>(end), '\n'));
  CHECK(trace.calls.size() == whole + 1);
  CHECK_THAT(complaints_of_log(trace),
             Catch::Contains("was truncated while it was read; the content read so far is used"));
  CHECK(trace.sources[1].skipped >= 1);
  CHECK(trace.sources[1].sha256.empty());
}

TEST_CASE("a file that another takes the place of, or that is removed, is read to its end") {
  bool removed = GENERATE(true, false);
  Folder folder;
  std::string log = log_of(20), path = folder.write("a.jsonl", log);
  Trace trace = read_while(folder, {path}, [&] {
    if (removed)
      std::filesystem::remove(path);
    else
      std::filesystem::rename(folder.write("new", log_of(3, 'y')), path);
  });
  CHECK(trace.calls.size() == 21);
  CHECK(complaints_of_log(trace).empty());
  ReadAgain again(trace);
  for (const Call& call : trace.calls)
    if (call.source.file == 1) CHECK(again.read(call.source));
}

TEST_CASE("a file that is rewritten in place is told to be") {
  size_t calls = GENERATE(20u, 1500u);
  Folder folder;
  std::string path = folder.write("a.jsonl", log_of(calls));
  Trace trace = read_file(path);
  CHECK(complaints_of(trace).empty());
  folder.write("a.jsonl", log_of(calls, 'y'));
  complain_of_rewritten(trace, {0});
  CHECK(complaints_of(trace) ==
        "damaged 1: the input has changed since it was read; run xtrace again");
}

TEST_CASE("a text is read again only while what was read stands there") {
  Folder folder;
  std::string log = log_of(3), path = folder.write("a.jsonl", log);
  Trace trace = read_file(path);
  Reread reread(trace);
  CHECK(reread.read(trace.calls[1]).answer == std::string(4000, 'x'));
  SECTION("it was rewritten") {
    folder.write("a.jsonl", log_of(3, 'y'));
  }
  SECTION("it was cut") {
    std::filesystem::resize_file(path, log.size() / 2);
  }
  SECTION("one byte changed") {
    log[log.size() / 2] = 'y';
    folder.write("a.jsonl", log);
  }
  CHECK(reread.read(trace.calls[1]).answer.empty());
  CHECK(file_payloads(trace)->read(trace.calls[1]).answer.empty());
}

TEST_CASE("what is appended changes nothing of what was read") {
  Folder folder;
  std::string log = log_of(3), path = folder.write("a.jsonl", log);
  Trace trace = read_while(folder, {path}, [&] { folder.write("a.jsonl", log + log_of(9)); });
  CHECK(trace.calls.size() == 4);
  CHECK(complaints_of_log(trace).empty());
}

TEST_CASE("a parser sees one state of what others write to meanwhile") {
  // Mapped; a writer turns strings of it into structure and back as fast as it can.
  Folder folder;
  std::string log = log_of(1500), other = log;
  for (size_t i = 1; i < other.size(); ++i)
    if (other[i - 1] == 'x' && other[i] == 'x' && i % 5 == 0) other[i] = '"';
  std::string path = folder.write("a.jsonl", log);
  std::atomic<bool> done = false;
  std::thread writer([&] {
    File file(open(path.c_str(), O_WRONLY));
    for (size_t turn = 0; !done; ++turn) {
      const std::string& now = turn % 2 == 0 ? other : log;
      for (size_t at = 0; at < now.size() && !done; at += 64 << 10)
        static_cast<void>(pwrite(file.fd(), now.data() + at,
                                 std::min<size_t>(64 << 10, now.size() - at),
                                 static_cast<off_t>(at)));
    }
  });
  Progress progress;
  for (int i = 0; i < 20; ++i) {
    LoadOptions loading;
    loading.jobs = i % 2 == 0 ? 1 : 2;
    Result<Trace> trace = load({path}, loading, progress);
    REQUIRE(trace);
    CHECK(trace->calls.size() <= 1500);
    CHECK(trace->calls.size() + trace->sources[0].skipped >= 1500);
  }
  done = true;
  writer.join();
}
