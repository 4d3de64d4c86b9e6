#include "link/blame/tokens.h"

#include <catch2/catch.hpp>

#include "base/hash.h"

using namespace xtrace;

namespace {

std::vector<std::string> texts_in(std::string_view text) {
  std::vector<std::string> texts;
  for (const TextToken& token : tokens_in(text))
    texts.push_back(std::string(word(token.kind)) + " " + token.text);
  return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("numbers, addresses, codes and paths can be recognized where they come up again") {
  CHECK(texts_in("account 48,213,975.") == Texts{"number 48213975"});
  CHECK(texts_in(R"({"account": 48213975})") == Texts{"number 48213975"});
  CHECK(texts_in("see https://Example.org/a?b=1, then") == Texts{"url https://example.org/a?b=1"});
  CHECK(texts_in("to Ada@example.org") == Texts{"mail ada@example.org"});
  CHECK(texts_in("commit 5f3a9c21d0") == Texts{"code 5f3a9c21d0"});
  CHECK(texts_in("in src/a.cpp") == Texts{"path src/a.cpp"});
}

TEST_CASE("dates, versions and short numbers come up again by chance") {
  for (const char* text : {"2026-05-04", "09:30:11", "v2.1", "utf8", "42", "1,2,3", "", "-"})
    CHECK(texts_in(text) == Texts{});
}

TEST_CASE("the leaves of JSON have the names of their members") {
  const std::vector<JsonLeaf> leaves =
      leaves_of(R"({"a": 0, "b": {"c": "x\"y"}, "d": [1, null], "e": [], "f": ""})");
  REQUIRE(leaves.size() == 6);
  CHECK(leaves[0].name == "a");
  CHECK(leaves[0].is_default);
  CHECK(leaves[1].name == "c");
  CHECK(leaves[1].value == "x\"y");
  CHECK(leaves[2].value == "1");
  CHECK(leaves[3].is_default);
  CHECK(leaves[4].value == "[]");
  CHECK(leaves[5].is_default);
  CHECK(leaves_of("no JSON").empty());
  CHECK_NOTHROW(leaves_of(R"({"a": "torn)"));
}

TEST_CASE("a value is nearly another one by one character or two that are swapped") {
  const auto near_to = [](const char* text, const char* known) {
    return find_near(tokens_in(text).front(),
                     [&](uint64_t hash) { return hash == hash_of(known); });
  };
  CHECK(near_to("48231975", "48213975") == "48213975");
  CHECK(near_to("48214975", "48213975") == "48213975");
  CHECK(near_to("48213975", "48213999").empty());
  // Ids and line numbers count up.
  CHECK(near_to("48213976", "48213975").empty());
}

TEST_CASE("words of doubt are whole words") {
  CHECK(is_hedged("Let us assume that it is 42."));
  CHECK(is_hedged("I simulated the page."));
  CHECK_FALSE(is_hedged("A hammock is unassuming."));
  CHECK_FALSE(is_hedged("It is 42."));
}
