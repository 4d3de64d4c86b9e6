#include "base/newlines.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

namespace xtrace {

TEST_CASE("newlines are counted in texts of any length, from any byte on") {
  std::string text;
  for (size_t i = 0; i < 10'000; ++i) text += i % 7 == 0 || i % 100 < 3 ? '\n' : 'a';
  for (size_t begin : {0u, 1u, 15u, 63u})
    for (size_t length : {0u, 1u, 15u, 16u, 17u, 255u, 4'080u, 4'096u, 9'000u}) {
      const std::string_view part = std::string_view(text).substr(begin, length);
      CHECK(count_newlines(part) == static_cast<size_t>(std::ranges::count(part, '\n')));
    }
}

TEST_CASE("newlines are counted where every byte is one") {
  CHECK(count_newlines(std::string(5'000, '\n')) == 5'000);
}

}  // namespace xtrace
