#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>

#include "link/waste/found_waste.h"
#include "link/waste/wasteful_log.h"

using namespace xtrace;

namespace {

constexpr int kPlanted = 20;  // each kind is planted so often, each time otherwise

std::string huge_file(int i) {
  constexpr std::array kFolders = {"src", "/code/app", "lib/deep/er", "C:/code"};
  return fmt::format("{}/part{}.cpp", kFolders[static_cast<size_t>(i) % kFolders.size()], i);
}

/// What is done before, so that nothing is at an end.
WastefulLog begun_with(int i) {
  WastefulLog log;
  log.user("do it").reads(huge_file(100 + i)).runs("ls", "a b c");
  return log;
}

}  // namespace

TEST_CASE("a huge result of which no word comes up again was not needed") {
  for (int i = 0; i < kPlanted; ++i) {
    WastefulLog log = begun_with(i);
    log.reads(huge_file(i), many_words(fmt::format("unheard{}of", i), 1500));
    log.runs("ls lib", "d e f").says("it is done");
    log.user("thanks").says("you are welcome");
    CHECK(found_in(log.text()) == "unused_result 1");
    // Of one that is used, a word comes up.
    WastefulLog other = begun_with(i);
    other.reads(huge_file(i), many_words(fmt::format("unheard{}of", i), 1500));
    other.runs("ls lib", "d e f").says(fmt::format("it is unheard{}of17", i));
    CHECK(found_in(other.text()) == "");
  }
}

TEST_CASE("that a huge result was not needed is surer when three answers did without it") {
  const auto sure_behind = [](int answers) {
    WastefulLog log = begun_with(0);
    log.reads(huge_file(0), many_words("unheardof", 1500)).says("done");
    for (int i = 1; i < answers; ++i) log.user("more").says("as said");
    return found_in(log.text(), 0.65);
  };
  CHECK(sure_behind(2) == "");
  CHECK(sure_behind(3) == "unused_result 1");
}

TEST_CASE("of a huge result, common words tell of its use only if nobody said them before") {
  std::string plain;  // nothing that somebody made up
  for (int i = 0; i < 3000; ++i)
    plain += fmt::format("word{}{}{} ", char('a' + i % 26), char('a' + i / 26 % 26),
                         char('a' + i / 676));
  const auto answered = [&](const std::string& said) {
    WastefulLog log = begun_with(0);
    log.user("think of wordaaa").says("so I do");
    log.reads(huge_file(0), plain);
    for (int i = 0; i < 5; ++i) log.user("more").says("as said");
    log.user("and?").says(said);
    return found_in(log.text());
  };
  CHECK(answered("nothing of it") == "unused_result 1");
  CHECK(answered("it is Wordaaa") == "unused_result 1");
  CHECK(answered("it is Wordbaa") == "");
}

TEST_CASE("of many huge results, those were used of which a word comes up behind them") {
  const auto plain = [](char first) {  // nothing that somebody made up
    std::string words;
    for (int i = 0; i < 3000; ++i)
      words += fmt::format("word{}{}{}{} ", first, char('a' + i % 26), char('a' + i / 26 % 26),
                           char('a' + i / 676));
    return words;
  };
  const auto answered = [&](const std::string& said) {
    WastefulLog log = begun_with(0);
    log.reads(huge_file(0), plain('a'));
    for (int i = 0; i < 5; ++i) log.user("think of wordcaaa").says("so I do");
    log.reads(huge_file(1), plain('b')).reads(huge_file(2), plain('c') + plain('b'));
    for (int i = 0; i < 5; ++i) log.user("more").says("as said");
    log.user("and?").says(said);
    return found_in(log.text());
  };
  CHECK(answered("nothing of it") == "unused_result 1\nunused_result 1\nunused_result 1");
  CHECK(answered("it is wordcaaa") == "unused_result 1\nunused_result 1\nunused_result 1");
  CHECK(answered("it is wordaaaa") == "unused_result 1\nunused_result 1");
  CHECK(answered("it is wordcbaa") == "unused_result 1\nunused_result 1");
  CHECK(answered("it is wordaaaa and wordcbaa") == "unused_result 1");
  CHECK(answered("it is wordbaaa") == "unused_result 1\nunused_result 1");
}

TEST_CASE("of a huge result without spaces, what is quoted shows that it was used") {
  const auto answered = [](const std::string& said) {
    std::string plain;  // characters side by side that are so but once
    for (int i = 0; i < 6000; ++i) {
      const int at = i * 37 % 6000;
      plain += fmt::format("{}{}{}", char(0xe5 + at / 4096), char(0x80 + at / 64 % 64),
                           char(0x80 + at % 64));
      if (i % 40 == 39) plain += "\n";
    }
    WastefulLog log = begun_with(0);
    log.reads(huge_file(0), plain).says(said.empty() ? plain.substr(30, 12) : said);
    for (int i = 0; i < 3; ++i) log.user("more").says("as said");
    return found_in(log.text());
  };
  CHECK(answered("") == "");
  CHECK(answered("nothing of it") == "unused_result 1");
}

TEST_CASE("of a huge result, words that any text has tell little of its use") {
  const auto answered = [](int answers) {
    WastefulLog log = begun_with(0);
    log.reads(huge_file(0), many_words("unheardof", 1500) + " return the default value");
    for (int i = 0; i < answers; ++i) log.says("it does return a default").user("more");
    return found_in(log.text(), 0.65);
  };
  CHECK(answered(2) == "");
  CHECK(answered(4) == "unused_result 1");
}

TEST_CASE("of tests that pass, nothing but that is of use") {
  WastefulLog log = begun_with(0);
  log.runs("pytest -v", many_words("test_unheardof", 1500));
  for (int i = 0; i < 4; ++i) log.says("all is green").user("more");
  CHECK(found_in(log.text()) == "");
}
