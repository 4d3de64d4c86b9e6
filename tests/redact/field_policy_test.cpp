#include "redact/field_policy.h"

#include <catch2/catch.hpp>

#include "made_secret.h"
#include "redact/door.h"

using namespace xtrace;

namespace {

FieldPolicy policy() {
  FieldPolicy fields;
  fields.drop = {"ssn"};
  fields.mask = {"customername"};
  return fields;
}

}  // namespace

TEST_CASE("a field is dropped, hidden or shown by its name, however that is written") {
  Door door(Redaction::all, Door::Level::full, 200, policy());
  CHECK(door.field("SSN", "1").empty());
  CHECK(door.field("user.ssn", "1").empty());
  CHECK(door.field("customer-name", "Jane").view() == "[REDACTED:field:2]");
  CHECK(door.field("customerName", "Jane").view() == "[REDACTED:field:2]");
  CHECK(door.field("city", "Braga, a@x.org").view() == "Braga, [REDACTED:email:1]");
  CHECK(door.redactor().counts().at("field") == 4);
}

TEST_CASE("a name that says secret hides any value") {
  Door door(Redaction::all, Door::Level::full, 200);
  for (const char* key : {"password", "X-Api-Key", "authorization", "clientSecret", "set-cookie",
                          "refresh_token", "db.passwd"})
    CHECK(door.field(key, "plain words").view() == "[REDACTED:field:1]");
  for (const char* key : {"max_tokens", "token_count", "passed", "secretary"})
    CHECK(door.field(key, "17").view() == "17");
  CHECK(door.field("token", "true").view() == "true");
  CHECK(door.field("token", std::string("sk-") + "ant-api03-" + body(30)).view() ==
        "[REDACTED:anthropic_key:1]");
}

TEST_CASE("a field is payload: none at level basic, and all where redaction is off") {
  Door basic(Redaction::all, Door::Level::basic, 200, policy());
  CHECK(basic.field("city", "Braga").empty());
  CHECK(basic.field("password", "x").empty());
  Door off(Redaction::off, Door::Level::full, 200, policy());
  CHECK(off.field("ssn", "1").view() == "1");
  CHECK(off.field("password", "x").view() == "x");
}

TEST_CASE("long blocks of code are cut, replacements in them are not") {
  FieldPolicy fields;
  fields.max_code = 10;
  CHECK(fields.with_short_code("a ```py\nshort = 1\n``` b") == "a ```py\nshort = 1\n``` b");
  CHECK(fields.with_short_code("a ```py\n0123456789abcde\n``` b ```\nxxxxxxxxxxxx\n```") ==
        "a ```py\n0123456789… [16 characters of code]\n``` b "
        "```\nxxxxxxxxxx… [13 characters of code]\n```");
  CHECK(fields.with_short_code("```\nab [REDACTED:email:1] c") ==
        "```\nab … [23 characters of code]\n");
  CHECK(FieldPolicy{}.with_short_code("```\n0123456789abc\n```") == "```\n0123456789abc\n```");
  Door door(Redaction::all, Door::Level::full, 200, fields);
  CHECK(door.payload("```\nmail a@x.org now\n```").view() ==
        "```\nmail … [28 characters of code]\n```");
}

TEST_CASE("a revealed record shows its texts as they are, and no other does") {
  const std::string path = "a.jsonl";
  Door door(Redaction::all, Door::Level::full, 200);
  door.reveal(RecordPlace{path, 100, 2, false});
  door.reveal("id of b@x.org");
  {
    Door::At at(door, {path, 100, 2, false});
    CHECK(door.payload("a@x.org").view() == "a@x.org");
    CHECK(door.name("a@x.org").view() == "a@x.org");
    CHECK(door.field("password", "x").view() == "x");
    Door::At inside(door, {path, 0, 1, false});
    CHECK(door.name_once("a@x.org").view() == "[REDACTED:email:1]");
  }
  CHECK(door.payload("a@x.org").view() == "[REDACTED:email:1]");
  CHECK(door.name("a@x.org").view() == "[REDACTED:email:1]");
  CHECK(door.name("id of b@x.org").view() == "id of b@x.org");
}

TEST_CASE("the audit knows rule, number, length and place of each replacement") {
  const std::string path = "a.jsonl";
  Door door(Redaction::all, Door::Level::full, 200);
  Audit audit;
  door.keep(audit);
  {
    Door::At at(door, {path, 0, 7, false});
    door.payload("ä a@x.org b%40x.org");
  }
  door.name("a@x.org");
  REQUIRE(audit.entries.size() == 3);
  CHECK(audit.entries[0].rule == "email");
  CHECK(audit.entries[0].number == 1);
  CHECK(audit.entries[0].characters == 7);
  CHECK(audit.entries[0].place.line == 7);
  CHECK(audit.entries[1].number == 2);
  CHECK(audit.entries[1].characters == 9);
  CHECK(audit.entries[2].number == 1);
  CHECK(audit.entries[2].place.path.empty());
}
