#include "facts/step.h"

#include <catch2/catch.hpp>

#include "facts/message.h"
#include "facts/rows.h"

using namespace xtrace;

TEST_CASE("each of two uses with one id is given what it was given itself") {
  const std::vector<ToolArguments> given = {{"t-1", "1"}, {"t-1", "2"}};
  CHECK(arguments_of(given, "t-1", 0) == "1");
  CHECK(arguments_of(given, "t-1", 1) == "2");
}

TEST_CASE("a use that stands elsewhere in its answer is found by its id") {
  const std::vector<ToolArguments> given = {{"t-1", "1"}, {"t-2", "2"}};
  CHECK(arguments_of(given, "t-2", 0) == "2");
  CHECK(arguments_of(given, "t-1", 7) == "1");
  CHECK(arguments_of(given, "t-3", 0).empty());
}

TEST_CASE("without ids arguments belong to uses by their place") {
  const std::vector<ToolArguments> given = {{"", "1"}, {"", "2"}};
  CHECK(arguments_of(given, "", 1) == "2");
  CHECK(arguments_of(given, "", 2).empty());
}

TEST_CASE("rows of a tool use are those of its place in its message") {
  std::vector<ToolTarget> table;
  for (uint32_t message : {1u, 1u, 1u, 2u})
    table.push_back({MessageId{message}, static_cast<uint32_t>(table.size() / 2), {}});
  CHECK(rows_of_use(table, MessageId{1}, 0).size() == 2);
  CHECK(rows_of_use(table, MessageId{1}, 1).size() == 1);
  CHECK(rows_of_use(table, MessageId{2}, 1).size() == 1);
  CHECK(rows_of_use(table, MessageId{2}, 0).empty());
}
