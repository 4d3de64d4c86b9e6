#include "base/place_name.h"

#include <catch2/catch.hpp>
#include <string>

using namespace xtrace;

TEST_CASE("a path, an address and a host are places by their form") {
  for (std::string_view text :
       {"src/main.cpp", "/srv/www", "Makefile", "./run it.sh", "/Users/ada/My Documents/plan.txt",
        "C:\\Users\\Ada Lovelace\\notes.md", "~/.ssh/config", "**/*.ts", "api.example.com:8443",
        "https://docs.example.com/a/b?c=d", "postgres://db/orders", "memory://insights",
        "file:///srv/a%20b.txt", "/", "a:b"})
    CHECK(is_place_name(text));
}

TEST_CASE("words in place of a path are no place") {
  for (std::string_view text :
       {"", "please read the file", "what is in notes.txt", "/srv/x and tell me what is in it",
        "/srv/x\nsecond line", "/srv/x, then /srv/y", "see https://example.com",
        "https://example.com/a b", "data:text/plain,words", "mailto:ada@example.com",
        "JavaScript:alert(1)", "javascript://%0aalert(1)",
        "/srv/one two three four five six seven.txt"})
    CHECK_FALSE(is_place_name(text));
  CHECK_FALSE(is_place_name("/srv/" + std::string(256, 'a')));
  CHECK_FALSE(is_place_name(std::string(5000, '/')));
}

TEST_CASE("agents have names, and sentences are none") {
  for (std::string_view text : {"general-purpose", "Explore", "code reviewer", "team/backend.v2"})
    CHECK(is_name(text));
  for (std::string_view text : {"", "the word of the day, I think", "first line\nsecond line",
                                "one two three four five six seven", "Look at this. Then at that"})
    CHECK_FALSE(is_name(text));
}

TEST_CASE("an address ends before what it carries") {
  const auto place = [](std::string_view text) { return text.substr(0, end_of_place(text)); };
  CHECK(place("https://h.example/a/b?c=d") == "https://h.example/a/b");
  CHECK(place("https://h.example/a#b") == "https://h.example/a");
  CHECK(place("https://h.example/%3Fq=words") == "https://h.example/");
  CHECK(place("https://h.example/some%20words") == "https://h.example/some");
  CHECK(place("file:///srv/a%20b.txt") == "file:///srv/a%20b.txt");
  CHECK(place("/srv/what?") == "/srv/what?");
  CHECK(place("https://[REDACTED:ipv4:#0123456789abcdef.11]:8080/a?b") ==
        "https://[REDACTED:ipv4:#0123456789abcdef.11]:8080/a");
}
