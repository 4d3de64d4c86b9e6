#include "doc/colours.h"

#include <catch2/catch.hpp>
#include <set>

using namespace xtrace;

TEST_CASE("a kind has one colour, and another one hardly ever the same") {
  CHECK(colours_of("Explore").fill == "#B2EBF2");
  CHECK(colours_of("reviewer").fill == colours_of("reviewer").fill);
  std::set<std::string> looks;
  for (const char* kind : {"main", "Explore", "Plan", "reviewer", "editor", "writer", "helper",
                           "agent", "resource", "principal"})
    looks.insert(colours_of(kind).fill + colours_of(kind).border);
  CHECK(looks.size() == 10);
}

TEST_CASE("of what a log calls a colour only colours are taken") {
  CHECK(colours_told("#00ff7f").border == "#00FF7F");
  CHECK(colours_told("#00ff7f").fill == "#BFFFDF");
  CHECK(colours_told("purple").border == "#BA68C8");
  for (const char* other :
       {"", "#fff", "#12345g", "#1234567", "rgb(1,2,3)", "javascript:x", "Purple "})
    CHECK(colours_told(other).border.empty());
}
