#include "live/parts.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

RecordAt record(uint32_t line) {
  return {0, line, line * uint64_t{10}, 5};
}

RecordIds ids(std::vector<uint64_t> of) {
  RecordIds ids;
  ids.ids = std::move(of);
  return ids;
}

RecordIds ids(std::vector<uint64_t> of, std::vector<uint64_t> tasks) {
  RecordIds all = ids(std::move(of));
  all.tasks = std::move(tasks);
  return all;
}

}  // namespace

TEST_CASE("records that share an id are one part") {
  Parts parts;
  parts.add(record(1), ids({1}));
  parts.add(record(2), ids({2}));
  CHECK(parts.size() == 2);
  CHECK(parts.touched().size() == 2);
  parts.add(record(3), ids({2, 3}));
  std::vector<Parts::Touched> touched = parts.touched();
  REQUIRE(touched.size() == 1);
  REQUIRE(touched.front().parts.size() == 1);
  CHECK(parts[touched.front().parts.front()].records.size() == 2);
  CHECK_FALSE(parts.any_touched());
}

TEST_CASE("a record with the ids of two parts joins them") {
  Parts parts;
  parts.add(record(1), ids({1}));
  parts.add(record(2), ids({2}));
  parts.note_all_shown();
  parts.add(record(3), ids({1, 2}));
  CHECK(parts.size() == 1);
  std::vector<Parts::Touched> touched = parts.touched();
  REQUIRE(touched.size() == 1);
  REQUIRE(touched.front().parts.size() == 1);
  const Parts::Part& part = parts[touched.front().parts.front()];
  CHECK(part.records.size() == 3);
  CHECK(part.shown == 2);  // what was shown is first
  CHECK_FALSE(part.rows.is_known);
  parts.add(record(4), ids({2}));
  CHECK(parts[parts.touched().front().parts.front()].records.size() == 4);
}

TEST_CASE("parts of one task are a group, and stay parts") {
  Parts parts;
  parts.add(record(1), ids({1}, {9}));
  parts.add(record(2), ids({2}, {9}));
  parts.add(record(3), ids({3}, {8}));
  CHECK(parts.size() == 3);
  CHECK(parts.touched().size() == 2);
  parts.add(record(4), ids({2}, {9}));
  std::vector<Parts::Touched> touched = parts.touched();
  REQUIRE(touched.size() == 1);
  CHECK(touched.front().parts.size() == 1);
  CHECK(touched.front().group->parts.size() == 2);
  parts.add(record(5), ids({1, 3}));
  CHECK(parts.size() == 2);
  CHECK(parts.touched().front().group->parts.size() == 2);
}

TEST_CASE("calls of a task may be linked with any other one of it") {
  Parts parts;
  RecordIds call = ids({1}, {9});
  call.has_calls = true;
  parts.add(record(1), ids({2}, {9}));
  CHECK(parts.touched().front().group->is_joined_by_order());
  parts.add(record(2), call);
  CHECK_FALSE(parts.touched().front().group->is_joined_by_order());
}

TEST_CASE("what was shown stays known of parts that nothing came to since") {
  Parts parts;
  parts.add(record(1), ids({1}));
  parts.add(record(2), ids({2}));
  parts.touched();
  parts.add(record(3), ids({2}));
  parts.note_all_shown();
  CHECK(parts[0].rows.is_known);
  CHECK_FALSE(parts[1].rows.is_known);
}

TEST_CASE("a record that says nothing belongs to no part") {
  Parts parts;
  parts.add(record(1), ids({}));
  CHECK(parts.size() == 0);
}

TEST_CASE("a part knows whether there are thoughts beside it") {
  Parts parts;
  RecordIds thought = ids({1});
  thought.has_thoughts = true;
  parts.add(record(1), thought);
  parts.add(record(2), ids({2}));
  for (const Parts::Touched& touched : parts.touched()) {
    const Parts::Counts& counts = touched.group->counts;
    CHECK(parts.has_thoughts_beside(counts) == (counts.thoughts == 0));
  }
}

TEST_CASE("the first thought concerns every part") {
  Parts parts;
  parts.add(record(1), ids({1}));
  parts.touched();
  RecordIds thought = ids({2});
  thought.has_thoughts = true;
  parts.add(record(2), thought);
  CHECK(parts.touched().size() == 2);
  parts.add(record(3), thought);
  CHECK(parts.touched().size() == 1);
}
