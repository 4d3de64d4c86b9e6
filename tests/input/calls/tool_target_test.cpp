#include "input/calls/tool_target.h"

#include <catch2/catch.hpp>
#include <string>

using namespace xtrace;

namespace {

std::vector<std::string> targets(std::string_view arguments, std::string_view command = {}) {
  simdjson::dom::parser parser;
  json::element parsed;
  if (parser.parse(std::string(arguments)).get(parsed)) FAIL("no JSON: " << arguments);
  return targets_in(parsed, command).all;
}

std::string target(std::string_view arguments) {
  const std::vector<std::string> all = targets(arguments);
  return all.empty() ? "" : all.front();
}

/// The length of the words given in place of a target.
size_t words(std::string_view arguments) {
  simdjson::dom::parser parser;
  json::element parsed;
  if (parser.parse(std::string(arguments)).get(parsed)) FAIL("no JSON: " << arguments);
  return targets_in(parsed).words;
}

}  // namespace

TEST_CASE("a tool's file or address is known by the names that tools give to it") {
  CHECK(target(R"({"old": "x", "file_path": "/a.cpp"})") == "/a.cpp");
  CHECK(target(R"({"filePath": "/a.cpp"})") == "/a.cpp");
  CHECK(target(R"({"absolute_path": "/a.cpp"})") == "/a.cpp");
  CHECK(target(R"({"url": "https://a.org/", "prompt": "x"})") == "https://a.org/");
  CHECK(target(R"({"path": "", "filename": "b.cpp"})") == "b.cpp");
  CHECK(target(R"({"path": "src", "file_path": "/a.cpp"})") == "/a.cpp");
  CHECK(target(R"({"command": "ls"})") == "");
}

TEST_CASE("a tool works on each file of a list, named once") {
  using Files = std::vector<std::string>;
  CHECK(targets(R"({"files": [{"path": "/a"}, {"path": "/b"}, {"path": "/a"}]})") ==
        Files{"/a", "/b"});
  CHECK(targets(R"({"paths": ["/a", "/b"]})") == Files{"/a", "/b"});
  CHECK(targets(R"({"replacements": [{"filePath": "/a"}, {"filePath": "/b"}]})") ==
        Files{"/a", "/b"});
  CHECK(targets(R"({"edits": ["make it short", "make it sweet"]})").empty());
  CHECK(targets(R"({"file_path": "/a", "edits": [{"old": "x", "new": "y"}]})") == Files{"/a"});
  CHECK(targets(R"({"patchText": "*** Begin Patch\n*** Add File: a\n*** Add File: b"})") ==
        Files{"a", "b"});
  CHECK(targets("{}", "apply_patch <<E\n*** Begin Patch\n*** Add File: a\n*** End Patch\nE") ==
        Files{"a"});
}

TEST_CASE("of a list of files the first is a tool's target") {
  CHECK(target(R"({"operations": [{"mode": "Line", "path": "/a.cpp"}, {"path": "/b"}]})") ==
        "/a.cpp");
  CHECK(target(R"({"files": [{"path": "/a.cpp", "start_line": 4}]})") == "/a.cpp");
  CHECK(target(R"({"paths": ["/a.cpp", "/b.cpp"]})") == "/a.cpp");
  CHECK(target(R"([{"path": "/a.cpp", "kind": "update"}])") == "/a.cpp");
  CHECK(target(R"({"files": [], "paths": [1]})") == "");
}

TEST_CASE("a patch names its file, wherever it stands") {
  constexpr const char* kPatch =
      R"("*** Begin Patch\n*** Update File: src/a.cpp\n@@\n*** End Patch")";
  CHECK(target(kPatch) == "src/a.cpp");
  CHECK(target(std::string(R"({"patch": )") + kPatch + "}") == "src/a.cpp");
  CHECK(target(std::string(R"({"input": )") + kPatch + "}") == "src/a.cpp");
  CHECK(target(R"("```\n*** Begin Patch\n*** Add File: a\n*** End Patch\n```")") == "a");
  CHECK(target(R"("no patch")") == "");
}

TEST_CASE("only the length of words is kept that are given in place of a path") {
  CHECK(target(R"({"path": "what it says, I think so"})") == "");
  CHECK(words(R"({"path": "what it says, I think so"})") == 24);
  CHECK(words("{\"path\": \"gr\xC3\xBC\xC3\x9F dich, wer du bist\"}") == 22);
  CHECK(words(R"({"path": "/srv/a.txt"})") == 0);
  CHECK(words(R"({"command": "ls"})") == 0);
  CHECK(target(R"({"files": ["what, and why: so", "/b"]})") == "/b");
  CHECK(words(R"({"files": ["what, and why: so", "/b"]})") == 0);
}
