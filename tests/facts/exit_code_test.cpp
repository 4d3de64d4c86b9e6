#include "facts/exit_code.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("clients write the exit code of a command into its output") {
  CHECK(exit_code_in("Exit code 2\nls: cannot access") == 2);
  CHECK(exit_code_in("(no output)\n\nCommand exited with code 1") == 1);
  CHECK(exit_code_in("Chunk ID: 1\nProcess exited with code 127\nOutput:") == 127);
  CHECK(exit_code_in(R"({"output":"","metadata":{"exit_code":3}})") == 3);
}

TEST_CASE("a code of 0, none, or one within a line is none of a failure") {
  CHECK(exit_code_in("Process exited with code 0\nOutput:") == 0);
  CHECK(exit_code_in("done") == 0);
  CHECK(exit_code_in("the last line was: Exit code 1") == 0);
  CHECK(exit_code_in("Exit code ") == 0);
  CHECK(exit_code_in("Exit code 99999999999999999999") == 0);
}
