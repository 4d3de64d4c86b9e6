#include "facts/steady_output.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

std::string steady(std::string_view output) {
  std::string room;
  return std::string(steady_output(output, room));
}

}  // namespace

TEST_CASE("a command that gives the same twice has equal outputs, whatever the client adds") {
  CHECK(
      steady(
          "Chunk ID: 024e2d\nWall time: 0.0000 seconds\nProcess exited with code 0\nOutput:\nx") ==
      steady(
          "Chunk ID: 0b9d7d\nWall time: 2.8230 seconds\nProcess exited with code 0\nOutput:\nx"));
  CHECK(steady("Exit code: 0\nWall time: 1 seconds\nOutput:\nx") ==
        steady("Exit code: 0\nWall time: 2.5 seconds\nOutput:\nx"));
  CHECK(steady(R"({"output":"x","metadata":{"exit_code":0,"duration_seconds":0.1}})") ==
        steady(R"({"output":"x","metadata":{"exit_code":0,"duration_seconds":12.0}})"));
  CHECK(steady("Output: x\nExit Code: 0\nProcess Group PGID: 90089") ==
        steady("Output: x\nExit Code: 0\nProcess Group PGID: 91412"));
  CHECK(steady("x\n<shellId: 1 completed with exit code 0>") ==
        steady("x\n<shellId: 27 completed with exit code 0>"));
}

TEST_CASE("what a command itself gives stays as it is") {
  for (const char* output :
       {"", "x", "Exit code: 1\nOutput:\n7 failed", "it took Wall time: 3 seconds",
        "Process Group PGID", "Wall time: 312 seconds",
        R"({"verdict":"slow","duration_seconds":312})"})
    CHECK(steady(output) == output);
  CHECK(steady("x\n<shellId: 1 completed with exit code 0>") !=
        steady("x\n<shellId: 1 completed with exit code 1>"));
  CHECK(steady("Wall time: 1 seconds\nOutput:\n3 failed") !=
        steady("Wall time: 1 seconds\nOutput:\n2 failed"));
}
