#include "base/same_number.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("numbers are the same by value, however they are written") {
  for (const char* text : {"3", "3.0", "3.", "+3", "03", "0.3e1", "30e-1", "3E+0"}) {
    CAPTURE(text);
    CHECK(same_number(text, "3"));
    CHECK(same_number("3", text));
    CHECK_FALSE(same_number(text, "-3"));
    CHECK_FALSE(same_number(text, "30"));
  }
  CHECK(same_number("0.05", "5e-2"));
  CHECK(same_number("1200", "1.2e3"));
  for (const char* zero : {"-0", "0.00", ".0", "0e7"}) CHECK(same_number(zero, "0"));
}

TEST_CASE("digits that fit no type count too") {
  CHECK_FALSE(same_number("9007199254740993", "9007199254740992"));
  CHECK_FALSE(same_number("100000000000000000001", "1e20"));
  CHECK(same_number("100000000000000000000", "1e20"));
  CHECK(same_number("1e400", "10e399"));
}

TEST_CASE("what is no decimal number is the same as none") {
  for (const char* text :
       {"", ".", "-", "3 ", "0x3", "3e", "3e+-1", "three", "1.2.3", "inf", "nan"}) {
    CAPTURE(text);
    CHECK_FALSE(same_number(text, text));
    CHECK_FALSE(same_number(text, "3"));
  }
}
