#include "view/why/parallel.h"

#include <catch2/catch.hpp>

namespace xtrace {

namespace {

using Groups = std::vector<std::vector<size_t>>;

Groups groups(std::initializer_list<int> milliseconds) {
  std::vector<Time> starts;
  for (int one : milliseconds)
    starts.push_back(one < 0 ? kNoTime
                             : Time(std::chrono::seconds(9) + std::chrono::milliseconds(one)));
  return parallel_groups(starts, std::chrono::milliseconds(100)).groups;
}

}  // namespace

TEST_CASE("any two that start less than the window apart share a group") {
  CHECK(groups({0, 99, 100, 150, 250}) == Groups{{0, 1}, {1, 2, 3}});
  CHECK(groups({0, 60, 120, 121, 400}) == Groups{{0, 1}, {1, 2, 3}});
}

TEST_CASE("groups do not chain: all of one start within the window after its first") {
  CHECK(groups({0, 50, 100, 150}) == Groups{{0, 1}, {1, 2}, {2, 3}});
}

TEST_CASE("a group within another one is left out, and what starts the window later is outside") {
  CHECK(groups({0, 10, 20}) == Groups{{0, 1, 2}});
  CHECK(groups({0, 100}).empty());
  CHECK(groups({}).empty());
}

TEST_CASE(
    "of thousands that start one after another the first groups are told, the others counted") {
  constexpr size_t kStarts = 3000, kTold = 1000;
  const auto apart = [](std::chrono::milliseconds step) {
    std::vector<Time> starts;
    for (size_t i = 0; i < kStarts; ++i)
      starts.push_back(Time(std::chrono::seconds(9) + static_cast<int64_t>(i) * step));
    return parallel_groups(starts, std::chrono::milliseconds(100));
  };
  const ParallelGroups found = apart(std::chrono::milliseconds(1));
  REQUIRE(found.groups.size() == kTold);
  CHECK(found.groups.back().front() == kTold - 1);
  CHECK(found.groups.back().size() == 100);
  CHECK(found.omitted == kStarts - 100 + 1 - kTold);
  const ParallelGroups at_once = apart(std::chrono::milliseconds(0));
  CHECK(at_once.groups.size() == 1);
  CHECK(at_once.groups.front().size() == kStarts);
  CHECK(at_once.omitted == 0);
}

TEST_CASE("what nobody knows the start of ran beside nothing") {
  CHECK(groups({0, 10, -1, -1}) == Groups{{0, 1}});
}

}  // namespace xtrace
