#include <algorithm>
#include <catch2/catch.hpp>

#include "base/nearest.h"
#include "base/string_pool.h"
#include "base/union_find.h"
#include "redact/door.h"

using namespace xtrace;

namespace {

std::string guess(std::string_view word) {
  static constexpr std::string_view kKnown[] = {"--session", "--since",   "--status",
                                                "--strict",  "--version", "--agent",
                                                "Explore",   "s1",        "s12"};
  return did_you_mean(word, kKnown);
}

}  // namespace

TEST_CASE("a name a few keystrokes away is suggested") {
  CHECK(guess("--sesion") == "; did you mean '--session'?");
  CHECK(guess("--stat") == "; did you mean '--status'?");
  CHECK(guess("explore") == "; did you mean 'Explore'?");
  CHECK(guess("expolre") == "; did you mean 'Explore'?");
  CHECK(guess("Expl") == "; did you mean 'Explore'?");
}

TEST_CASE("beside a nearer name, none that is farther away is suggested") {
  CHECK(guess("--versio") == "; did you mean '--version'?");
  static constexpr std::string_view kAgents[] = {"Explore", "Explore#1", "Explore#2"};
  CHECK(did_you_mean("explore", kAgents) == "; did you mean 'Explore'?");
  CHECK(did_you_mean("Explore#3", kAgents) == "; did you mean 'Explore#1' or 'Explore#2'?");
}

TEST_CASE("nothing is suggested for what nobody could have meant") {
  CHECK(guess("") == "");
  CHECK(guess("entirely-different") == "");
  CHECK(guess(std::string(1000, 'x')) == "");
}

TEST_CASE("of several names the nearest come first, and only a few") {
  CHECK(guess("s") == "; did you mean '--session', '--since' or '--status'?");
  CHECK(guess("s1") == "; did you mean 's1' or 's12'?");
}

TEST_CASE("a suggestion holds nothing that acts on a terminal") {
  std::string_view name = "\x1b[31mred";
  CHECK(did_you_mean("red", {&name, 1}) == "; did you mean '\\x1b[31mred'?");
}

TEST_CASE("a pool keeps every text once, in the order of their first coming") {
  StringPool pool;
  StringId a = pool.intern("a"), b = pool.intern("b"), empty = pool.intern("");
  CHECK(pool.intern("a") == a);
  CHECK(a < b);
  CHECK(pool[a] == "a");
  CHECK(pool[b] == "b");
  CHECK(pool[empty] == "");
  CHECK(pool.size() == 3);
  CHECK(pool.find("b") == b);
  CHECK_FALSE(pool.find("c"));
}

TEST_CASE("texts stay where they are while a pool grows") {
  StringPool pool;
  std::string_view first = pool[pool.intern("the very first")];
  std::string large(200'000, 'x');
  for (int i = 0; i < 5000; ++i) pool.intern("text " + std::to_string(i));
  StringId at = pool.intern(large);
  CHECK(first == "the very first");
  CHECK(pool[at] == large);
  CHECK(pool[pool.find("text 4999")] == "text 4999");
  CHECK(pool.size() == 5002);
}

TEST_CASE("things told to belong together do, and the smallest names them") {
  UnionFind together(5);
  together.join(3, 4);
  together.join(4, 1);
  CHECK(together.find(3) == 1);
  CHECK(together.find(1) == together.find(4));
  CHECK(together.find(0) == 0);
  CHECK(together.find(2) == 2);
}

TEST_CASE("no payload passes the door below level full") {
  Door door(Redaction::all, Door::Level::basic, 200);
  CHECK(door.payload("the user's own words").empty());
  CHECK(door.name("src/a.cpp").view() == "src/a.cpp");
}

TEST_CASE("at level full payload passes, cut to so many characters") {
  Door door(Redaction::all, Door::Level::full, 5);
  CHECK(door.payload("hello").view() == "hello");
  CHECK(door.payload("hello world").view() == "hello…");
  CHECK(door.payload("日本語日本語").view() == "日本語日本…");
  CHECK(door.payload("").empty());
}

TEST_CASE("secrets stay inside at every level, in names too, and the cut comes after") {
  std::string secret = std::string("ghp_") + "aB3dE5gH7jK9mN2pQ4sT6vW8xZaB3dE5gH7j";
  for (Door::Level level : {Door::Level::basic, Door::Level::full}) {
    Door door(Redaction::all, level, 12);
    CHECK(door.name(secret).view() == "[REDACTED:github_token:1]");
    CHECK(door.payload("token " + secret).view().find("ghp_") == std::string_view::npos);
  }
  Door open(Redaction::off, Door::Level::full, 200);
  CHECK(open.name(secret).view() == secret);
}

TEST_CASE("a cut never falls into a replacement") {
  size_t before = std::string_view("to ").size();
  size_t whole = std::string_view("to [REDACTED:email:1]").size();
  for (size_t most = 1; most < 60; ++most) {
    CAPTURE(most);
    Door door(Redaction::all, Door::Level::full, most);
    std::string shown(door.payload("to anna@example.com and bert@example.com").view());
    CHECK(std::count(shown.begin(), shown.end(), '[') ==
          std::count(shown.begin(), shown.end(), ']'));
    if (most >= before && most < whole) CHECK(shown == "to …");
    if (most == whole) CHECK(shown == "to [REDACTED:email:1]…");
  }
}

TEST_CASE("a bracket that is no replacement is cut like any text") {
  Door door(Redaction::all, Door::Level::full, 12);
  CHECK(door.payload("[REDACTED: three words]").view() == "[REDACTED: t…");
}

TEST_CASE("equal secrets get equal numbers, others their own") {
  Door door(Redaction::all, Door::Level::full, 200);
  CHECK(door.name("anna@example.com").view() == "[REDACTED:email:1]");
  CHECK(door.name("bert@example.com").view() == "[REDACTED:email:2]");
  CHECK(door.payload("to anna@example.com").view() == "to [REDACTED:email:1]");
}
