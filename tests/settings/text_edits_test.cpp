#include "settings/text_edits.h"

#include <catch2/catch.hpp>

namespace xtrace {
namespace {

bool is_plan(std::string_view path) {
  return path.ends_with("plan.md");
}
std::vector<TextEdit> edits_of(const std::string& given) {
  return text_edits_in(given, is_plan);
}
const TextEdit kReplacement = {.before = "old\nwords", .after = "new words"};

TEST_CASE("what is replaced by what is found under the names that agents use") {
  for (const char* given :
       {R"({"file_path": "/a/plan.md", "old_string": "old\nwords", "new_string": "new words"})",
        R"({"command": "str_replace", "path": "plan.md", "old_str": "old\nwords",
            "new_str": "new words"})",
        R"({"filePath": "plan.md", "oldString": "old\nwords", "newString": "new words"})",
        R"({"path": "plan.md", "search": "old\nwords", "replace": "new words"})",
        R"({"path": "plan.md", "edits": [{"oldText": "old\nwords", "newText": "new words"}]})"}) {
    INFO(given);
    CHECK(edits_of(given) == std::vector{kReplacement});
  }
}

TEST_CASE("several edits of a file are in order, and those of other files are left out") {
  const std::vector<TextEdit> edits = edits_of(
      R"({"files": [{"path": "other.md", "content": "x"}, {"path": "plan.md", "edits": [
          {"old_string": "a", "new_string": "b", "replace_all": true},
          {"old_string": "c", "new_string": ""}]}]})");
  REQUIRE(edits.size() == 2);
  CHECK(edits[0].is_everywhere);
  CHECK(edits[1].before == "c");
  CHECK(edits[1].after.empty());
  CHECK(edits_of(R"({"changes": {"other.md": {"content": "x"}}})").empty());
}

TEST_CASE("contents are the whole file, unless a place is named for them") {
  const std::vector<TextEdit> all = edits_of(R"({"file_path": "plan.md", "content": "a\nb\n"})");
  REQUIRE(all.size() == 1);
  CHECK(all[0].is_whole);
  for (const char* given : {R"({"path": "plan.md", "line": 3, "content": "a\nb\n"})",
                            R"({"path": "plan.md", "insert_line": 3, "insert_text": "a\nb\n"})"}) {
    INFO(given);
    const std::vector<TextEdit> part = edits_of(given);
    REQUIRE(part.size() == 1);
    CHECK_FALSE(part[0].is_whole);
    CHECK(part[0].after == "a\nb\n");
  }
}

TEST_CASE("a patch has an edit for each hunk of the file, with the lines around it") {
  const std::string patch =
      "*** Begin Patch\n*** Update File: other.md\n@@\n-x\n+y\n*** Update File: plan.md\n"
      "@@ heading\n before\n-old\n+new\n after\n@@\n+last\n*** End Patch\n";
  for (const std::string& given : {patch, R"({"input": ")" + [&] {
                                     std::string text;
                                     for (char c : patch)
                                       text += c == '\n' ? std::string("\\n") : std::string(1, c);
                                     return text;
                                   }() + "\"}"}) {
    const std::vector<TextEdit> edits = edits_of(given);
    REQUIRE(edits.size() == 2);
    CHECK(edits[0].before == "before\nold\nafter\n");
    CHECK(edits[0].after == "before\nnew\nafter\n");
    CHECK(edits[0].has_whole_lines);
    CHECK(edits[1].before.empty());
    CHECK(edits[1].after == "last\n");
  }
}

TEST_CASE("a file that a patch adds is whole") {
  const std::vector<TextEdit> added =
      edits_of("*** Begin Patch\n*** Add File: plan.md\n+one\n+two\n*** End Patch");
  REQUIRE(added.size() == 1);
  CHECK(added[0].is_whole);
  CHECK(added[0].after == "one\ntwo\n");
  const std::vector<TextEdit> unified =
      edits_of("--- /dev/null\n+++ b/plan.md\n@@ -0,0 +1,2 @@\n+one\n+two\n");
  REQUIRE(unified.size() == 1);
  CHECK(unified[0].is_whole);
}

TEST_CASE("blocks that are searched for are replaced") {
  const std::vector<TextEdit> edits =
      edits_of("<<<<<<< SEARCH\n:start_line:4\n-------\nold\n=======\nnew\n>>>>>>> REPLACE\n");
  REQUIRE(edits.size() == 1);
  CHECK(edits[0].before == "old\n");
  CHECK(edits[0].after == "new\n");
}

TEST_CASE("of arguments of an unknown form, what is replaced has no part in the file") {
  const std::vector<TextEdit> edits =
      edits_of(R"({"oldest": "gone\nfor good", "novel": "here\nto stay", "name": "x"})");
  REQUIRE(edits.size() == 1);
  CHECK(edits[0].after == "here\nto stay");
  CHECK(edits_of("no patch at all").empty());
  CHECK(edits_of(std::string(2000, '[')).empty());
}

}  // namespace
}  // namespace xtrace
