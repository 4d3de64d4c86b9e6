#include "run/progress.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("progress tells the share, the rate, the time left, and of many files how many") {
  Progress progress;
  progress.bytes = 60'000'000;
  progress.total = 240'000'000;
  CHECK(words_of(progress, 0.5) == "reading: 25 %, 60 of 240 MB, 120 MB/s, 1.5s left");
  progress.files = 3;
  progress.all_files = 12;
  progress.unpacks = true;
  CHECK(words_of(progress, 0.5) ==
        "unpacking: 25 %, 60 of 240 MB, 120 MB/s, 1.5s left, 3 of 12 files");
}

TEST_CASE("of a pipe nobody knows how much is left") {
  Progress progress;
  progress.bytes = 60'000'000;
  CHECK(words_of(progress, 0.5) == "reading: 60 MB, 120 MB/s");
}
