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

TEST_CASE("what a clock shows is told of which moment it is, also where clocks change") {
  setenv("TZ", "EST5EDT,M3.2.0,M11.1.0", 1);
  const Zone local = Zone::local();
  const auto when = [&](const char* shown) {
    return format_time({local.when(parse_time(shown)->time), 0});
  };
  CHECK(when("2026-10-31T23:55:00Z") == "2026-11-01T03:55:00Z");
  CHECK(when("2026-11-01T00:30:00Z") == "2026-11-01T04:30:00Z");
  CHECK(when("2026-11-01T01:30:00Z") == "2026-11-01T05:30:00Z");  // and an hour later once more
  CHECK(when("2026-11-01T02:30:00Z") == "2026-11-01T07:30:00Z");
  CHECK(when("2026-03-08T01:30:00Z") == "2026-03-08T06:30:00Z");
  CHECK(when("2026-03-08T02:30:00Z") == "2026-03-08T07:30:00Z");  // no clock showed it
  CHECK(when("2026-03-08T03:30:00Z") == "2026-03-08T07:30:00Z");
}

TEST_CASE("without a word of it times are in UTC, wherever the machine stands") {
  setenv("TZ", "CET-1", 1);
  const Moment at = *parse_time("2026-01-10T12:00:00Z");
  CHECK(Zone().show(at) == "2026-01-10T12:00:00");
  CHECK(Zone().name(at.time) == "UTC");
  CHECK(Zone().ahead(at.time) == Duration(0));
}
