#include "redact/door.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("first words come on one line, redacted, and only to who may see them") {
  constexpr std::string_view kPrompt = "Fix the tests\n  of anna@example.org, please, before noon";
  Door others(Redaction::all, Door::Level::basic, 200);
  CHECK(others.first_words(kPrompt, 80).empty());

  Door own(Redaction::all, Door::Level::basic, 200);
  own.show_first_words();
  CHECK(own.first_words(kPrompt, 80).view() ==
        "Fix the tests of [REDACTED:email:1], please, before noon");
  CHECK(own.first_words(kPrompt, 8).view() == "Fix the …");
  CHECK(own.payload(kPrompt).empty());

  Door full(Redaction::all, Door::Level::full, 200);
  CHECK_FALSE(full.first_words(kPrompt, 80).empty());
}
