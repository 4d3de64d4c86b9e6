#include "input/common/values.h"

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <utility>

namespace xtrace {

namespace {

/// What ValueScanner finds, byte by byte.
class SlowScanner {
 public:
  size_t feed(std::string_view bytes) {
    for (size_t at = 0; at < bytes.size(); ++at)
      if (ends_at(bytes[at])) return at + 1;
    return bytes.size();
  }
  bool closed() const { return opened_ && depth_ == 0; }

 private:
  bool ends_at(char c) {
    if (in_string_) {
      const bool was_escaped = std::exchange(escaped_, false);
      if (was_escaped) return false;
      escaped_ = c == '\\';
      in_string_ = c != '"';
      return false;
    }
    in_string_ = c == '"';
    if (c == '{' || c == '[') {
      opened_ = true;
      ++depth_;
    }
    return (c == '}' || c == ']') && depth_ > 0 && --depth_ == 0;
  }

  size_t depth_ = 0;
  bool opened_ = false, in_string_ = false, escaped_ = false;
};

}  // namespace

TEST_CASE("a value ends at the same byte however it is cut into pieces") {
  std::mt19937 random(7);
  const auto below = [&](size_t most) { return static_cast<size_t>(random()) % most; };
  constexpr std::string_view kBytes[] = {
      "{}[]\"\\a{[\"\"aaaaaaaaaaaaaaaaaaaaaaaaaaaa",  // of all kinds
      "{}[]\"a{[\"\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",  // without escapes
      "{[{[{[a\"\"aaaa}",                             // deep
  };
  for (size_t made = 0; made < 20'000; ++made) {
    std::string text = "{";
    const std::string_view bytes = kBytes[made % std::size(kBytes)];
    for (size_t left = below(400); left > 0; --left) text += bytes[below(bytes.size())];
    ValueScanner scanner;
    SlowScanner slow;
    for (std::string_view rest = text; !rest.empty() && !slow.closed();) {
      const std::string_view piece = rest.substr(0, 1 + below(rest.size()));
      const size_t passed = slow.feed(piece);
      INFO(text);
      REQUIRE(scanner.feed(piece) == passed);
      REQUIRE(scanner.closed() == slow.closed());
      rest.remove_prefix(passed);
    }
  }
}

TEST_CASE("braces in a long string close nothing") {
  const std::string text = R"({"a":")" + std::string(1'000, '}') + R"(","b":[{}]} )";
  ValueScanner scanner;
  CHECK(scanner.feed(text) == text.size() - 1);
  CHECK(scanner.closed());
}

}  // namespace xtrace
