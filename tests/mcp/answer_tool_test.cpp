#include "mcp/answer_tool.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "reading.h"

using namespace xtrace;
using namespace xtrace::mcp;

TEST_CASE("only what is in a folder is within it, whatever its path looks like") {
  const Folder logs, other;
  const std::string log = logs.write("a.jsonl", "{}\n"), secret = other.write("a.jsonl", "{}\n");
  const std::string root = log.substr(0, log.rfind('/'));
  CHECK(is_within(log, {root}));
  CHECK(is_within(root, {root + "/"}));
  CHECK(is_within(root + "/./a.jsonl", {secret, root}));
  CHECK(is_within(log, {log}));
  CHECK(!is_within(secret, {root}));
  CHECK(!is_within(root + "/../", {root}));
  CHECK(!is_within(root + "/none.jsonl", {root}));
  CHECK(!is_within(root + "/*", {root}));
  CHECK(!is_within(log, {}));
  std::filesystem::create_symlink(secret, root + "/link.jsonl");
  CHECK(!is_within(root + "/link.jsonl", {root}));
  std::filesystem::create_directory(root + "2");
  CHECK(!is_within(root + "2", {root}));
  std::filesystem::remove(root + "2");
}

TEST_CASE("a tool does not read a path outside of the folders that it may read") {
  bool is_made = false;
  Answerer answerer([&](const std::vector<std::string>&) -> Result<Request> {
    is_made = true;
    return Request();
  });
  const Watch watch{.report = [](int, std::string_view) {}};
  for (const char* path : {"/etc/passwd", "../../", ".", "~", "-", "a b"}) {
    const ToolAnswer refused =
        answerer.answer(*find_tool("cost"), {{"session", GivenArgument::Kind::text, path}}, watch);
    CHECK(refused.is_error);
    CHECK(refused.text.starts_with("session: "));
  }
  CHECK(!is_made);
}
