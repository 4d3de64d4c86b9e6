#include <catch2/catch.hpp>
#include <string>

#include "link/waste/word_set.h"

using namespace xtrace;

namespace {

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  for_each_word(text, [&](uint64_t, std::string_view word) {
    words.emplace_back(word);
    return true;
  });
  return words;
}

uint64_t name_of(std::string_view word) {
  std::vector<uint64_t> names;
  add_words(word, names);
  REQUIRE(names.size() == 1);
  return names.front();
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("words are of four or more letters, digits and underscores in a row") {
  CHECK(words_in("") == Words{});
  CHECK(words_in("a bcd efgh") == Words{"efgh"});
  CHECK(words_in("read_file(\"src/main.cpp\")") == Words{"read_file", "main"});
  CHECK(words_in("über Größe") == Words{"über", "Größe"});
}

TEST_CASE("of text without spaces each two characters side by side are a word") {
  CHECK(words_in("主要结论，很好") == Words{"主要", "要结", "结论", "很好"});
  CHECK(words_in("read 主 file主要") == Words{"read", "file", "主要"});
  CHECK(words_in("ภาษา") == Words{"ภา", "าษ", "ษา"});
  CHECK(words_in("trägt việt") == Words{"trägt", "việt"});
  CHECK(words_in("主\xe4").empty());
}

TEST_CASE("words of one name differ in capitals alone") {
  CHECK(name_of("README") == name_of("readme"));
  CHECK(name_of("readme") != name_of("readne"));
  for (size_t length : {7, 8, 9, 15, 16, 17}) {
    const std::string word(length, 'a');
    CHECK(name_of(word) != name_of(word + 'a'));
    CHECK(name_of('b' + word) != name_of(word + 'b'));
  }
}

TEST_CASE("no more words are named once it was enough") {
  int named = 0;
  for_each_word("some more words", [&](uint64_t, std::string_view) { return ++named < 2; });
  CHECK(named == 2);
}

TEST_CASE("a made-up name has an underscore, a capital within or a digit behind a letter") {
  for (std::string_view word : {"read_file", "readFile", "utf8"}) CHECK(is_made_up(word));
  for (std::string_view word : {"reader", "Reader", "READER", "2026"}) CHECK(!is_made_up(word));
}

TEST_CASE("a set of words has each once, until it is struck") {
  WordSet words({5, 3, 5, 3, 7});
  CHECK(words.size() == 3);
  CHECK(words.contains(3));
  CHECK(!words.contains(4));
  words.strike(4);
  words.strike(3);
  words.strike(3);
  CHECK(words.size() == 2);
  CHECK(!words.contains(3));
  words.strike(5);
  words.strike(7);
  CHECK(words.empty());
  CHECK(WordSet().empty());
}

TEST_CASE("a set of thousands of words finds each of them and no other") {
  std::vector<uint64_t> names;
  for (uint64_t i = 0; i < 5000; ++i) names.push_back(mixed(2 * i + 1));
  const WordSet words(names);
  size_t found = 0, wrong = 0;
  for (uint64_t i = 0; i < 5000; ++i) {
    found += words.contains(mixed(2 * i + 1));
    wrong += words.contains(mixed(2 * i + 2));
  }
  CHECK(found == 5000);
  CHECK(wrong == 0);
}
