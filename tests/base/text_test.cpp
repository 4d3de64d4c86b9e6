#include "base/text.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("a text is as wide as a terminal shows it") {
  CHECK(width("") == 0);
  CHECK(width("abc") == 3);
  CHECK(width("naïve") == 5);
  CHECK(width("日本語") == 6);
  CHECK(width("e\u0301") == 1);  // a letter and the accent that joins it
  CHECK(width("😀") == 2);
}

TEST_CASE("texts are clipped at characters, never inside one") {
  CHECK(clip("hello", 5) == "hello");
  CHECK(clip("hello", 4) == "hel…");
  CHECK(clip("hello", 1) == "…");
  CHECK(clip("hello", 0) == "");
  CHECK(clip("日本語", 6) == "日本語");
  CHECK(clip("日本語", 5) == "日本…");
  CHECK(clip("日本語", 4) == "日…");
  CHECK(clip("日本語", 2) == "…");
  CHECK(width(clip("日本語", 3)) <= 3);
  CHECK(clip("Edit …/app/page.tsx", 7) == "Edit …");  // not `……`
}

TEST_CASE("of a path the end is kept") {
  CHECK(clip_left("src/a.cpp", 9) == "src/a.cpp");
  CHECK(clip_left("src/input/a.cpp", 6) == "…a.cpp");
  CHECK(clip_left("src/日本", 5) == "…日本");
  CHECK(clip_left("src/日本", 4) == "…本");
  CHECK(clip_left("abc", 0) == "");
}

TEST_CASE("nothing acts on the terminal") {
  CHECK(printable("plain, naïve 日本 😀") == "plain, naïve 日本 😀");
  CHECK(printable("\x1b[31mred") == "\\x1b[31mred");
  CHECK(printable("a\nb\tc\r\x7f") == "a\\x0ab\\x09c\\x0d\\x7f");
  CHECK(printable("\u009b") == "\\x9b");
  CHECK(printable("x\u202ey") == "x\\u202ey");
  CHECK(printable("x\u2066y\u200f") == "x\\u2066y\\u200f");
  CHECK(printable("\ufeff") == "\\ufeff");
  CHECK(printable(std::string_view("\0", 1)) == "\\x00");
}

TEST_CASE("broken UTF-8 is shown as such") {
  CHECK(printable("a\xff\xfe") == "a\uFFFD\uFFFD");
  CHECK(printable("\xc3") == "\uFFFD");
  CHECK(printable("\xed\xa0\x80") == "\uFFFD\uFFFD\uFFFD");  // half of a surrogate pair
  CHECK(decode("\xf0\x9f").length == 1);
}

TEST_CASE("white space is folded") {
  CHECK(fold_white_space("  a \n\t b\r\n") == "a b");
  CHECK(fold_white_space("") == "");
  CHECK(fold_white_space(" \n ") == "");
  CHECK(fold_white_space("one") == "one");
}

TEST_CASE("a head of so many bytes has no half character") {
  CHECK(head("naïve", 10) == "naïve");
  CHECK(head("naïve", 4) == "naï");
  CHECK(head("naïve", 3) == "na");
  CHECK(head("", 3) == "");
}

TEST_CASE(
    "a name that is longer than any real one keeps its first words, and stays one of its own") {
  const std::string path = "/srv/logs/" + std::string(5000, 'a');
  CHECK(shortened_name(path).starts_with("/srv/logs/…[5010 bytes, "));
  CHECK(shortened_name(path) == shortened_name(path));
  CHECK(shortened_name(path) != shortened_name(path + "b"));
  CHECK(shortened_name(std::string(5000, 'k')).starts_with("kkkkkkkk…[5000 bytes, "));
}
