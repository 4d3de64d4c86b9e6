#include "base/zone.h"

#include <catch2/catch.hpp>
#include <cstdlib>

using namespace xtrace;

namespace {

/// As a machine of that zone shows it.
std::string shown(const char* zone, const char* moment) {
  setenv("TZ", zone, 1);
  const Moment at = *parse_time(moment);
  const Zone local = Zone::local();
  return local.show(at) + " " + local.name(at.time);
}

}  // namespace

TEST_CASE("a moment is told by the clock of a zone, summer and winter") {
  constexpr const char* kBerlin = "CET-1CEST,M3.5.0,M10.5.0/3";
  CHECK(shown(kBerlin, "2026-01-10T23:30:00Z") == "2026-01-11T00:30:00 CET");
  CHECK(shown(kBerlin, "2026-07-10T12:00:00.250Z") == "2026-07-10T14:00:00.250 CEST");
  CHECK(shown("<-0330>3:30", "2026-01-10T01:00:00Z") == "2026-01-09T21:30:00 -0330");
}

TEST_CASE("without a word of it times are in UTC, wherever the machine stands") {
  setenv("TZ", "CET-1", 1);
  const Moment at = *parse_time("2026-01-10T12:00:00Z");
  CHECK(Zone().show(at) == "2026-01-10T12:00:00");
  CHECK(Zone().name(at.time) == "UTC");
  CHECK(Zone().ahead(at.time) == Duration(0));
}
