#include "base/dollars.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace xtrace;

TEST_CASE("money is printed with all its digits and no more") {
  CHECK(format_dollars({0}) == "0");
  CHECK(format_dollars({12'000'000'000}) == "12");
  CHECK(format_dollars({4'200'000}) == "0.0042");
  CHECK(format_dollars({80'000}) == "0.00008");
  CHECK(format_dollars({1'000'000'001}) == "1.000000001");
  CHECK(format_dollars({-500'000'000}) == "-0.5");
  CHECK(format_dollars({std::numeric_limits<int64_t>::min()}) == "-9223372036.854775808");
}

TEST_CASE("for people money has as many digits as they compare") {
  CHECK(show_dollars({0}) == "$0");
  CHECK(show_dollars({1}) == "<$0.0001");
  CHECK(show_dollars({100'000}) == "$0.0001");
  CHECK(show_dollars({12'345'678}) == "$0.0123");
  CHECK(show_dollars({999'960'000}) == "$1.00");
  CHECK(show_dollars({12'345'000'000}) == "$12.35");
  CHECK(show_dollars({1'234'567'000'000}) == "$1235");
}

TEST_CASE("a lower bound and an estimate have a sign") {
  using enum Dollars::Bound;
  CHECK(show_dollars({12'345'678, at_least}) == "≥$0.0123");
  CHECK(show_dollars({12'345'678, estimated}) == "~$0.0123");
  CHECK(show_dollars({1, at_least}) == ">$0");
  CHECK(show_dollars({1, estimated}) == "~<$0.0001");
}

TEST_CASE("amounts are read exactly") {
  CHECK(parse_dollars("0.05") == Dollars{50'000'000});
  CHECK(parse_dollars("$12") == Dollars{12'000'000'000});
  CHECK(parse_dollars(".5") == Dollars{500'000'000});
  CHECK(parse_dollars("1.") == Dollars{1'000'000'000});
  CHECK(parse_dollars("0.000000001") == Dollars{1});
  for (const char* text : {"", "$", ".", "-1", "0.-5", "1e3", "0.0000000001", "1,5", "99999999999",
                           "five", "1.2.3", " 1"})
    CHECK_FALSE(parse_dollars(text));
}
