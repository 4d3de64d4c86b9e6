#include "join_page/style.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("both themes have rules that browsers of before 2024 know") {
  // The second rule of all, of which the page turns the condition.
  CHECK(with_both_themes(":root{--a:light-dark(#fff, #000);--b:1px}\np{color:var(--a)}") ==
        ":root{--a:#fff;--b:1px}\n"
        "@media screen and (prefers-color-scheme: dark) {:root {--a: #000;}}\np{color:var(--a)}");
  CHECK(with_both_themes("p{color:red}") == "p{color:red}");
  CHECK_THROWS(with_both_themes(":root{--a:light-dark(#fff)}"));
}

TEST_CASE("a page has the hues of pictures") {
  const std::string style = with_hues(":root{@HUES@}");
  CHECK(style.find("--hue-0: light-dark(#b67e00, #e69f00);") != std::string::npos);
  CHECK(style.find("--hue-8: ") != std::string::npos);
  CHECK(style.find('@') == std::string::npos);
}

TEST_CASE("a page has the rules of what its script draws") {
  const std::string style = "p,.bar i{a:b}.bar:is(.x,.y){c:d}@media print{.bar{e:f}}.line{g:h}";
  CHECK(style_for(style, "make('line')") == "p{a:b}.line{g:h}");
  CHECK(style_for("#app[data-view=x] p{a:b}", "'y'").empty());
  CHECK(!style_for("#app[data-view=x] p{a:b}", "'x'").empty());
  CHECK(style_for(style, "'bar'") == "p,.bar i{a:b}.bar:is(.x,.y){c:d}@media print{.bar{e:f}}");
}
