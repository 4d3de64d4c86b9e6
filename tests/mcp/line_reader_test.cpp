#include "mcp/line_reader.h"

#include <catch2/catch.hpp>

#include "base/system.h"
#include "reading.h"

using namespace xtrace;
using namespace xtrace::mcp;

namespace {

/// The lines of a text, one that is too long as `(too long)`.
std::vector<std::string> lines_of(const std::string& text) {
  const Folder folder;
  const File file = open_file(folder.write("requests", text), Access::read);
  LineReader reader(file.fd());
  std::vector<std::string> lines;
  while (std::optional<LineReader::Line> line = reader.next())
    lines.push_back(line->is_too_long ? "(too long)" : line->text);
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("blank lines are skipped, and the last line needs no newline") {
  CHECK(lines_of("").empty());
  CHECK(lines_of("\n \r\n") == Lines{});
  CHECK(lines_of("a\n\nb") == Lines{"a", "b"});
  CHECK(lines_of("a\r\n") == Lines{"a\r"});
}

TEST_CASE("a line that is too long is reported once, and the next is read") {
  const std::string long_line(3 * kLongestLine, 'x');
  CHECK(lines_of("a\n" + long_line + "\nb\n") == Lines{"a", "(too long)", "b"});
  CHECK(lines_of(long_line) == Lines{"(too long)"});
  const std::string just_fits(kLongestLine, 'x');
  CHECK(lines_of(just_fits + "\n") == Lines{just_fits});
}
