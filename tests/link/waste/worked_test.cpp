#include "link/waste/worked.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

using std::chrono::seconds;

Worked at_work(int from, int until, uint32_t session = 0) {
  return {session, Time(seconds(1000 + from)), seconds(until - from)};
}

}  // namespace

TEST_CASE("what went on at the same time in one session counts once") {
  CHECK(time_of({at_work(0, 10), at_work(10, 15)}) == seconds(15));
  CHECK(time_of({at_work(0, 10), at_work(5, 15)}) == seconds(15));
  CHECK(time_of({at_work(0, 10), at_work(2, 4), at_work(3, 5)}) == seconds(10));
  CHECK(time_of({at_work(5, 15), at_work(0, 10, 1), at_work(0, 10)}) == seconds(25));
  CHECK(time_of({at_work(0, 10), {0, kNoTime, seconds(3)}}) == seconds(13));
}

TEST_CASE("what went on between two moments is left out") {
  std::vector<Worked> worked = {at_work(0, 10), at_work(12, 14), at_work(20, 30)};
  leave_out(Time(seconds(1004)), Time(seconds(1022)), worked);
  CHECK(time_of(worked) == seconds(12));
  leave_out(kNoTime, Time(seconds(2000)), worked);
  CHECK(time_of(worked) == seconds(12));
}
