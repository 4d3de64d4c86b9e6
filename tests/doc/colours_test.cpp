#include "doc/colours.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

#include "doc/hues.h"

using namespace xtrace;

TEST_CASE("a kind has one colour, and another one hardly ever the same") {
  CHECK(colours_of("Explore").fill == "#D0E3ED");
  CHECK(colours_of("reviewer").fill == colours_of("reviewer").fill);
  std::set<std::string> looks;
  for (const char* kind : {"main", "Explore", "Plan", "reviewer", "editor", "writer", "helper",
                           "agent", "resource", "principal"})
    looks.insert(colours_of(kind).fill + colours_of(kind).border);
  CHECK(looks.size() == 10);
}

TEST_CASE("a kind has one hue, whatever draws it") {
  CHECK(hue_of("main") == 6);
  CHECK(hue_of("span") == kGreyHue);
  CHECK(known_hue("reviewer") == std::nullopt);
  // Those that a hash chooses have the fill of their hue.
  std::map<uint32_t, std::string> fills;
  for (const char* kind : {"reviewer", "editor", "writer", "helper", "planner", "tester", "coder",
                           "critic", "judge", "scout"}) {
    const auto [found, is_new] = fills.emplace(hue_of(kind), colours_of(kind).fill);
    CHECK(found->second == colours_of(kind).fill);
  }
  CHECK(fills.size() > 3);
}

TEST_CASE("marks stand out from the ground in both themes") {
  const auto brightness = [](std::string_view colour) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      const double part =
          std::stoi(std::string(colour.substr(1 + 2 * static_cast<size_t>(i), 2)), nullptr, 16) /
          255.0;
      const double linear = part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
      sum += linear * std::array{0.2126, 0.7152, 0.0722}[static_cast<size_t>(i)];
    }
    return sum;
  };
  const auto contrast = [&](std::string_view a, std::string_view b) {
    const double one = brightness(a) + 0.05, other = brightness(b) + 0.05;
    return std::max(one, other) / std::min(one, other);
  };
  for (const auto& [light, dark] : kHuePalette) {
    CHECK(contrast(light, "#f5f6f8") >= 3);
    CHECK(contrast(dark, "#1c2027") >= 3);
  }
}

TEST_CASE("of what a log calls a colour only colours are taken") {
  CHECK(read_colours("#00ff7f").border == "#00FF7F");
  CHECK(read_colours("#00ff7f").fill == "#BFFFDF");
  CHECK(read_colours("purple").border == "#BA68C8");
  for (const char* other :
       {"", "#fff", "#12345g", "#1234567", "rgb(1,2,3)", "javascript:x", "Purple "})
    CHECK(read_colours(other).border.empty());
}
