#include "input/calls/wall_time.h"

#include <catch2/catch.hpp>

using namespace xtrace;
using namespace std::chrono_literals;

TEST_CASE("how long a tool ran, Codex says before what it printed") {
  CHECK(read_wall_time("Exit code: 0\nWall time: 0.1 seconds\nOutput:\na.py\n") == 100ms);
  CHECK(read_wall_time("Chunk ID: 1\nWall time: 1.0042 seconds\nProcess exited with code 0\n"
                       "Output:\n") == 1004200us);
  CHECK(read_wall_time("Wall time: 5 seconds\naborted by user") == 5s);
}

TEST_CASE("how long a tool ran, earlier versions say behind what it printed") {
  CHECK(read_wall_time(R"({"output":"a","metadata":{"exit_code":0,"duration_seconds":0.4}})") ==
        400ms);
  CHECK(read_wall_time(R"({"output": "a", "metadata": {"exit_code": 0, "duration_seconds": 2}})") ==
        2s);
}

TEST_CASE("what a command printed tells nothing of how long it ran") {
  CHECK(read_wall_time("Wall time is up") == kNoDuration);
  CHECK(read_wall_time("Exit code: 0\nOutput:\nWall time: 9 seconds\n") == kNoDuration);
  CHECK(read_wall_time("took\nWall time: 9 seconds") == kNoDuration);
  CHECK(read_wall_time(R"({"output":"\"duration_seconds\":9","metadata":{"exit_code":0}})") ==
        kNoDuration);
  CHECK(read_wall_time("Exit code: 3\nWall time: 9000 seconds") == kNoDuration);
  CHECK(read_wall_time(R"({"output":"x.mp4","duration_seconds":600})") == kNoDuration);
  CHECK(read_wall_time("Wall time: -1 seconds") == kNoDuration);
  CHECK(read_wall_time("Wall time: nan seconds") == kNoDuration);
  CHECK(read_wall_time("") == kNoDuration);
}
