#include "base/number.h"

#include <catch2/catch.hpp>
#include <cstdint>

using namespace xtrace;

TEST_CASE("a text is a number if all of it is one that fits") {
  CHECK(number_of<int64_t>("12") == 12);
  CHECK(number_of<int64_t>("-1") == -1);
  CHECK(number_of<double>("0.5") == 0.5);
  CHECK(number_of<double>("2e3") == 2000);
  for (const char* text : {"", " 1", "1 ", "1x", "0x1", "+1", "1,5"}) {
    CAPTURE(text);
    CHECK_FALSE(number_of<int64_t>(text));
    CHECK_FALSE(number_of<double>(text));
  }
  CHECK_FALSE(number_of<uint32_t>("-1"));
  CHECK_FALSE(number_of<int64_t>("9223372036854775808"));
}

TEST_CASE("what is endless or no number at all is none") {
  for (const char* text : {"inf", "-inf", "nan", "1e999"}) {
    CAPTURE(text);
    CHECK_FALSE(number_of<double>(text));
  }
}
