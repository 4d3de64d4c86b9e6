#include "serve/rate_limit.h"

#include <catch2/catch.hpp>

using namespace xtrace::serve;
using namespace std::chrono_literals;

TEST_CASE("a client asks so often at once, and then so often a second") {
  RateLimit rate(2, 3);
  const RateLimit::Clock::time_point now{1h};
  CHECK((rate.take(now) && rate.take(now) && rate.take(now)));
  CHECK(!rate.take(now));
  CHECK(!rate.take(now + 400ms));
  CHECK(rate.take(now + 900ms));
  CHECK(!rate.take(now + 900ms));
  CHECK((rate.take(now + 1h) && rate.take(now + 1h) && rate.take(now + 1h)));
  CHECK(!rate.take(now + 1h));
}
