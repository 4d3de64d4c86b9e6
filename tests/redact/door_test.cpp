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

TEST_CASE("of an address only who may see texts sees what was asked for behind it") {
  constexpr std::string_view kSearch = "https://search.example/find?q=how+to+sack+somebody#top";
  Door basic(Redaction::all, Door::Level::basic, 200);
  CHECK(basic.name(kSearch).view() == "https://search.example/find");
  CHECK(basic.name("https://search.example/find").view() == "https://search.example/find");
  CHECK(basic.name("https://[::1]:80/a?b").view() == "https://[::1]:80/a");
  CHECK(basic.name("what is a://b? c").view() == "what is a://b? c");
  CHECK(basic.name("notes#1").view() == "notes#1");
  Door own(Redaction::all, Door::Level::basic, 200);
  own.show_first_words();
  CHECK(own.name(kSearch).view() == kSearch);
  Door full(Redaction::all, Door::Level::full, 200);
  CHECK(full.name(kSearch).view() == kSearch);
}
