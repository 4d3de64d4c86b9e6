#include "serve/target.h"

#include <catch2/catch.hpp>

using namespace xtrace::serve;

TEST_CASE("a target is a path and parameters, decoded") {
  const Answered<Target> target = read_target("/lineage/run%201/dag?format=dot&node=a%2Bb+c&x");
  REQUIRE(target);
  CHECK(target->path == std::vector<std::string>{"lineage", "run 1", "dag"});
  REQUIRE(target->find("node") != nullptr);
  CHECK(*target->find("node") == "a+b c");
  CHECK(*target->find("format") == "dot");
  CHECK(target->find("x")->empty());
  CHECK(target->find("y") == nullptr);
  CHECK(read_target("/")->path.empty());
  CHECK(read_target("/a%2Fb")->path == std::vector<std::string>{"a/b"});
}

TEST_CASE("what is malformed in a target is refused, with what to write instead") {
  for (const char* text : {"", "*", "http://127.0.0.1/", "/%", "/%4", "/%zz", "/a?b=%0g", "/a%00b",
                           "/a?b=%00", "/a?b=%0a", "/\x01", "/a?b=1&b=2"}) {
    INFO(text);
    const Answered<Target> target = read_target(text);
    REQUIRE(!target);
    CHECK(target.error().status == 400);
    CHECK(target.error().what.size() > 20);
  }
}
