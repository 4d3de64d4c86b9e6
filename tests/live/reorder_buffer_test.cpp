#include "live/reorder_buffer.h"

#include <catch2/catch.hpp>

using namespace xtrace;
using std::chrono::milliseconds;

namespace {

const ReorderBuffer::Clock::time_point kStart{};

RecordIds logged(int64_t when) {
  RecordIds ids;
  ids.logged = Time(milliseconds(when));
  return ids;
}

/// The lines that may go, in their order.
std::vector<uint32_t> lines(const std::vector<ReorderBuffer::Event>& events) {
  std::vector<uint32_t> lines;
  lines.reserve(events.size());
  for (const ReorderBuffer::Event& event : events) lines.push_back(event.record.line);
  return lines;
}

}  // namespace

TEST_CASE("an event goes at once when no other file can bring an earlier one") {
  ReorderBuffer order(milliseconds(100));
  order.add({0, 1, 0, 0}, logged(10), kStart);
  CHECK(lines(order.take(kStart)) == std::vector<uint32_t>{1});
  order.add({1, 2, 0, 0}, logged(5), kStart + milliseconds(1));  // late, but not held back
  CHECK(lines(order.take(kStart + milliseconds(1))) == std::vector<uint32_t>{2});
}

TEST_CASE("an event waits for a file that lags, for the window at most") {
  ReorderBuffer order(milliseconds(100));
  order.add({0, 1, 0, 0}, logged(10), kStart);
  order.take(kStart);
  order.add({1, 2, 0, 0}, logged(20), kStart + milliseconds(5));
  CHECK(order.take(kStart + milliseconds(5)).empty());
  CHECK(order.due() == kStart + milliseconds(100));  // by then the other file has fallen silent
  SECTION("the other file brings an earlier one") {
    order.add({0, 3, 0, 0}, logged(15), kStart + milliseconds(9));
    CHECK(lines(order.take(kStart + milliseconds(9))) == std::vector<uint32_t>{3});
    order.add({0, 4, 0, 0}, logged(25), kStart + milliseconds(12));
    CHECK(lines(order.take(kStart + milliseconds(12))) == std::vector<uint32_t>{2});
  }
  SECTION("the other file stays silent") {
    CHECK(lines(order.take(kStart + milliseconds(100))) == std::vector<uint32_t>{2});
  }
  SECTION("the other file only brings older ones") {
    order.add({0, 3, 0, 0}, logged(11), kStart + milliseconds(90));
    CHECK(lines(order.take(kStart + milliseconds(105))) == std::vector<uint32_t>{3, 2});
  }
}

TEST_CASE("an event without a time waits for nothing") {
  ReorderBuffer order(milliseconds(100));
  order.add({0, 1, 0, 0}, logged(10), kStart);
  order.add({1, 2, 0, 0}, {}, kStart);
  CHECK(lines(order.take(kStart)) == std::vector<uint32_t>{2, 1});
  CHECK(order.empty());
}
