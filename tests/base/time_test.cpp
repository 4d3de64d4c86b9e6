#include "base/time.h"

#include <catch2/catch.hpp>
#include <string>

using namespace xtrace;
using namespace std::chrono_literals;

namespace {

/// What a time reads as, written again; "none" if it is none.
std::string again(const char* text) {
  std::optional<Moment> moment = parse_time(text);
  return moment ? format_time(*moment) : "none";
}
std::string epoch(const char* number) {
  std::optional<Moment> moment = parse_epoch(number);
  return moment ? format_time(*moment) : "none";
}

}  // namespace

TEST_CASE("a moment has as many digits as it needs, and those that were given") {
  const auto digits = [](int64_t ns, int given) {
    return int{decimals_of(Time{Duration{ns}}, static_cast<uint8_t>(given))};
  };
  CHECK(digits(5'000'000'000, 0) == 0);
  CHECK(digits(5'000'000'000, 3) == 3);
  CHECK(digits(5'250'000'000, 2) == 2);
  CHECK(digits(5'987'000'000, 0) == 3);
  CHECK(digits(5'987'600'000, 3) == 6);
  CHECK(digits(5'987'654'321, 6) == 9);
  CHECK(digits(-1'500'000'000, 0) == 3);
}

TEST_CASE("times keep the precision they were written with") {
  CHECK(again("2026-03-01T10:00:00Z") == "2026-03-01T10:00:00Z");
  CHECK(again("2026-03-01T10:00:00.5Z") == "2026-03-01T10:00:00.5Z");
  CHECK(again("2026-03-01T10:00:00.123456Z") == "2026-03-01T10:00:00.123456Z");
  CHECK(again("2026-03-01T10:00:00.123456789123Z") == "2026-03-01T10:00:00.123456789Z");
}

TEST_CASE("times are told in UTC, whatever zone they were written in") {
  CHECK(again("2026-03-01T10:00:00+02:00") == "2026-03-01T08:00:00Z");
  CHECK(again("2026-03-01T01:00:00+0530") == "2026-02-28T19:30:00Z");
  CHECK(again("2026-03-01T10:00:00-08") == "2026-03-01T18:00:00Z");
  CHECK(again("2026-03-01 10:00:00") == "2026-03-01T10:00:00Z");
  CHECK(again("2026-03-01t10:00:00,25z") == "2026-03-01T10:00:00.25Z");
}

TEST_CASE("leap days and leap seconds") {
  CHECK(again("2024-02-29T12:00:00Z") == "2024-02-29T12:00:00Z");
  CHECK(again("2026-02-29T12:00:00Z") == "none");
  CHECK(again("2016-12-31T23:59:60Z") == "2017-01-01T00:00:00Z");
}

TEST_CASE("what is not a time is none") {
  for (const char* text :
       {"", "yesterday", "2026", "2026-03-01", "2026-13-01T10:00:00Z", "2026-00-01T10:00:00Z",
        "2026-03-32T10:00:00Z", "2026-03-01T24:00:00Z", "2026-03-01T10:60:00Z",
        "2026-03-01T10:00:61Z", "2026-03-01T10:00Z", "2026-03-01T10:00:00ZZ",
        "2026-03-01T10:00:00+2", "2026-03-01T10:00:00+24:00", "2026-03-01T10:00:00+02:60",
        "-026-03-01T10:00:00Z", "1677-12-31T23:59:59Z", "2262-01-01T00:00:00Z",
        "  2026-03-01T10:00:00Z"})
    CHECK(again(text) == "none");
  CHECK(again("1678-01-01T00:00:00Z") == "1678-01-01T00:00:00Z");
  CHECK(again("2261-12-31T23:59:59Z") == "2261-12-31T23:59:59Z");
}

TEST_CASE("numbers since 1970 tell their unit by their size") {
  CHECK(epoch("0") == "1970-01-01T00:00:00Z");
  CHECK(epoch("1772359200") == "2026-03-01T10:00:00Z");
  CHECK(epoch("1772359200.293292") == "2026-03-01T10:00:00.293292Z");
  CHECK(epoch("1772359200293") == "2026-03-01T10:00:00.293Z");
  CHECK(epoch("1772359200293292") == "2026-03-01T10:00:00.293292Z");
  CHECK(epoch("1772359200293292123") == "2026-03-01T10:00:00.293292123Z");
}

TEST_CASE("numbers that are no time are none") {
  for (const char* number : {"", "-1", "1e9", "12a", ".5", "99999999999999999999", "1 "})
    CHECK(epoch(number) == "none");
}

TEST_CASE("lengths of time are told as people tell them") {
  CHECK(format_span(0ms) == "0ms");
  CHECK(format_span(850ms) == "850ms");
  CHECK(format_span(999'499us) == "999ms");
  CHECK(format_span(999'500us) == "1.0s");
  CHECK(format_span(12'640ms) == "12.6s");
  CHECK(format_span(59'949ms) == "59.9s");
  CHECK(format_span(59'950ms) == "1m00s");
  CHECK(format_span(185s) == "3m05s");
  CHECK(format_span(2h + 7min) == "2h07m");
  CHECK(format_span(24h * 3 + 4h) == "3d04h");
  CHECK(format_span(-12'600ms) == "-12.6s");
  CHECK(format_span(Duration::min()).starts_with("-"));
}

TEST_CASE("lengths of time are read as people write them") {
  CHECK(parse_span("90s") == Duration(90s));
  CHECK(parse_span("5m") == Duration(5min));
  CHECK(parse_span("1h30m") == Duration(90min));
  CHECK(parse_span("2d") == Duration(48h));
  for (const char* text :
       {"", "5", "m", "5 m", "5x", "-5m", "1.5h", "9999999999s", "99999d", "5m "})
    CHECK_FALSE(parse_span(text).has_value());
}

TEST_CASE("what is unknown stays unknown") {
  Time known{1s};
  CHECK(elapsed(kNoTime, known) == kNoDuration);
  CHECK(elapsed(known, kNoTime) == kNoDuration);
  CHECK(elapsed(known, known) == Duration(0));
  CHECK(after(kNoTime, 1s) == kNoTime);
  CHECK(after(known, kNoDuration) == known);
  CHECK(after(known, 1s) == Time(2s));
}
