#include "view/common/words.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("of a path its folder is shown where there is room, and no part of a name before it") {
  CHECK(short_target("/srv/shop/till.py") == "…/shop/till.py");
  CHECK(short_target("till.py") == "till.py");
  CHECK(short_target("/srv/integration_test/mid_session_rebase_test.go") ==
        "…/mid_session_rebase_test.go");
  CHECK(short_target("/srv/a/" + std::string(40, 'x') + ".py") ==
        "…" + std::string(32, 'x') + ".py");
}
