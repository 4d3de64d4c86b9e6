#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "input/excerpt.h"
#include "made_log.h"
#include "reading.h"

using namespace xtrace;

namespace {

/// Temporary files go elsewhere while it lives.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& path) {
    const char* before = getenv("TMPDIR");
    was_set_ = before != nullptr;
    if (was_set_) before_ = before;
    setenv("TMPDIR", path.c_str(), 1);
  }
  ~TemporaryFolder() {
    if (was_set_)
      setenv("TMPDIR", before_.c_str(), 1);
    else
      unsetenv("TMPDIR");
  }

 private:
  bool was_set_ = false;
  std::string before_;
};

/// No file can become larger while it lives.
class LargestFile {
 public:
  explicit LargestFile(rlim_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit now{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  ~LargestFile() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

Result<Trace> load_to_reread(const std::string& path) {
  LoadOptions loading;
  loading.rereads = true;
  Progress progress;
  return load({path}, loading, progress);
}

std::string said_in(const Trace& trace) {
  Excerpts excerpts(trace);
  std::string said;
  for (const Call& call : trace.calls) {
    Excerpt excerpt = excerpts.of(call);
    said += excerpt.prompt + " -> " + excerpt.answer + "\n";
  }
  return said;
}

}  // namespace

TEST_CASE("what a pipe held can be read again if it was kept, and like a file") {
  Folder folder, elsewhere;
  std::string log = make_log({}).text();
  Trace of_file = load_to_reread(folder.write("log.jsonl", log)).value();
  Pipe pipe(log);
  TemporaryFolder temporary(elsewhere.path());
  Trace of_pipe = load_to_reread(pipe.path()).value();
  CHECK(of_pipe.sources.front().path == pipe.path());
  CHECK(of_pipe.sources.front().bytes == log.size());
  CHECK(of_pipe.calls.size() == of_file.calls.size());
  CHECK(of_pipe.calls.back().source.line == of_file.calls.back().source.line);
  CHECK(said_in(of_pipe) == said_in(of_file));
  CHECK(said_in(of_pipe).size() > 20 * of_pipe.calls.size());
  CHECK(elsewhere.names().empty());
}

TEST_CASE("a pipe that was not kept has no texts, and nobody waits for them") {
  Folder folder;
  CallStory story;
  story.call("a").says("hello").answers("good day");
  Pipe pipe(story.log());
  Progress progress;
  Trace trace = load({pipe.path()}, {}, progress).value();
  CHECK_FALSE(trace.sources.front().seekable);
  CHECK(said_in(trace) == " -> \n");
}

TEST_CASE("an empty pipe is kept as well") {
  Pipe pipe("");
  Trace trace = load_to_reread(pipe.path()).value();
  CHECK(trace.calls.empty());
  CHECK(trace.sources.front().bytes == 0);
}

TEST_CASE("a pipe that cannot be kept says why and what to do") {
  Folder folder;
  Pipe pipe(make_log({}).text());
  SECTION("there is no such folder") {
    TemporaryFolder temporary(folder.path() + "/none");
    Result<Trace> trace = load_to_reread(pipe.path());
    REQUIRE_FALSE(trace);
    CHECK(trace.error().exit == Exit::input);
    CHECK(trace.error().what ==
          "cannot keep a copy of '" + pipe.path() + "' in '" + folder.path() +
              "/none': No such file or directory\nuse a folder with more space (TMPDIR=FOLDER "
              "xtrace ...), or write the log to a file and read it");
  }
  SECTION("there is no room") {
    TemporaryFolder temporary(folder.path());
    LargestFile limit(1000);
    Result<Trace> trace = load_to_reread(pipe.path());
    REQUIRE_FALSE(trace);
    CHECK(trace.error().exit == Exit::input);
    CHECK(trace.error().what.find("File too large\nuse a folder with more space") !=
          std::string::npos);
  }
  CHECK(folder.names().empty());
}
