#include "render/markdown_text.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("names, times, paths and amounts stand in Markdown as they are") {
  for (std::string_view text :
       {"file_risk_report", "09:00:04", "fixtures/a.jsonl:12", "$0.0042", "<$0.0001",
        "≥$1.34 (98%)", "claude-opus-4-5", "agent:booking → resource:recipes",
        "note: 12:34:56 was late!", "3 of 4 passed; pass rate 0.75", "cost: list prices", "日本語"})
    CHECK(markdown_text(text) == text);
}

TEST_CASE("what Markdown or HTML would make something of is code") {
  for (std::string_view text :
       {"a*b", "_a_", "e[f](g)", "<img src=x>", "a & b", "http://x", "at :100: and", "a:b:c",
        ":smile:", "WWW.x.org", "@you", "a@b.c", "#12", "~x~", "\\*", "- x", "1. x", "---", "==="})
    CHECK(markdown_text(text) == '`' + std::string(text) + '`');
}

TEST_CASE("code stands between more backticks than are in it") {
  CHECK(markdown_text("a`b") == "``a`b``");
  CHECK(markdown_text("`a``") == "``` `a`` ```");
}

TEST_CASE("a bar does not end a cell") {
  CHECK(markdown_cell("a|b") == "`a\\|b`");
  CHECK(markdown_text("a|b") == "`a|b`");
}

TEST_CASE("no name in Markdown acts on a terminal that shows it") {
  CHECK(markdown_text("\x1b[31mred") == "`\\x1b[31mred`");
  CHECK(markdown_text("a\u202Eb") == "`a\\u202eb`");
  CHECK(markdown_text(std::string("a\0b", 3)) == "`a\\x00b`");
}

TEST_CASE("several lines are one in Markdown, and none is nothing") {
  CHECK(markdown_text("one\ntwo\r\nthree") == "one two  three");
  CHECK(markdown_text(" \n ").empty());
}
