#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "render/renderer.h"

using namespace xtrace;

namespace {

std::string in_quotes(std::string_view text) {
  std::string out;
  append_json(out, text);
  return out;
}

std::string json_of(const Document& document, bool describes_fields = false) {
  Paper paper;
  paper.describes_fields = describes_fields;
  std::ostringstream out;
  write_json(document, paper, out);
  return out.str();
}

/// One cell, as it is in an answer.
std::string cell(Cell value) {
  static constexpr Column kColumns[] = {{"x", ""}};
  Document document("test");
  document.add(Record{{{}, kColumns, {value}}});
  return nlohmann::json::parse(json_of(document))["x"].dump();
}

}  // namespace

TEST_CASE("strings are escaped where JSON or a terminal needs it, and nowhere else") {
  CHECK(in_quotes("plain naïve 日本 😀") == "\"plain naïve 日本 😀\"");
  CHECK(in_quotes("a \"word\" and a \\") == R"("a \"word\" and a \\")");
  CHECK(in_quotes("tab\tnew\nline\r") == R"("tab\tnew\nline\r")");
  CHECK(in_quotes("\x1b[31m\x7f") == R"("\u001b[31m\u007f")");
  CHECK(in_quotes("\u202e\u2028\ufeff") == R"("\u202e\u2028\ufeff")");
  CHECK(in_quotes("\U000e0041") == R"("\udb40\udc41")");
  CHECK(in_quotes(std::string_view("\0", 1)) == R"("\u0000")");
  CHECK(in_quotes("\xff\xed\xa0\x80") == "\"\uFFFD\uFFFD\uFFFD\uFFFD\"");
  CHECK(in_quotes("</script>") == "\"</script>\"");
}

TEST_CASE("every text comes back from a parser as it was") {
  std::string text;
  for (int c = 1; c < 0x80; ++c) text += static_cast<char>(c);
  text += "é\u202e日本😀\u2029";
  CHECK(nlohmann::json::parse(in_quotes(text)) == text);
}

TEST_CASE("integers beyond 2^53 are strings, so that no reader loses a digit") {
  CHECK(cell(int64_t{42}) == "42");
  CHECK(cell(int64_t{1} << 53) == "9007199254740992");
  CHECK(cell((int64_t{1} << 53) + 1) == "\"9007199254740993\"");
  CHECK(cell(INT64_MAX) == "\"9223372036854775807\"");
  CHECK(cell(INT64_MIN) == "\"-9223372036854775808\"");
}

TEST_CASE("cells are written by what they mean") {
  CHECK(cell(true) == "true");
  CHECK(cell(nullptr) == "null");
  CHECK(cell(0.95) == "0.95");
  CHECK(cell(1.0) == "1");
  CHECK(cell(Duration(1'500'000)) == "1.5");
  CHECK(cell(Duration(-2'000'001)) == "-2.000001");
  CHECK(cell(Moment{Time(Duration(0)), 3}) == "\"1970-01-01T00:00:00.000Z\"");
  CHECK(cell(Text("word")) == "\"word\"");
}

TEST_CASE("a record of which nothing is known is an empty object, not broken JSON") {
  static constexpr Column kColumns[] = {{"x", ""}};
  Document document("test");
  document.add(Record{{{}, kColumns, {Cell()}}});
  CHECK(nlohmann::json::accept(json_of(document)));
}

TEST_CASE("dotted keys share an object, unknown ones are left out") {
  static constexpr Column kColumns[] = {
      {"id", ""},       {"tokens.input", ""}, {"tokens.output", ""},
      {"agent.id", ""}, {"agent.type", ""},   {"last", ""}};
  Document document("test");
  document.add(Table{"rows",
                     kColumns,
                     {Text("a"), int64_t{1}, int64_t{2}, Text("m"), Text("main"), true,  //
                      Text("b"), Cell(), int64_t{2}, Cell(), Cell(), Cell(),             //
                      Text("c"), Cell(), Cell(), Cell(), Text("x"), true}});
  nlohmann::json rows = nlohmann::json::parse(json_of(document))["rows"];
  CHECK(
      rows[0].dump() ==
      R"({"agent":{"id":"m","type":"main"},"id":"a","last":true,"tokens":{"input":1,"output":2}})");
  CHECK(rows[1].dump() == R"({"id":"b","tokens":{"output":2}})");
  CHECK(rows[2].dump() == R"({"agent":{"type":"x"},"id":"c","last":true})");
}

TEST_CASE("rows may stand in a cell") {
  static constexpr Column kInner[] = {{"name", "what it is called"}, {"uses", ""}};
  static constexpr Column kOuter[] = {{"id", ""}, {"tools", "", CellKind::rows, false, kInner}};
  Document document("test");
  const Table* tools =
      document.arena().keep(Table{{}, kInner, {Text("Read"), int64_t{2}, Text("Grep"), Cell()}});
  document.add(Table{"rows", kOuter, {Text("a"), tools, Text("b"), Cell()}});
  nlohmann::json json = nlohmann::json::parse(json_of(document));
  CHECK(json["rows"].dump() ==
        R"([{"id":"a","tools":[{"name":"Read","uses":2},{"name":"Grep"}]},{"id":"b"}])");
  CHECK(!json.contains("field_descriptions"));
}

TEST_CASE("of equal keys in a cell the last counts, in its place, however many there are") {
  static constexpr Column kColumns[] = {{"more", ""}};
  for (int64_t keys : {2, 40}) {
    Document document("test");
    std::vector<std::string> names;
    for (int64_t i = 0; i < keys; ++i) names.push_back("key" + std::to_string(i));
    Entries entries;
    for (int64_t i = 0; i < keys; ++i) {
      entries.add(Text("same"), i);
      entries.add(Door::own(names[static_cast<size_t>(i)]), i);
    }
    document.add(Record{{{}, kColumns, {document.arena().keep(std::move(entries))}}});
    const std::string json = json_of(document);
    const auto more = nlohmann::ordered_json::parse(json)["more"];
    CHECK(more["same"] == keys - 1);
    CHECK(std::next(more.begin(), keys - 1).key() == "same");
    CHECK(json.find("same") == json.rfind("same"));
  }
}

TEST_CASE("an answer says what its fields mean if it is asked to, or always does") {
  static constexpr Column kInner[] = {{"name", "what it is called"}, {"uses", ""}};
  static constexpr Column kOuter[] = {{"id", ""}, {"tools", "", CellKind::rows, false, kInner}};
  Document document("test");
  document.add(Table{"rows", kOuter});
  CHECK(!nlohmann::json::parse(json_of(document)).contains("field_descriptions"));
  nlohmann::json asked = nlohmann::json::parse(json_of(document, true));
  CHECK(asked["field_descriptions"].dump() == R"({"rows.tools.name":"what it is called"})");
  document.describe_fields();
  CHECK(nlohmann::json::parse(json_of(document)) == asked);
}

TEST_CASE("a stream of rows looks like a table of them") {
  static constexpr Column kColumns[] = {{"id", "what it is called"}};
  Document table("test"), stream("test");
  table.add(Table{"rows", kColumns, {Text("a"), Text("b")}});
  stream.add(Stream{"rows", kColumns, [](const Stream::Write& write) {
                      for (Text id : {Text("a"), Text("b")}) write(std::vector<Cell>{id});
                    }});
  CHECK(json_of(stream) == json_of(table));
  Document empty("test");
  empty.add(Stream{"rows", kColumns, [](const Stream::Write&) {}});
  CHECK(nlohmann::json::parse(json_of(empty))["rows"].empty());
}

TEST_CASE("an answer without rows has empty lists, and is still an answer") {
  static constexpr Column kColumns[] = {{"id", ""}};
  Document document("test");
  document.add(Record{{{}, kColumns, {Text("x")}}});
  document.add(Table{"nodes", kColumns});
  document.add(Record{{"filtered", kColumns, {Cell()}}});
  nlohmann::json json = nlohmann::json::parse(json_of(document));
  CHECK(json["nodes"].dump() == "[]");
  CHECK(json["filtered"].dump() == "{}");
}
