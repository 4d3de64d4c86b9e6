#include <catch2/catch.hpp>
#include <sstream>

#include "doc/add_row.h"
#include "render/renderer.h"

using namespace xtrace;

namespace {

constexpr Column kColumns[] = {{"name", ""}, {"tokens.input", "", CellKind::integer}};

/// What a table of these rows is written as, after its header.
class Written {
 public:
  Written& row(std::string_view name, Cell cell = {}) {
    add_row(table_, {door_.name(name), cell});
    return *this;
  }
  std::string as(void (*write)(const Document&, const Paper&, std::ostream&)) {
    Document document("test");
    document.add(Table{"inputs", kColumns, {Text("an input"), {}}});
    document.add(table_);
    document.add(Table{"others", kColumns, {Text("other"), {}}});
    std::ostringstream out;
    Paper paper;
    paper.table = which_;
    write(document, paper, out);
    return out.str();
  }
  Written& which(std::string table) { return which_ = std::move(table), *this; }
  CellArena& arena() { return arena_; }

 private:
  Door door_{Redaction::all, Door::Level::basic, 200};
  CellArena arena_;
  Table table_{"rows", kColumns};
  std::string which_;
};

std::string csv(std::string_view name) {
  std::string text = Written().row(name).as(write_csv);
  return text.substr(text.find('\n') + 1);
}

}  // namespace

TEST_CASE("csv is the first table of what was asked, with lines as RFC 4180 ends them") {
  CHECK(Written().row("a", int64_t{5}).row("b").as(write_csv) ==
        "name,tokens.input\r\na,5\r\nb,\r\n");
  CHECK(Written().row("a").which("others").as(write_csv) == "name,tokens.input\r\nother,\r\n");
}

TEST_CASE("csv quotes what holds a comma or a quote") {
  CHECK(csv("a,b") == "\"a,b\",\r\n");
  CHECK(csv("say \"hi\"") == "\"say \"\"hi\"\"\",\r\n");
}

TEST_CASE("csv has no cell that a spreadsheet takes for a formula") {
  CHECK(csv("=1+1") == "'=1+1,\r\n");
  CHECK(csv("+1") == "'+1,\r\n");
  CHECK(csv("-x") == "'-x,\r\n");
  CHECK(csv("@SUM(A1)") == "'@SUM(A1),\r\n");
  CHECK(csv(" =1") == "' =1,\r\n");
  CHECK(csv("\uff1d1") == "'\uff1d1,\r\n");
  CHECK(csv("a=1") == "a=1,\r\n");
}

TEST_CASE("csv leaves numbers numbers, also those below nothing") {
  CHECK(Written().row("a", int64_t{-5}).as(write_csv).ends_with("a,-5\r\n"));
}

TEST_CASE("csv writes a list as JSON, in one cell") {
  Written written;
  const Texts* list = written.arena().keep(Texts{Text("x"), Text("y")});
  CHECK(written.row("a", list).as(write_csv).ends_with("a,\"[\"\"x\"\", \"\"y\"\"]\"\r\n"));
}

TEST_CASE("csv spells out what acts on a terminal, so that a row is a line") {
  CHECK(csv("a\nb") == "a\\x0ab,\r\n");
  CHECK(csv("a\x1b[31m").find('\x1b') == std::string::npos);
}

TEST_CASE("markdown writes all tables, and leaves out columns of which nothing is known") {
  CHECK(Written().row("a").as(write_markdown) ==
        "# xtrace test\n\n"
        "## inputs\n\n| name |\n| --- |\n| an input |\n\n"
        "## rows\n\n| name |\n| --- |\n| a |\n\n"
        "## others\n\n| name |\n| --- |\n| other |\n\n");
  CHECK(Written().row("a", int64_t{5}).which("rows").as(write_markdown) ==
        "| name | tokens.input |\n| --- | ---: |\n| a | 5 |\n\n");
}

TEST_CASE("markdown shows as code what would end a cell, or is a tag or a link") {
  Written written;
  CHECK(written.row("a|b <i> [x](http://y) `c` *d*").which("rows").as(write_markdown) ==
        "| name |\n| --- |\n"
        "| ``a\\|b <i> [x](http://y) `c` *d*`` |\n\n");
}
