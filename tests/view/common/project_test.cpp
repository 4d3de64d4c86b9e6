#include <catch2/catch.hpp>

#include "input/load.h"
#include "link/graph/graph.h"
#include "reading.h"
#include "view/common/names.h"

using namespace xtrace;

namespace {

/// What a session's project is called that worked in this folder.
std::string project_of(const std::string& folder) {
  Folder logs;
  const std::string path = logs.write(
      "a.jsonl",
      R"({"type":"user","uuid":"u","sessionId":"s","cwd":")" + folder +
          R"(","timestamp":"2026-01-10T12:00:00Z","message":{"role":"user","content":"go"}})"
          "\n"
          R"({"type":"assistant","uuid":"a","parentUuid":"u","sessionId":"s","timestamp":"2026-01-10T12:00:01Z","message":{"id":"m","role":"assistant","model":"m","content":[{"type":"text","text":"done"}]}})"
          "\n");
  Progress progress;
  const Graph graph = link(load({path}, {}, progress).value(), {});
  Door door(Redaction::all, Door::Level::basic, 200);
  const Names names(graph, door);
  return std::string(names.project(graph.sessions().front()).view());
}

}  // namespace

TEST_CASE("a project is called as the folder that was worked in") {
  CHECK(project_of("/code/garden") == "garden");
  CHECK(project_of("/code/garden/") == "garden");
}

TEST_CASE("a project's name is cut from its path after that was redacted") {
  CHECK(project_of("/home/maria") == "[REDACTED:home:1]");
  const std::string shown = project_of("/code/password=hunter2abc/Xk9dT4qLw8zR2vB7");
  CHECK(shown.find("Xk9dT4qLw8zR2vB7") == std::string::npos);
}
