#include "render/markdown_text.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("no name can make Markdown or HTML of itself") {
  CHECK(markdown_text("a*b_c`d|e[f](g)") == "a\\*b\\_c\\`d\\|e\\[f\\](g)");
  CHECK(markdown_text("<img src=x> & @you") == "&lt;img src=x&gt; &amp; &#64;you");
  CHECK(markdown_text("http://x") == "http&#58;//x");
}

TEST_CASE("no name in Markdown acts on a terminal that shows it") {
  CHECK(markdown_text("\x1b[31mred") == "\\\\x1b\\[31mred");
  CHECK(markdown_text("a\u202Eb") == "a\\\\u202eb");
  CHECK(markdown_text(std::string("a\0b", 3)) == "a\\\\x00b");
}

TEST_CASE("several lines are one in Markdown") {
  CHECK(markdown_text("one\ntwo\r\nthree") == "one two  three");
}
