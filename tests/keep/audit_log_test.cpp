#include "keep/audit_log.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

using namespace xtrace;

namespace {

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("the audit log names rule, number, length and place, and nothing of what was hidden") {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / (std::to_string(getpid()) + "audit.jsonl");
  const std::string log = "/home/jane/a.jsonl", document = "b.json";
  Door door(Redaction::all, Door::Level::full, 200);
  Audit audit;
  door.keep(audit);
  {
    Door::At at(door, {log, 100, 7, false});
    door.payload("to a@x.org");
  }
  {
    Door::At at(door, {document, 300, 9, true});
    door.payload("10.20.30.40, b@x.org");
  }
  door.name("/home/joe/x");
  REQUIRE(write_audit(path.string(), audit, door));
  const std::string written = content_of(path);
  CHECK(std::filesystem::status(path).permissions() == std::filesystem::perms(0600));
  std::filesystem::remove(path);
  CHECK(written ==
        R"({"rule":"email","number":1,"characters":7,"at":"/home/[REDACTED:home:2]/a.jsonl:7"})"
        "\n"
        R"({"rule":"ipv4","number":1,"characters":11,"at":"b.json@300"})"
        "\n"
        R"({"rule":"email","number":2,"characters":7,"at":"b.json@300"})"
        "\n"
        R"({"rule":"home","number":1,"characters":3,"at":"answer"})"
        "\n");
  CHECK(audit.entries.size() == 4);  // the path itself is no part of it
}

TEST_CASE("an audit log that cannot be written is an error") {
  Door door(Redaction::all, Door::Level::full, 200);
  Status status = write_audit("no/such/folder/audit.jsonl", {}, door);
  REQUIRE_FALSE(status);
  CHECK(status.error().exit == Exit::output);
}
