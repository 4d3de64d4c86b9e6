#include "link/blame/likeness.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("commands that differ in little ask for nearly the same") {
  CHECK(are_alike("python hoge.py", "python3 hoge.py"));
  CHECK(are_alike("npm test", "npm run test"));
  CHECK(are_alike("mise run lint", "mise run fmt && mise run lint"));
  CHECK(are_alike("go test ./store", "go test ./store "));
}

TEST_CASE("other commands do not, nor does nothing") {
  CHECK_FALSE(are_alike("mise run fmt && mise run lint", "go test ./store/..."));
  CHECK_FALSE(are_alike("ls src", "ls docs"));
  CHECK_FALSE(are_alike("ls", "ls src/view"));
  CHECK_FALSE(are_alike("", ""));
  CHECK_FALSE(are_alike("", "ls src/view"));
}
