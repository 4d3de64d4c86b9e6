#include "link/lines/file_history.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "link/lines/line_confidence.h"

namespace xtrace {
namespace {

/// The edit of each line, one character a line: `-` where none wrote it, `.` where it was there
/// before, and `?` behind those that are not only that edit's.
std::string writers(FileHistory& history, std::string_view file) {
  const std::vector<std::string_view> lines = lines_of(file);
  std::string text;
  for (const LineOrigin& origin :
       history.origins_of(lines, [](size_t, uint32_t) { return true; })) {
    const bool is_known = origin.edit != LineOrigin::kNone && evidence_of(origin);
    text += is_known ? fmt::format("{}", origin.edit) : origin.is_context ? "." : "-";
  }
  return text;
}
TextEdit whole(std::string text) {
  return {.after = std::move(text), .is_whole = true};
}
TextEdit change(std::string before, std::string after) {
  return {.before = std::move(before), .after = std::move(after)};
}

constexpr char kPlan[] = "pack the bags\nbuy the tickets\ncall the hotel\nwater the plants\n";

TEST_CASE("a line is the last edit's that changed it, and repeated lines keep their writer") {
  FileHistory history;
  history.apply(0, whole(kPlan));
  history.apply(1, change("buy the tickets\ncall the hotel",
                          "buy the tickets\nprint the tickets\ncall the hotel"));
  history.apply(2, change("print the tickets", "print all tickets"));
  CHECK(writers(history,
                "pack the bags\nbuy the tickets\nprint all tickets\ncall the hotel\n"
                "water the plants\n") == "00200");
}

TEST_CASE("a file that is written again as a whole keeps what it had") {
  FileHistory history;
  history.apply(0, whole(kPlan));
  history.apply(1, whole("read a guide book\n" + std::string(kPlan)));
  CHECK(writers(history, "read a guide book\n" + std::string(kPlan)) == "10000");
}

TEST_CASE("what an edit was given around its change was there before it") {
  FileHistory history;
  history.apply(0, change("pack the bags\ncall the hotel", "pack the bags\nring the hotel"));
  CHECK(writers(history, "pack the bags\nring the hotel\nwater the plants\n") == ".0-");
}

TEST_CASE("what an agent read before it wrote the whole file was not its own") {
  FileHistory history;
  history.note_contents(kPlan);
  history.apply(0, whole("read a guide book\n" + std::string(kPlan)));
  CHECK(writers(history, "read a guide book\n" + std::string(kPlan)) == "0....");
}

TEST_CASE("a change within a line is the edit's, also where the rest of the line is not known") {
  FileHistory known, unknown;
  known.apply(0, whole("total = price(amount, 3);\n"));
  known.apply(1, change("price(amount, 3)", "price(amount, 5)"));
  CHECK(writers(known, "total = price(amount, 5);\n") == "1");
  unknown.apply(0, change("price(amount, 3)", "price(amount, 5)"));
  CHECK(writers(unknown, "first of all\ntotal = price(amount, 5);\n") == "-0");
}

TEST_CASE("every place is replaced where an edit says so") {
  FileHistory history;
  history.apply(0, whole("open the door;\nclose the door;\nlock the gate;\n"));
  history.apply(1, {.before = "door", .after = "window", .is_everywhere = true});
  CHECK(writers(history, "open the window;\nclose the window;\nlock the gate;\n") == "110");
}

TEST_CASE("a formatter changes no writer") {
  FileHistory history;
  history.apply(0, whole("if (is_open('door')) {\n  close_all(doors, 3)\n}\nreturn is_open;\n"));
  CHECK(writers(history,
                "if ( is_open(\"door\") ) {\n    close_all(doors, 3);\n}\nreturn is_open;\n") ==
        "0000");
}

TEST_CASE("an edit after the commit of a line did not write it") {
  FileHistory history;
  history.apply(0, whole(kPlan));
  history.apply(1, change("call the hotel", "call the new hotel"));
  const std::vector<std::string_view> lines = {"pack the bags", "call the new hotel"};
  const std::vector<LineOrigin> origins =
      history.origins_of(lines, [](size_t line, uint32_t edit) { return line == 0 || edit == 0; });
  CHECK(origins[0].edit == 0);
  CHECK(origins[1].edit == LineOrigin::kNone);
}

TEST_CASE("lines end at line breaks, of whichever system") {
  CHECK(lines_of("").empty());
  CHECK(lines_of("a\r\nb\n") == std::vector<std::string_view>{"a", "b"});
  CHECK(lines_of("a\n\nb") == std::vector<std::string_view>{"a", "", "b"});
}

}  // namespace
}  // namespace xtrace
