#include "input/calls/tool_target.h"

#include <catch2/catch.hpp>
#include <string>

using namespace xtrace;

namespace {

std::string target(std::string_view arguments) {
  simdjson::dom::parser parser;
  json::element parsed;
  if (parser.parse(std::string(arguments)).get(parsed)) FAIL("no JSON: " << arguments);
  return std::string(target_of(parsed));
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
  CHECK(target(R"("no patch")") == "");
}
