#include "settings/annotation.h"

#include <catch2/catch.hpp>

#include "reading.h"

using namespace xtrace;

TEST_CASE("a note is read again as it was written") {
  Folder folder;
  Annotation said{"n \"1\"", "", "", "question", "ada", "2026-01-01", "why\n{this}?"};
  std::string line = annotation_line(said);
  CHECK(line.find('\n') == line.size() - 1);
  auto read = read_annotations(folder.write("notes.jsonl", line + "\n" + line));
  REQUIRE(read);
  REQUIRE(read->size() == 2);
  CHECK((*read)[1].node == said.node);
  CHECK((*read)[1].note == said.note);
  CHECK((*read)[1].author == "ada");
}

TEST_CASE("a note that is about nothing, or says nothing, is named with its line") {
  Folder folder;
  for (const char* wrong : {R"({"note":"x"})", R"({"node":"a"})", R"({"from":"a","note":"x"})",
                            "[]", "{", R"({"node":"a","note":"x","kind":"z"})",
                            R"({"node":"a","from":"b","to":"c","note":"x"})"}) {
    auto read = read_annotations(folder.write("notes.jsonl", "\n" + std::string(wrong) + "\n"));
    REQUIRE_FALSE(read);
    CHECK(read.error().what.find("notes.jsonl:2") != std::string::npos);
  }
}
