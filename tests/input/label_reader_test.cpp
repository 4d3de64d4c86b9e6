#include "input/label_reader.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "input/common/labels.h"

using namespace xtrace;

namespace {

/// What `clearance` lets through of `text`, if this record is all that was read.
std::string shown(const std::string& record, const std::string& text,
                  const std::string& clearance = "internal",
                  const std::string& unlabelled = "secret") {
  auto texts = std::make_shared<ClearedTexts>(Clearance{clearance, unlabelled, {}});
  LabelReader reader(texts);
  simdjson::dom::parser parser;
  json::element root;
  REQUIRE_FALSE(parser.parse(record).get(root));
  reader.read(root, {}, {});
  return texts->show(text);
}

std::string label_of(const std::string& record) {
  simdjson::dom::parser parser;
  json::element root;
  REQUIRE_FALSE(parser.parse(record).get(root));
  return stated_label(root);
}

const std::string kSaid = "The lantern is under the bridge.";

}  // namespace

TEST_CASE("a record states its label in one of the fields of the table") {
  struct Row {
    const char *record, *label;
  };
  const Row rows[] = {
      {R"({"sensitivity":"internal"})", "internal"},
      {R"({"Classification":"Secret"})", "Secret"},
      {R"({"confidentiality":"confidencial"})", "confidencial"},
      {R"({"sigilo":"interno"})", "interno"},
      {R"({"metadata":{"sensitivity":"restricted"}})", "restricted"},
      {R"({"request":{"metadata":{"classification":"internal"}}})", "internal"},
      {R"({"attributes":{"data.classification":"secret"}})", "secret"},
      {R"({"attributes":[{"key":"sensitivity","value":{"stringValue":"secret"}}]})", "secret"},
      {R"({"resource":{"attributes":[{"key":"data.sensitivity","value":{"stringValue":"internal"}}]}})",
       "internal"},
      {R"({"tags":[{"key":"security.classification","type":"string","value":"secret"}]})",
       "secret"},
      {R"({"processes":{"p1":{"tags":[{"key":"classification","value":"internal"}]}}})",
       "internal"},
      {R"({"classification":{"level":"internal","by":"ann"}})", "internal"},
      {R"({"labels":{"sensitivity":"public"}})", "public"},
      // Access for some is not access for everyone.
      {R"({"acl":["group:board"]})", "restricted"},
      {R"({"allowed_groups":[]})", "restricted"},
      {R"({"acl":["group:board"],"sensitivity":"internal"})", "internal"},
      // Several labels: it is not known which one counts.
      {R"({"sensitivity":["public","secret"]})", "public, secret"},
      {R"({"sensitivity":"public","classification":"secret"})", "public, secret"},
      {R"({"sensitivity":null,"acl":null,"text":"Classification: none of ours"})", ""},
      {R"({"request":{"tool":{"classification":"spam"}}})", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.record);
    CHECK(label_of(row.record) == row.label);
  }
}

TEST_CASE("what a record says has its label") {
  CHECK(shown(R"({"sensitivity":"internal","text":")" + kSaid + "\"}", kSaid) == kSaid);
  CHECK(shown(R"({"sensitivity":"secret","text":")" + kSaid + "\"}", kSaid) == "[WITHHELD].");
  CHECK(shown(R"({"text":")" + kSaid + "\"}", kSaid) == "[WITHHELD]");
  CHECK(shown(R"({"text":")" + kSaid + "\"}", kSaid, "internal", "public") == kSaid);
}

TEST_CASE("a part has the label of the whole, or a higher one of its own") {
  const auto nested = [](const char* outer, const char* inner) {
    return fmt::format(R"({{"sensitivity":"{}","parts":[{{"sensitivity":"{}","text":"{}"}}]}})",
                       outer, inner, kSaid);
  };
  CHECK(shown(nested("public", "internal"), kSaid) == kSaid);
  CHECK(shown(nested("public", "secret"), kSaid) == "[WITHHELD].");
  CHECK(shown(nested("secret", "public"), kSaid) == "[WITHHELD].");
}

TEST_CASE("JSON in a text has the labels that it states") {
  const std::string inner =
      R"({\"documents\":[{\"classification\":\"secret\",\"text\":\")" + kSaid + R"(\"}]})";
  CHECK(shown(R"({"content":")" + inner + "\"}", kSaid, "internal", "public") == "[WITHHELD].");
  CHECK(shown(R"({"content":")" + inner + "\"}", "It says: " + kSaid, "internal", "public") ==
        "It says: [WITHHELD].");
}

TEST_CASE("a text has the label that its head states") {
  const std::string record = R"({"content":"Classification: SECRET\n)" + kSaid + "\"}";
  CHECK(shown(record, kSaid, "internal", "public") == "[WITHHELD].");
  CHECK(shown(record, kSaid, "secret", "public") == kSaid);
  CHECK(shown(R"({"content":"[INTERNAL]\n)" + kSaid + "\"}", kSaid) == kSaid);
}

TEST_CASE("of a record within the clearance, arguments are shown as JSON with their numbers") {
  const std::string record =
      R"({"sensitivity":"public","input":{"path":"a b.txt","limit":5},"other":{"sensitivity":"secret","text":"no"}})";
  CHECK(shown(record, R"({"path": "a b.txt", "limit": 5})") ==
        R"({"path": "a b.txt", "limit": 5})");
  CHECK(shown(record, R"({"path": "a b.txt", "limit": 6})") == "[WITHHELD]");
}

TEST_CASE("a label is read however deep it is") {
  std::string deep;
  for (int i = 0; i < 900; ++i) deep += R"({"a":)";
  deep += R"({"sensitivity":"secret","text":")" + kSaid + "\"}" + std::string(900, '}');
  CHECK(shown(deep, kSaid, "internal", "public") == "[WITHHELD].");
}

TEST_CASE("and in JSON in texts of JSON") {
  std::string text = R"({"sensitivity":"secret","text":")" + kSaid + "\"}";
  for (int i = 0; i < 6; ++i) {
    std::string escaped;
    for (char c : text) {
      if (c == '"' || c == '\\') escaped += '\\';
      escaped += c;
    }
    text = R"({"text":")" + escaped + "\"}";
  }
  CHECK(shown(text, kSaid, "internal", "public") == "[WITHHELD].");
}
