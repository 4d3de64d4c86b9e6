#include "facts/rows.h"

#include <catch2/catch.hpp>
#include <random>

namespace xtrace {

namespace {

struct NumberedRow {
  MessageId message;
  size_t number = 0;
};

/// Rows of messages, some of which have many and most of which have none.
std::vector<NumberedRow> random_rows(std::mt19937& random) {
  std::vector<NumberedRow> rows;
  const size_t messages = random() % 200;
  for (size_t message = 0; message < messages; ++message)
    for (size_t left = random() % 3 == 0 ? random() % (random() % 9 == 0 ? 50 : 3) : 0; left > 0;
         --left)
      rows.push_back({MessageId(message), rows.size()});
  return rows;
}

}  // namespace

TEST_CASE("the rows of a message are all that have it, wherever they are in the table") {
  std::mt19937 random(7);
  for (int times = 0; times < 300; ++times) {
    const std::vector<NumberedRow> rows = random_rows(random);
    for (size_t message = 0; message < 210; ++message) {
      std::vector<size_t> wanted, found;
      for (const NumberedRow& row : rows)
        if (row.message == MessageId(message)) wanted.push_back(row.number);
      for (const NumberedRow& row : rows_of(rows, MessageId(message))) found.push_back(row.number);
      REQUIRE(found == wanted);
    }
    CHECK(rows_of(rows, MessageId()).empty());
  }
}

TEST_CASE("rows of no message are found, too") {
  const std::vector<NumberedRow> rows = {{MessageId(3), 0}, {MessageId(), 1}, {MessageId(), 2}};
  CHECK(rows_of(rows, MessageId()).size() == 2);
  CHECK(rows_of(rows, MessageId(3)).size() == 1);
  CHECK(rows_of(rows, MessageId(4)).empty());
}

}  // namespace xtrace
