#include "link/waste/error_words.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

bool differ_in_times_only(const char* a, const char* b) {
  return remove_varying_parts(a) == remove_varying_parts(b);
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

TEST_CASE("nor do dates, processes, addresses and temporary folders") {
  CHECK(differ_in_times_only("see 2026-05-04T09_00_20_123Z-debug-0.log",
                             "see 2026-05-04T10_11_12_456Z-debug-0.log"));
  CHECK(differ_in_times_only("pid 4711 died", "pid 4712 died"));
  CHECK(differ_in_times_only("at 0x7f12ab34cd56", "at 0x7f0000000010"));
  CHECK(differ_in_times_only("in /tmp/build-a1/x.c", "in /tmp/build-b2/x.c"));
  CHECK_FALSE(differ_in_times_only("in /tmp/a b", "in /tmp/a c"));
  CHECK_FALSE(differ_in_times_only("rapid 5", "rapid 6"));
}

TEST_CASE("limits, locks and networks may go away by themselves") {
  for (const char* error : {"read ECONNRESET", "HTTP 503", "Rate limit: try again in 1s",
                            "fatal: Unable to create '.git/index.lock': File exists"})
    CHECK(is_transient_error(error));
  for (const char* error : {"no such file", "1 failed", "timeout after 2m"})
    CHECK_FALSE(is_transient_error(error));
}
