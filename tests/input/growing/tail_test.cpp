#include "input/growing/tail.h"

#include <stdio.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>

#include "reading.h"

using namespace xtrace;

namespace {

void append(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::app) << bytes;
}

/// A file in a folder of its own, and what a Tail says of it: `0:1 {"a":1}` — generation, line,
/// text.
class Followed {
 public:
  Followed() : path_(folder_.path() + "/log.jsonl"), tail_(0, path_, generations_) {}

  const std::string& path() const { return path_; }
  std::string read() {
    return tell([&](Growth& growth) { return tail_.read(growth); });
  }
  std::string end() {
    return tell([&](Growth& growth) { return tail_.end(growth); });
  }
  const std::string& notes() const { return notes_; }
  const Generations& generations() const { return generations_; }

 private:
  template <class Look>
  std::string tell(Look look) {
    Growth growth;
    REQUIRE(look(growth));
    std::string told;
    for (uint32_t over : growth.over) told += "over " + std::to_string(over) + "\n";
    for (const RecordAt& record : growth.records) {
      const Generation& generation = generations_[record.generation];
      std::string text(record.line == 0 ? generation.bytes : record.length, '\0');
      REQUIRE(pread(generation.copy->fd(), text.data(), text.size(),
                    static_cast<off_t>(record.offset)) == static_cast<ssize_t>(text.size()));
      told +=
          std::to_string(record.generation) + ":" + std::to_string(record.line) + " " + text + "\n";
    }
    for (const std::string& note : growth.notes) notes_ += note + "\n";
    return told;
  }

  Folder folder_;
  std::string path_, notes_;
  Generations generations_;
  Tail tail_;
};

}  // namespace

TEST_CASE("a torn line waits for its newline") {
  Followed log;
  CHECK(log.read() == "");  // not there yet
  append(log.path(), "{\"a\":1}\n{\"b\"");
  CHECK(log.read() == "0:1 {\"a\":1}\n");
  CHECK(log.read() == "");
  append(log.path(), ":2}\n\n{\"c\":3}\n");
  CHECK(log.read() == "0:2 {\"b\":2}\n0:4 {\"c\":3}\n");
}

TEST_CASE("the last line counts without a newline when nothing follows") {
  Followed log;
  append(log.path(), "{\"a\":1}\n{\"b\":2}");
  CHECK(log.read() == "0:1 {\"a\":1}\n");
  CHECK(log.end() == "0:2 {\"b\":2}\n");
  CHECK(log.end() == "");
}

TEST_CASE("of a file that another one takes the place of, all is read") {
  Followed log;
  append(log.path(), "{\"a\":1}\n");
  CHECK(log.read() == "0:1 {\"a\":1}\n");
  append(log.path(), "{\"b\":2}\n");
  REQUIRE(rename(log.path().c_str(), (log.path() + ".1").c_str()) == 0);
  append(log.path() + ".1", "{\"c\":3}\n");
  append(log.path(), "{\"d\":4}\n");
  CHECK(log.read() == "0:2 {\"b\":2}\n0:3 {\"c\":3}\n1:1 {\"d\":4}\n");
  append(log.path() + ".1", "{\"late\":5}\n");  // by a writer that does not know yet
  append(log.path(), "{\"e\":6}\n");
  CHECK(log.read() == "0:4 {\"late\":5}\n1:2 {\"e\":6}\n");
}

TEST_CASE("a file that is cut short is read from its beginning, and what it held goes") {
  Followed log;
  append(log.path(), "{\"a\":1}\n{\"b\":2}\n");
  CHECK(log.read() == "0:1 {\"a\":1}\n0:2 {\"b\":2}\n");
  REQUIRE(truncate(log.path().c_str(), 0) == 0);
  append(log.path(), "{\"c\":3}\n");
  CHECK(log.read() == "over 0\n1:1 {\"c\":3}\n");
  CHECK(log.read() == "");
  CHECK(log.notes() == log.path() + " was truncated; reading it from the start again\n");
}

TEST_CASE("lines of several writers are whole lines") {
  Followed log;
  std::ofstream one(log.path(), std::ios::app), two(log.path(), std::ios::app);
  one << "{\"one\":1}\n" << std::flush;
  two << "{\"two\":1}\n" << std::flush;
  one << "{\"one\":2}\n" << std::flush;
  CHECK(log.read() == "0:1 {\"one\":1}\n0:2 {\"two\":1}\n0:3 {\"one\":2}\n");
}

TEST_CASE("a document is read whole again when it changes, and may become lines") {
  Followed log;
  append(log.path(), "{\"resourceSpans\":[]}\n");
  CHECK(log.read() == "0:0 {\"resourceSpans\":[]}\n\n");
  CHECK(log.read() == "");
  append(log.path(), "{\"resourceSpans\":[]}\n");
  CHECK(log.read() == "over 0\n1:1 {\"resourceSpans\":[]}\n1:2 {\"resourceSpans\":[]}\n");
}

TEST_CASE("a document over many lines waits until it shows that it is one") {
  Followed log;
  append(log.path(), "{\n");
  CHECK(log.read() == "");
  append(log.path(), " \"data\": [\n ]\n}\n");
  CHECK(log.read() == "0:0 {\n \"data\": [\n ]\n}\n\n");
}
