#include "input/bytes/inputs.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <thread>

#include "load_while.h"
#include "reading.h"
#include "story.h"

using namespace xtrace;

namespace {

std::string log_with(const std::string& call) {
  CallStory story;
  story.call(call);
  return story.log();
}

Result<Trace> load_all(const std::vector<std::string>& paths) {
  Progress progress;
  return load(paths, {}, progress);
}

std::string load_error(const Result<Trace>& trace) {
  return trace ? "none" : trace.error().what;
}

std::string loaded_ids(const Trace& trace) {
  std::string ids;
  for (const Call& call : trace.calls)
    ids += (ids.empty() ? "" : " ") + std::string(trace[call.id]);
  return ids;
}

}  // namespace

TEST_CASE("several files are one trace, in the order they were named") {
  Folder folder;
  std::string b = folder.write("b.jsonl", log_with("b")),
              a = folder.write("a.jsonl", log_with("a"));
  Trace trace = load_all({b, a}).value();
  CHECK(loaded_ids(trace) == "b a");
  CHECK(trace.sources.size() == 2);
  CHECK(trace.sources[0].path == b);
  CHECK(trace.sources[1].records == 1);
}

TEST_CASE("a conversation may go on in another file") {
  Folder folder;
  CallStory story;
  story.call("a").uses("t1", "Read");
  story.call("b").after("a").reads("t1");
  std::string first = folder.write("1.jsonl", story.lines()[0] + "\n");
  std::string second = folder.write("2.jsonl", story.lines()[1] + "\n");
  CHECK(links_of(link(load_all({second, first}).value(), {})) ==
        "a->b continuation 1.00\n"
        "a->b tool_result 1.00 t1");
}

TEST_CASE("a folder stands for the logs below it, in the order of their names") {
  Folder folder;
  folder.write("logs/b.jsonl", log_with("b"));
  folder.write("logs/a/z.jsonl", log_with("z"));
  folder.write("logs/.hidden.jsonl", log_with("hidden"));
  folder.write("logs/notes.txt", "not a log");
  folder.write("logs/empty.jsonl", "");
  Trace trace = load_all({folder.path() + "/logs"}).value();
  CHECK(loaded_ids(trace) == "z b");
  CHECK(passed_over(trace) ==
        "1 hidden; name them to read them: .hidden.jsonl\n1 not JSON: notes.txt");
  CHECK_FALSE(trace.unread.front().may_hold_records);
}

TEST_CASE("links to folders are not followed, for they may lead back up") {
  Folder folder;
  folder.write("logs/a.jsonl", log_with("a"));
  std::filesystem::create_directory_symlink(folder.path() + "/logs", folder.path() + "/logs/again");
  CHECK(loaded_ids(load_all({folder.path() + "/logs"}).value()) == "a");
}

TEST_CASE("what is not there is said to be not there") {
  Folder folder;
  Result<Trace> trace = load_all({folder.path() + "/none.jsonl"});
  CHECK(load_error(trace) ==
        "cannot open '" + folder.path() + "/none.jsonl': No such file or directory");
  CHECK(trace.error().exit == Exit::input);
  std::filesystem::create_directory(folder.path() + "/empty");
  CHECK(load_error(load_all({folder.path() + "/empty"})) ==
        "no files in '" + folder.path() + "/empty'");
}

TEST_CASE("UTF-16 files are refused by name, with the way out") {
  CHECK(load_error(load_log(std::string_view("\xff\xfe{\0", 4))).find("iconv -f UTF-16") !=
        std::string::npos);
  CHECK(load_error(load_log(std::string_view("\xfe\xff\0{", 4))).find("UTF-16") !=
        std::string::npos);
}

TEST_CASE("a text that was named and holds no record is refused, and told what a log is") {
  constexpr const char* kRefused = ": not JSON; expected a log: JSON or JSONL";
  CHECK(load_error(load_log("# Notes\n\nNothing here is a log.\n")).find(kRefused) !=
        std::string::npos);
  CHECK(load_error(load_log("one line")).find(kRefused) != std::string::npos);
  CHECK(load_log("# Notes\n").error().exit == Exit::input);
  CHECK(load_error(load_log(" \n\n")) == "none");
}

TEST_CASE("a log is read whatever its first line is, torn or a stranger's") {
  CHECK(loaded_ids(read_log("of a torn line\"}\n" + log_with("a"))) == "a");
  CHECK(loaded_ids(read_log("listening on port 8080\nready\n  " + log_with("a"))) == "a");
  // Longer than what is looked at: nobody knows what comes after it.
  CHECK(loaded_ids(read_log(std::string(100'000, 'x') + "\n" + log_with("a"))) == "a");
}

TEST_CASE("a damaged archive below a folder is told of, and costs nothing else") {
  Folder folder;
  folder.write("a.jsonl", log_with("a"));
  folder.write("b.jsonl.gz", "\x1f\x8b\x08rest");
  Trace trace = load_all({folder.path()}).value();
  CHECK(loaded_ids(trace) == "a");
  CHECK(trace.sources[1].skipped == 1);
  CHECK(complaints_of(trace).find("damaged 0: the archive is damaged") == 0);
}

TEST_CASE("an empty file holds nothing and is no error") {
  Trace trace = read_log("");
  CHECK(trace.calls.empty());
  CHECK(trace.sources.front().skipped == 0);
}

TEST_CASE("a pipe is read to its end") {
  CallStory story;
  for (int i = 0; i < 20; ++i) story.call("c" + std::to_string(i));
  Pipe pipe(story.log());
  Trace trace = load_all({pipe.path()}).value();
  CHECK(trace.calls.size() == 20);
  CHECK(trace.calls.back().source.line == 20);
  CHECK(trace.sources.front().bytes == story.log().size());
}

TEST_CASE("of a file that grows meanwhile, what was there at first is read") {
  Folder folder;
  std::string old = log_with("a"), more = log_with("b");
  std::string path = folder.write("log.jsonl", old);
  Result<Trace> trace = load_while(folder, {path}, log_with("c"),
                                   [&] { std::ofstream(path, std::ios::app) << more; });
  CHECK(folder.read("log.jsonl") == old + more);
  CHECK(loaded_ids(trace.value()) == "c a");
  CHECK(trace->sources.back().bytes == old.size());
}

TEST_CASE("progress tells how many bytes were read of how many") {
  Folder folder;
  std::string log = log_with("a") + log_with("b");
  std::string path = folder.write("log.jsonl", log);
  Progress progress;
  REQUIRE(load({path}, {}, progress));
  CHECK(progress.bytes == log.size());
  CHECK(progress.total == log.size());
}

TEST_CASE("files are settled together, and one that is gone is left") {
  const Folder folder;
  folder.write("a.jsonl", "{}\n");
  const std::string gone = folder.write("b.jsonl", "{}\n");
  Result<Found> found = find_inputs({folder.path()});
  REQUIRE(found);
  folder.write("a.jsonl", "{}\n{}\n");
  std::filesystem::remove(gone);
  settle_files(found->inputs, 2);
  CHECK(found->inputs[0].file != nullptr);
  CHECK(found->inputs[0].bytes == 6);
  CHECK(found->inputs[1].file == nullptr);
  CHECK(found->inputs[1].bytes == 3);
}
