#include "link/waste/error_words.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

bool differ_in_times_only(const char* a, const char* b) {
  return without_times(a) == without_times(b);
}

}  // namespace

TEST_CASE("of two errors, times tell nothing apart, and all else does") {
  CHECK(differ_in_times_only("1 failed in 0.12s", "1 failed in 1.5s"));
  CHECK(differ_in_times_only("took 15 ms", "took 7 ms"));
  CHECK(differ_in_times_only("12:30:01 no such file", "12:31:59.5 no such file"));
  CHECK_FALSE(differ_in_times_only("5 failed in 0.12s", "3 failed in 0.12s"));
  CHECK_FALSE(differ_in_times_only("a.c:12:30 wrong", "a.c:14:30 wrong"));
  CHECK_FALSE(differ_in_times_only("exit code 1", "exit code 2"));
  CHECK_FALSE(differ_in_times_only("3 seas", "4 seas"));
}
