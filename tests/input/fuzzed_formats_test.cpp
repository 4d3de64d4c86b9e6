#include <catch2/catch.hpp>
#include <set>
#include <sstream>

#include "input/common/format.h"
#include "reading.h"

using namespace xtrace;

TEST_CASE("every format is fuzzed") {
  std::istringstream logs(project_file("tests/fuzz/logs"));
  std::set<std::string> fuzzed;
  for (std::string line; std::getline(logs, line);)
    if (!line.starts_with('#')) fuzzed.insert(line.substr(0, line.find(':')));
  CHECK(fuzzed.contains("any"));
  for (const Format& format : formats()) {
    CAPTURE(format.name);
    CHECK(fuzzed.contains(std::string(format.name)));
  }
}
