#include "mcp/pages.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "mcp/tokens.h"

using namespace xtrace::mcp;

namespace {

std::string numbered_lines(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i)
    text += fmt::format("line {} of an answer, in ten words or so\n", i);
  return text;
}

/// The cursor in the last line of a page; empty: it has none.
std::string cursor_of(const std::string& page) {
  const size_t begin = page.rfind("cursor \"");
  return begin == std::string::npos ? std::string()
                                    : page.substr(begin + 8, page.rfind('"') - begin - 8);
}

std::string without_footer(const std::string& page) {
  return cursor_of(page).empty() ? page : page.substr(0, page.rfind('['));
}

/// All pages from a first one on, joined; each has at most so many tokens.
std::string read_on(const Pages& pages, std::string page, size_t max_tokens) {
  std::string text;
  for (;;) {
    CHECK(estimate_tokens(page) <= max_tokens);
    text += without_footer(page);
    const std::string cursor = cursor_of(page);
    if (cursor.empty()) return text;
    page = pages.next(cursor, max_tokens).value();
  }
}

}  // namespace

TEST_CASE("an answer that fits has no cursor") {
  Pages pages;
  CHECK(pages.first("short\n", 500) == "short\n");
  CHECK(pages.first("", 500).empty());
}

TEST_CASE("the pages of a long answer are within the limit and add up to it") {
  Pages pages;
  const std::string text = numbered_lines(200);
  CHECK(read_on(pages, pages.first(text, 500), 500) == text);
  CHECK(read_on(pages, pages.first(text, 1000), 1000) == text);
}

TEST_CASE("a line that alone is too long is cut between characters") {
  Pages pages;
  std::string text;
  for (int i = 0; i < 4000; ++i) text += "≥";
  const std::string page = pages.first(text, 500);
  CHECK(estimate_tokens(page) <= 500);
  CHECK(without_footer(page).size() % std::string("≥\n").size() != 1);
  CHECK(!cursor_of(page).empty());
}

TEST_CASE("equal answers have equal cursors, and an old or wrong cursor has no page") {
  Pages pages;
  const std::string text = numbered_lines(100);
  const std::string cursor = cursor_of(pages.first(text, 500));
  CHECK(cursor_of(pages.first(text, 500)) == cursor);
  CHECK(pages.next(cursor, 500));
  for (const char* wrong : {"", "-", "0", "zz-1", "-ffffffffffffffffff"})
    CHECK(!pages.next(wrong, 500));
  CHECK(!pages.next(cursor.substr(0, cursor.find('-')) + "-ffffff", 500));
  for (size_t i = 0; i < 20; ++i) pages.first(fmt::format("{}{}", i, text), 500);
  CHECK(!pages.next(cursor, 500));
}

TEST_CASE("tokens are estimated by words, digits and signs") {
  CHECK(estimate_tokens("") == 0);
  CHECK(estimate_tokens("word") == 2);
  CHECK(estimate_tokens(std::string(400, 'a')) == 110);
  CHECK(estimate_tokens(std::string(300, '7')) == 110);
  CHECK(estimate_tokens(std::string(100, ' ')) == 2);
  CHECK(estimate_tokens("≥≥≥≥≥≥≥≥≥≥") == 11);
}
