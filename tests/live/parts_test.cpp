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

}  // namespace

TEST_CASE("records that share an id are one part") {
  Parts parts;
  parts.add(record(1), ids({1}));
  parts.add(record(2), ids({2}));
  CHECK(parts.size() == 2);
  CHECK(parts.touched().size() == 2);
  parts.add(record(3), ids({2, 3}));
  std::vector<Parts::Part*> touched = parts.touched();
  REQUIRE(touched.size() == 1);
  CHECK(touched.front()->records.size() == 2);
  CHECK_FALSE(parts.any_touched());
}

TEST_CASE("a record with the ids of two parts joins them") {
  Parts parts;
  parts.add(record(1), ids({1}));
  parts.add(record(2), ids({2}));
  parts.note_all_shown();
  parts.add(record(3), ids({1, 2}));
  CHECK(parts.size() == 1);
  std::vector<Parts::Part*> touched = parts.touched();
  REQUIRE(touched.size() == 1);
  CHECK(touched.front()->records.size() == 3);
  CHECK(touched.front()->told == 2);  // what was shown stands first
  CHECK_FALSE(touched.front()->is_known);
  parts.add(record(4), ids({2}));
  CHECK(parts.touched().front()->records.size() == 4);
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
  for (Parts::Part* part : parts.touched())
    CHECK(parts.has_thoughts_beside(*part) == (part->thoughts == 0));
}
