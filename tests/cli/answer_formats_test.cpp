#include "cli/answer_formats.h"

#include <catch2/catch.hpp>

namespace xtrace {

TEST_CASE("the ending of a file name selects the format") {
  const ViewEntry& dag = *find_view("dag");
  CHECK(format_of_file("out/graph.json", dag) == "json");
  CHECK(format_of_file("notes.md", dag) == "markdown");
  CHECK(format_of_file("graph.mmd", dag) == "mermaid");
  CHECK(format_of_file("page.htm", dag) == "html");
  CHECK(format_of_file("run.db", dag) == "sqlite");
  CHECK(format_of_file("result.xml", *find_view("eval")) == "junit");
}

TEST_CASE("an ending that means no format selects none") {
  const ViewEntry& dag = *find_view("dag");
  CHECK(format_of_file("graph", dag)->empty());
  CHECK(format_of_file("logs.d/graph", dag)->empty());
  CHECK(format_of_file("graph.out", dag)->empty());
  CHECK(format_of_file("result.xml", dag)->empty());
}

TEST_CASE("a file that no output can be is refused") {
  const auto png = format_of_file("graph.png", *find_view("dag"));
  REQUIRE_FALSE(png);
  CHECK(png.error().exit == Exit::usage);
  CHECK(png.error().what.starts_with("-o graph.png: there is no png output; formats: text, json"));
}

}  // namespace xtrace
