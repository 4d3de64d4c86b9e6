#include "input/calls/known_lines.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace xtrace;

namespace {

/// A message long enough for a request to be worth knowing.
std::string message(char letter) {
  return fmt::format(R"({{"role":"user","content":"{}"}})", std::string(1500, letter));
}

/// A line whose request says these messages; `tail` follows them.
std::string line(const std::string& letters, const std::string& tail = R"(],"max_tokens":9})") {
  std::string messages;
  for (char letter : letters) messages += (messages.empty() ? "" : ",") + message(letter);
  return R"({"timestamp":"2026-03-01T10:00:00Z","body":{"model":"m","messages":[)" + messages +
         tail + R"(,"response":{"status":200}})";
}

Asked asked(size_t messages) {
  Asked asked;
  asked.steps.resize(messages);
  return asked;
}

std::string spliced(const KnownLines::Cut& cut) {
  return std::string(cut.spliced);
}

}  // namespace

TEST_CASE("of a line that repeats another only what is new is left to parse") {
  KnownLines known;
  std::string first = line("ab"), second = line("abc");
  CHECK_FALSE(known.cut(first));
  known.remember(first, asked(2));
  std::optional<KnownLines::Cut> cut = known.cut(second);
  REQUIRE(cut);
  // The last message that both have is parsed again: it may go on where the other ended.
  CHECK(cut->messages == 1);
  CHECK(spliced(*cut) == R"({"timestamp":"2026-03-01T10:00:00Z","body":{"messages":[)" +
                             message('b') + "," + message('c') + "],\"\x7f\":0}" +
                             R"(,"response":{"status":200}})");
  CHECK(known.asked(*cut).steps.size() == 1);
}

TEST_CASE("a line that was cut adds to the one it repeats") {
  KnownLines known;
  std::string first = line("ab"), second = line("abc"), third = line("abcd");
  known.remember(first, asked(2));
  std::optional<KnownLines::Cut> cut = known.cut(second);
  REQUIRE(cut);
  known.extend(*cut, asked(3));
  cut = known.cut(third);
  REQUIRE(cut);
  CHECK(cut->messages == 2);
}

TEST_CASE("a line is not cut where something else than its messages differs") {
  KnownLines known;
  known.remember(line("ab"), asked(2));
  CHECK_FALSE(known.cut(line("xbc")));                           // the first message
  CHECK_FALSE(known.cut(line("abc", R"(],"max_tokens":10})")));  // what follows them
  CHECK_FALSE(known.cut(line("abc\x7f")));                       // holds the mark itself
  known.forget();
  CHECK_FALSE(known.cut(line("abc")));
}

TEST_CASE("the beginning that two lines share holds no end of a line") {
  KnownLines known;
  std::string first = line("ab"), second = line("abc");
  known.remember(first, asked(2));
  size_t shared = known.known_prefix(second);
  CHECK(shared > first.find(message('b')));
  CHECK(shared <= second.size());
  CHECK(second.compare(0, shared, first, 0, shared) == 0);
  CHECK(known.known_prefix("{\"id\":1}") == 0);
}
