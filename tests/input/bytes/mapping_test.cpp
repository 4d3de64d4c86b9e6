#include "input/bytes/mapping.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>
#include <thread>

#include "base/file.h"
#include "reading.h"
#include "story.h"

using namespace xtrace;

TEST_CASE("what a mapped file loses reads as zeros, and is known") {
  Folder folder;
  std::string path = folder.write("file", std::string(1 << 20, 'x'));
  File file = open_to_read(path).value();
  Mapping mapping(file.fd(), 1 << 20), other(file.fd(), 4096);
  REQUIRE(mapping.size() == 1 << 20);
  CHECK(mapping.start()[600'000] == 'x');
  CHECK_FALSE(mapping.became_shorter());
  std::filesystem::resize_file(path, 5000);
  CHECK(mapping.start()[600'000] == '\0');
  CHECK(mapping.start()[(1 << 20) - 1] == '\0');
  CHECK(mapping.start()[4999] == 'x');
  CHECK(mapping.became_shorter());
  CHECK(other.start()[4095] == 'x');
  CHECK_FALSE(other.became_shorter());
}

TEST_CASE(
    "a file that becomes shorter while it is read is an error, or passed over below a folder") {
  size_t calls = GENERATE(20u, 1500u);  // read in blocks, or mapped
  bool named = GENERATE(true, false);
  Folder folder;
  CallStory story;
  for (size_t i = 0; i < calls; ++i)
    story.call("c" + std::to_string(i)).answers(std::string(4000, 'x'));
  std::string log = story.log();
  std::string path = folder.write("logs/a.jsonl", log), fifo = folder.path() + "/fifo";
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  // The log was found, and nothing of it was read yet, when its neighbour begins to speak.
  std::thread writer([&] {
    std::signal(SIGPIPE, SIG_IGN);
    std::ofstream out(fifo);
    std::filesystem::resize_file(path, log.size() / 2);
    out << "{\"id\":\"z\",\"body\":{\"messages\":[]}}\n";
  });
  Progress progress;
  Result<Trace> trace = load({named ? path : folder.path() + "/logs", fifo}, {}, progress);
  writer.join();
  if (named) {
    REQUIRE_FALSE(trace);
    CHECK(trace.error().exit == Exit::input);
    CHECK(trace.error().what == "'" + path + "' became shorter while it was read");
  } else {
    CHECK(trace.value().calls.size() == 1);
    CHECK(passed_over(*trace) == "1 became shorter while it was read: a.jsonl");
    CHECK(trace->unread.front().may_hold_records);
  }
}

TEST_CASE("a file that another takes the place of while it is read is an error") {
  Folder folder;
  CallStory story;
  for (size_t i = 0; i < 20; ++i) story.call("c" + std::to_string(i));
  std::string path = folder.write("a.jsonl", story.log()), fifo = folder.path() + "/fifo";
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  std::thread writer([&] {
    std::signal(SIGPIPE, SIG_IGN);
    std::ofstream out(fifo);
    std::filesystem::rename(folder.write("new", story.log() + story.log()), path);
    out << "{\"id\":\"z\",\"body\":{\"messages\":[]}}\n";
  });
  Progress progress;
  Result<Trace> trace = load({path, fifo}, {}, progress);
  writer.join();
  REQUIRE_FALSE(trace);
  CHECK(trace.error().what.starts_with(path + ": another file took its place while it was read"));
}
