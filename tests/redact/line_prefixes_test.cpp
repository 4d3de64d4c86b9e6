#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <sstream>

#include "base/digits.h"
#include "made_secret.h"
#include "redact/redact.h"

using namespace xtrace;

namespace {

using Lines = std::vector<std::string>;

/// What a program puts before line `n` of a file, counted from 1.
using Prefix = std::string (*)(size_t n, bool is_match);
constexpr Prefix kPrefixes[] = {
    [](size_t n, bool) { return "/srv/keys/a.pem:" + std::to_string(n) + ":"; },
    [](size_t n, bool is_match) {  // grep -n -A 30
      return "keys/a.pem" + std::string(is_match ? ":" : "-") + std::to_string(n + 96) +
             (is_match ? ":" : "-");
    },
    [](size_t, bool is_match) { return std::string("a.pem") + (is_match ? ":" : "-"); },
    [](size_t n, bool) { return std::string(n > 2 ? 4 : 5, ' ') + std::to_string(n + 7) + "\t"; },
    [](size_t n, bool) { return "2026-03-01T12:00:0" + std::to_string(n) + "Z web_1  | "; },
    [](size_t, bool) { return std::string("+"); },
    [](size_t, bool) { return std::string("@ignore  # "); },
};

std::string with_prefixes(const Lines& lines, Prefix prefix, const std::string& line_break) {
  std::string text = "before" + line_break;
  for (size_t i = 0; i < lines.size(); ++i) text += prefix(i + 1, i == 0) + lines[i] + line_break;
  return text + "after";
}

std::string hide_keys(const std::string& text) {
  return Redactor().redact(text);
}

/// Lines of a key, each different.
Lines key_lines(size_t count) {
  Lines lines;
  const std::string key = body(64 * count, kBase64Digits);
  for (size_t i = 0; i < count; ++i) lines.push_back(key.substr(64 * i, 64));
  return lines;
}

Lines with_header(Lines lines, const std::string& header, const std::string& footer) {
  lines.insert(lines.begin(), header);
  if (!footer.empty()) lines.push_back(footer);
  return lines;
}

}  // namespace

TEST_CASE("a key is found after whatever a program puts before each of its lines") {
  const std::string dashes(5, '-'), kind = " PRIV" + ("ATE KEY" + dashes);
  // In pieces, so that nobody takes the test for one that leaks.
  const auto header = [&](const char* word) { return fmt::format("{}{}{}", dashes, word, kind); };
  Lines short_end = key_lines(4);
  short_end.back().resize(22);
  for (const Lines& lines :
       {with_header(key_lines(1), header("BEGIN"), header("END")),
        with_header(short_end, header("BEGIN RSA"), header("END RSA")),
        with_header(key_lines(2), "Private" + std::string("-Lines: 2"), "Private-MAC: 0a1b"),
        with_header({body(80, kHex), body(80, kHex)}, "$ANSIBLE" + std::string("_VAULT;1.1;AES256"),
                    "")})
    for (const Prefix prefix : kPrefixes)
      for (const char* line_break : {"\n", "\r\n", "\\n", "\\\\n"}) {
        const std::string text = with_prefixes(lines, prefix, line_break), hidden = hide_keys(text);
        INFO(text << "\n" << hidden);
        CHECK(hidden.find(lines[1]) == std::string::npos);
        CHECK(hidden.find(lines[lines.size() - 2].substr(0, 20)) == std::string::npos);
        CHECK(hidden.starts_with("before"));
        CHECK(hidden.ends_with("after"));
        CHECK(hide_keys(hidden) == hidden);
      }
}

TEST_CASE("lines of a key without its header are found after prefixes, and other lines stay") {
  const Lines lines = key_lines(4);
  for (const Prefix prefix : kPrefixes) {
    const std::string text = with_prefixes(lines, prefix, "\n");
    INFO(text);
    for (const std::string& line : lines) CHECK(hide_keys(text).find(line) == std::string::npos);
    Lines certificate = with_header(lines, "-----BEGIN CERTIFICATE-----", "");
    const std::string open = with_prefixes(certificate, prefix, "\n");
    CHECK(hide_keys(open) == open);
    const std::string sums =
        with_prefixes({body(64, kHex), body(64, kHex), body(64, kHex)}, prefix, "\n");
    CHECK(hide_keys(sums) == sums);
  }
}

TEST_CASE("a key ends where the prefix does") {
  const std::string dashes(5, '-'), kind = " PRIV" + ("ATE KEY" + dashes);
  const std::string text = "a.pem:1:" + dashes + "BEGIN" + kind + "\na.pem:2:" + body(64) +
                           "\nInternationalization of b.pem is another matter\n";
  CHECK(hide_keys(text) ==
        "a.pem:1:[REDACTED:pem:1]\nInternationalization of b.pem is another matter\n");
}

TEST_CASE("headers and lines with prefixes take time in proportion to their length") {
  const std::string dashes(5, '-');
  for (const std::string& unit : {"a:1:" + dashes + "BEGIN \n", "a:1:" + dashes + "BEGIN ",
                                  "a:1:" + body(64) + "\n", "+" + body(64) + "\n"}) {
    std::string text;
    while (text.size() < 300'000) text += unit;
    INFO(unit);
    CHECK(hide_keys(text) == text);
  }
}
