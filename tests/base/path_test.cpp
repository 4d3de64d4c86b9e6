#include "base/path.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("a path below a folder has no detours") {
  CHECK(path_below("web", "./a.py") == "web/a.py");
  CHECK(path_below("web/src", "../test//a.py") == "web/test/a.py");
  CHECK(path_below("web", "../../a.py") == "../a.py");
  CHECK(path_below("/", "../srv") == "/srv");
  CHECK(path_below("web", "") == "");
}

TEST_CASE("an absolute path is below no other folder") {
  for (const char* path : {"/a.py", "~/a.py", "~", "C:\\a.py", "c:/a.py", "\\\\srv\\a"}) {
    CHECK(is_absolute_path(path));
    CHECK(path_below("web", path) == path);
  }
  CHECK_FALSE(is_absolute_path("a.py"));
  CHECK_FALSE(is_absolute_path("~a"));
}
