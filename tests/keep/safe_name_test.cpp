#include "keep/safe_name.h"

#include <catch2/catch.hpp>
#include <set>

#include "base/text.h"

using namespace xtrace;

namespace {

/// The name without the digest that has to be there.
std::string before_digest(std::string_view id) {
  std::string name = safe_file_name(id);
  size_t tilde = name.rfind('~');
  REQUIRE(tilde != std::string::npos);
  REQUIRE(name.size() == tilde + 17);
  CHECK(name.find_first_not_of("0123456789abcdef", tilde + 1) == std::string::npos);
  return name.substr(0, tilde);
}

std::vector<std::string> hostile_ids() {
  std::vector<std::string> ids = {"",
                                  ".",
                                  "..",
                                  "...",
                                  "/",
                                  "//",
                                  "../../etc/passwd",
                                  "/etc/passwd",
                                  "C:\\Windows\\system.ini",
                                  "\\\\host\\share",
                                  "-rf",
                                  "--output",
                                  ".hidden",
                                  "~root",
                                  "~",
                                  "a b",
                                  " a",
                                  "a ",
                                  "a.",
                                  "a\n",
                                  "a\x1b[31m",
                                  std::string("a\0b", 3),
                                  std::string("\0", 1),
                                  "\x7f",
                                  "CON",
                                  "con",
                                  "Nul.json",
                                  "COM1",
                                  "lpt9.txt",
                                  "aux:stream",
                                  "PRN.",
                                  "COM\u00b9",
                                  "lpt\u00b3.json",
                                  "CONIN$",
                                  "\xff\xfe",
                                  "a\xc3",
                                  "\xed\xa0\x80",
                                  "\xc0\xaf\xc0\xaf",
                                  "a\u202egpj.exe",
                                  "\u2066x\u2069",
                                  "zero\u200bwidth",
                                  "a\u2028b",
                                  "\ufeffa",
                                  "日本語の質問",
                                  "nai\u0308ve",
                                  "na\u00efve",
                                  "\U0001F600",
                                  "a\u2215b",
                                  "a?b*c|d<e>f\"g",
                                  "$(reboot)",
                                  "`reboot`",
                                  "a;b&c",
                                  std::string(201, 'a'),
                                  std::string(1'000'000, 'a'),
                                  std::string(1'000'000, '/'),
                                  std::string(999'999, '.') + "a"};
  std::string wide;
  for (int i = 0; i < 1000; ++i) wide += "\u65e5";
  ids.push_back(wide);
  ids.push_back("x" + wide);
  ids.push_back("xy" + wide);
  return ids;
}

}  // namespace

TEST_CASE("an ordinary id is its own name") {
  for (std::string_view id : {"q1", "Q-2026-01-31", "req_011CSHoEeqs5C35K2UUqR7Fy",
                              "2a4c7ab2-8bf3-4b6c-9c5e-6c8a4b3f9d10", "user:maya@example.com",
                              "a+b=c", "v1.2.3", "_x", "a..b", "console", "COM", "COM10", "lpt"})
    CHECK(safe_file_name(id) == id);
  std::string longest(200, 'a');
  CHECK(safe_file_name(longest) == longest);
}

TEST_CASE("no id leads anywhere else or upsets a file system") {
  std::set<std::string> names;
  std::vector<std::string> ids = hostile_ids();
  for (const std::string& id : ids) {
    INFO(printable(std::string_view(id).substr(0, 50)));
    std::string name = safe_file_name(id);
    CHECK(name == safe_file_name(id));
    CHECK(name != id);
    CHECK(names.insert(name).second);
    CHECK(name.size() <= 200);
    CHECK(name.find_first_of(std::string_view("/\\\0\n\"'`$;&|<>?* ", 16)) == std::string::npos);
    CHECK(std::string_view("-. ").find(name.front()) == std::string_view::npos);
    CHECK(printable(name) == name);
    CHECK(name.find("\uFFFD") == std::string::npos);
    before_digest(id);
  }
}

TEST_CASE("what can be read of an id stays readable") {
  CHECK(before_digest("../../etc/passwd") == "_._.._etc_passwd");
  CHECK(before_digest("/etc/passwd") == "_etc_passwd");
  CHECK(before_digest("what is x?") == "what_is_x_");
  CHECK(before_digest("日本語") == "日本語");
  CHECK(before_digest("nai\u0308ve") == "nai\u0308ve");
  CHECK(before_digest("a\u202eb") == "a_b");
  CHECK(before_digest("CON") == "_CON");
  CHECK(before_digest("nul.json") == "_nul.json");
  CHECK(before_digest("COM\u00b2.json") == "_COM\u00b2.json");
  CHECK(before_digest("") == "_");
  CHECK(before_digest("[REDACTED:email:1]") == "_REDACTED:email:1_");
}

TEST_CASE("a long name ends with a whole character") {
  std::string wide = "x";
  for (int i = 0; i < 100; ++i) wide += "日";
  std::string kept = before_digest(wide);
  CHECK(kept.size() == 181);  // 183 would be in the middle of one
  CHECK(kept.ends_with("日"));
}

TEST_CASE("ids that are replaced by the same words have different names") {
  CHECK(safe_file_name("a/b") != safe_file_name("a\\b"));
  CHECK(safe_file_name("a/b") != safe_file_name("a_b"));
  CHECK(safe_file_name(std::string(300, 'a')) != safe_file_name(std::string(301, 'a')));
  // Nor can an ordinary id take the name of another one, for it holds no `~`.
  std::string taken = safe_file_name("a/b");
  CHECK(safe_file_name(taken) != taken);
}

TEST_CASE("the digest is that of the id") {
  CHECK(name_with_digest("name", "abc") == "name~ba7816bf8f01cfea");
  CHECK(safe_file_name("a b") == "a_b~c8687a08aa5d6ed2");
}
