#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "asked_input.h"
#include "reading.h"

namespace xtrace {
namespace {

constexpr char kEdit[] =
    R"({"type":"tool_use","id":"toolu_1","name":"Write","input":{"file_path":"/code/den/src/lair.txt","content":"feed the badger\nlock the burrow\n"}})";

/// A session in which an agent writes a file because a user asks for it.
std::string session() {
  const auto line = [](const char* id, const char* after, const char* type,
                       const std::string& said) {
    return fmt::format(R"({{"type":"{}","sessionId":"den-session-1","uuid":"{}","parentUuid":{},)"
                       R"("timestamp":"2026-05-01T10:00:0{}.000Z","message":{}}})"
                       "\n",
                       type, id, *after == '\0' ? "null" : fmt::format("\"{}\"", after), id[1],
                       said);
  };
  return line("u1", "", "user", R"({"role":"user","content":"Remember the hedgehog"})") +
         line(
             "u2", "u1", "assistant",
             fmt::format(R"({{"id":"m1","role":"assistant","model":"claude-test-1","content":[{}],)"
                         R"("usage":{{"input_tokens":5,"output_tokens":5}}}})",
                         kEdit)) +
         line("u3", "u2", "user",
              R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1",)"
              R"("content":"written"}]})");
}

constexpr char kRecordOfDen[] =
    R"({{"version":"0.1.0","id":"r1","timestamp":"2026-05-01T10:00:09Z","files":[{{"path":"src/lair.txt","conversations":[{{"url":"https://host.test/talks/{}","contributor":{{"type":"ai"}},"ranges":[{{"start_line":1,"end_line":{}}}]}}]}}]}})"
    "\n";

nlohmann::json answer_about(const Folder& folder, const std::string& log) {
  const std::string answer =
      AskedInput(log).in("json", {"explain", "--source", folder.path() + "/src/lair.txt"});
  REQUIRE_FALSE(answer.empty());
  return nlohmann::json::parse(answer);
}

TEST_CASE("at the basic level no format shows words of the file, of edits or of users") {
  const Folder folder;
  folder.write(".git/HEAD", "ref: refs/heads/main\n");  // the log is of another checkout
  const std::string source = folder.write("src/lair.txt", "feed the badger\nlock the burrow\n");
  const AskedInput asked(folder.write("log.jsonl", session()));
  for (const char* format : {"text", "json", "markdown", "csv", "html", "mermaid", "dot", "svg"}) {
    for (const AskedInput::Words& words :
         {AskedInput::Words{"explain", "--source", source},
          AskedInput::Words{"explain", "--source-line", source + ":1"}}) {
      const std::string answer = asked.in(format, words);
      INFO(format << ": " << answer);
      CHECK(answer.size() > 20);
      for (const char* secret : {"badger", "burrow", "hedgehog"})
        CHECK(answer.find(secret) == std::string::npos);
    }
  }
  const std::string full = asked.in("json", {"explain", "--source", source, "--level", "full"});
  CHECK(full.find("Remember the hedgehog") != std::string::npos);
}

TEST_CASE(
    "a record names a session, and lines that no edit wrote are said to be a conversation's") {
  const Folder folder;
  folder.write("src/lair.txt", "feed the badger\nlock the burrow\npaint the door\n");
  const std::string log = folder.write("log.jsonl", session());
  folder.write(".agent-trace/traces.jsonl", fmt::format(kRecordOfDen, "den-session-1", 2));
  auto json = answer_about(folder, log);
  REQUIRE(json["ranges"].size() == 2);
  CHECK(json["ranges"][0]["method"] == "id");
  CHECK(json["ranges"][0]["tool_use"] == "toolu_1");
  CHECK(json["ranges"][1]["explained"] == false);

  folder.write(".agent-trace/traces.jsonl", fmt::format(kRecordOfDen, "elsewhere-9", 3));
  json = answer_about(folder, log);
  REQUIRE(json["ranges"].size() == 2);
  CHECK(json["ranges"][0]["method"] == "patch_content");
  CHECK(json["ranges"][1]["method"] == "position");
  CHECK(json["ranges"][1]["conversation"] == "https://host.test/talks/elsewhere-9");
  CHECK(json["agent_trace"][0]["in_input"] == false);
  CHECK(json["agent_trace"][0]["contradicted"] == 2);
}

TEST_CASE("a line is a record's by its commit and its number there") {
  const Folder folder;
  const std::string source = folder.write("src/lair.txt", "new first line\npaint the door\n");
  const std::string log = folder.write("log.jsonl", session());
  const std::string commit(40, 'c');
  const std::string record = fmt::format(kRecordOfDen, "elsewhere-9", 1);
  folder.write(".agent-trace/traces.jsonl",
               R"({"vcs":{"type":"git","revision":")" + commit + "\"}," + record.substr(1));
  const std::string blame = folder.write(
      "blame", std::string(40, 'd') + " 1 1 1\ncommitter-time 1777700000\n\tnew first line\n" +
                   commit + " 1 2 1\ncommitter-time 1777600000\n\tpaint the door\n");
  const auto json = nlohmann::json::parse(
      AskedInput(log).in("json", {"explain", "--source", source, "--blame", blame}));
  REQUIRE(json["ranges"].size() == 2);
  CHECK(json["ranges"][0]["explained"] == false);
  CHECK(json["ranges"][1]["method"] == "revision");
}

}  // namespace
}  // namespace xtrace
