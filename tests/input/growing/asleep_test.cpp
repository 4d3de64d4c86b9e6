#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "input/growing/growing.h"
#include "reading.h"

using namespace xtrace;

namespace {

void grow_file(const std::string& path, const std::string& line) {
  std::ofstream(path, std::ios::app) << line;
}

void make_old(const std::string& path) {
  namespace fs = std::filesystem;
  fs::last_write_time(path, fs::last_write_time(path) - std::chrono::hours(1));
}

/// Records that come by the next look; files asleep are looked at four times a second.
size_t next_records(GrowingInputs& growing) {
  std::this_thread::sleep_for(std::chrono::milliseconds(260));
  Growth growth;
  REQUIRE(growing.read(growth));
  return growth.records.size();
}

}  // namespace

TEST_CASE("an old file is read when its session goes on, whole and with its subagents") {
  const Folder folder;
  const std::string old = folder.write("p/a1.jsonl", "{}\n{}\n"),
                    agent = folder.write("p/a1/subagents/agent-7.jsonl", "{}\n"),
                    other = folder.write("p/b2.jsonl", "{}\n");
  folder.write("p/c3.jsonl", "{}\n");
  for (const std::string& path : {old, agent, other}) make_old(path);
  const Time lately =
      Time(std::chrono::system_clock::now().time_since_epoch()) - std::chrono::minutes(10);
  GrowingInputs growing({folder.path()}, lately);
  CHECK(next_records(growing) == 1);  // of c3
  grow_file(old, "{}\n");
  CHECK(next_records(growing) == 4);
  grow_file(old, "{}\n");
  CHECK(next_records(growing) == 1);
  folder.write("p/b2/subagents/agent-9.jsonl", "{}\n");  // a new one, of an old session
  CHECK(next_records(growing) == 2);
}
