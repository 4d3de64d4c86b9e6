#include "link/reuse/token.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace xtrace;

namespace {

/// `mail a@b.example, number 1234567`
std::string tokens(std::string_view text, size_t least_digits = kLeastDigits) {
  std::string found;
  find_tokens(text, least_digits, false, [&](const Token& token) {
    found += found.empty() ? "" : ", ";
    found += std::string(word(token.kind)) + ' ' + token.normal;
  });
  return found;
}

/// `base64 hello world`
std::string layers(std::string_view text) {
  std::string found;
  each_layer(text, [&](std::string_view layer, Encoding encoding) {
    if (encoding == Encoding::none) return;
    found += found.empty() ? "" : ", ";
    found += std::string(word(encoding)) + ' ' + std::string(layer);
  });
  return found;
}

}  // namespace

TEST_CASE("what is written in two ways has one normal form") {
  CHECK(tokens("pay DE02 1203 0000 0000 2020 51 now") == "iban DE02120300000000202051");
  CHECK(tokens("DE02120300000000202051") == "iban DE02120300000000202051");
  CHECK(tokens("Write to Ada.Byron@Mill.Example.") == "mail ada.byron@mill.example");
  CHECK(tokens("(HTTPS://Mill.Example/a?b=C).") ==
        "url https://mill.example/a?b=C, host mill.example");
  CHECK(tokens("+49 731 555-0142") == "phone +497315550142");
  CHECK(tokens("1,234,567 and 7654321") == "number 1234567, number 7654321");
  CHECK(tokens("4111 1111 1111 1111") == "card 4111111111111111");
  CHECK(tokens("commit 0A1B2C3D4E5F60718293") == "hash 0a1b2c3d4e5f60718293");
}

TEST_CASE("an account number with a wrong check digit is none") {
  CHECK(tokens("DE03 1203 0000 0000 2020 51").find("iban") == std::string::npos);
}

TEST_CASE("dates, times, versions and short numbers are no tokens") {
  for (const char* text :
       {"2026-04-01", "20260401", "20260401T083000Z", "1775000000", "1775000000123", "12345",
        "v1.2.3", "gpt-4o", "us-east-1", "claude-opus-4-1-20250805", "98.70"})
    CHECK(tokens(text) == "");
  CHECK(tokens("12345", 5) == "number 12345");
}

TEST_CASE("a path has a folder or a known ending, and is no phrase") {
  CHECK(tokens("see /srv/kiln/notes.md, please") == "path /srv/kiln/notes.md");
  CHECK(tokens("okonjo-report.txt") == "path okonjo-report.txt");
  for (const char* text : {"and/or", "24/7", "text/html", "/dev/null", "package.json", "e.g."})
    CHECK(tokens(text) == "");
}

TEST_CASE("a part of a token is none, except for the host of an address") {
  CHECK(tokens("https://a.example/id/99887766") ==
        "url https://a.example/id/99887766, host a.example");
  CHECK(tokens("orders77@mill.example") == "mail orders77@mill.example");
  CHECK(tokens("KX44-7719-0031") == "code KX44-7719-0031");
}

TEST_CASE("what is encoded in a text is looked at too") {
  CHECK(layers("https://a.example/c?d=b3JkZXJzNzdAbWlsbC5leGFtcGxl&e=5") ==
        "query b3JkZXJzNzdAbWlsbC5leGFtcGxl, base64 orders77@mill.example, query 5, "
        "base64 orders77@mill.example");
  CHECK(layers("say%20hello%20to") == "percent say hello to");
  CHECK(layers(R"({"a": "{\"b\": 1}"})") == R"(json {"a": "{"b": 1}"})");
  CHECK(layers("6f72646572733737406d696c6c") == "hex orders77@mill");
  CHECK(layers("plain words, nothing else") == "");
}

TEST_CASE("lines that decoding does not change are not shown again") {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "line " + std::to_string(i) + " of a long and plain text\n";
  const size_t middle = text.find("line 100");
  text.insert(middle, R"(says \"order 77120934 now\")"
                      "\n");
  std::vector<std::string> all, decoded;
  each_layer(text, [&](std::string_view layer, Encoding) { all.emplace_back(layer); });
  each_decoded(text, [&](std::string_view layer, Encoding) { decoded.emplace_back(layer); });
  REQUIRE(all.size() == 2);
  REQUIRE(decoded.size() == 2);
  CHECK(decoded[0] == text);
  CHECK(decoded[1].find(R"(says "order 77120934 now")") != std::string::npos);
  CHECK(all[1].find(decoded[1]) != std::string::npos);
  CHECK(decoded[1].find("line 99 ") != std::string::npos);  // what is looked for may begin there
  CHECK(decoded[1].size() < text.size() / 5);
}

TEST_CASE("a long word before an address does not hide it") {
  const std::string word(5000, 'a');
  CHECK(tokens(word + "://mill.example/x").find("host mill.example") != std::string::npos);
}
