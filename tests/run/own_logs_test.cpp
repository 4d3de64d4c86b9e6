#include "run/own_logs.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>

#include "input/bytes/agent_folders.h"
#include "reading.h"
#include "run/own_sessions.h"
#include "run/request.h"

using namespace xtrace;

namespace {

/// While it lives, the environment names no other home and no other folders than these.
class Environment {
 public:
  explicit Environment(std::map<std::string, std::string> values) {
    for (const AgentFolder& folder : agent_folders())
      for (const AgentFolder::Moved& moved : folder.moved)
        if (!moved.variable.empty()) set(std::string(moved.variable), std::nullopt);
    set("HOME", std::nullopt);
    set("XTRACE_LOGS", std::nullopt);
    for (const auto& [name, value] : values) set(name, value);
  }
  ~Environment() {
    for (const auto& [name, value] : before_) put(name, value);
  }

 private:
  static void put(const std::string& name, const std::optional<std::string>& value) {
    value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
  }
  void set(const std::string& name, const std::optional<std::string>& value) {
    const char* was = std::getenv(name.c_str());
    before_.emplace(name, was == nullptr ? std::nullopt : std::optional<std::string>(was));
    put(name, value);
  }
  std::map<std::string, std::optional<std::string>> before_;
};

std::vector<std::string> below(const Folder& folder, std::vector<std::string> names) {
  for (std::string& name : names) name = folder.path() + "/" + name;
  return names;
}

}  // namespace

TEST_CASE("sessions lie where the agents keep them, as far as they are there") {
  Folder home;
  for (const char* name :
       {".claude/projects/-a/b.jsonl", ".claude/todos/c.json", ".pi/agent/d.json",
        ".codex/session_index.jsonl", ".local/share/opencode/opencode.db"})
    home.write(name, "{}");
  Environment environment({{"HOME", home.path()}});
  CHECK(own_logs() == below(home, {".claude/projects", ".codex/session_index.jsonl",
                                   ".local/share/opencode/opencode.db"}));
}

TEST_CASE("each channel of OpenCode keeps sessions in a database of its own, and Kilo in another") {
  Folder home;
  for (const char* name :
       {".local/share/kilo/kilo.db", ".local/share/opencode/opencode-next.db",
        ".local/share/opencode/opencode-next.db-wal",
        ".local/share/opencode/storage/session/c.json", ".local/share/opencode/opencode.db"})
    home.write(name, "{}");
  Environment environment({{"HOME", home.path()}});
  CHECK(own_logs() == below(home, {".local/share/kilo/kilo.db", ".local/share/opencode/opencode.db",
                                   ".local/share/opencode/opencode-next.db"}));
}

TEST_CASE("an agent that left empty folders is as if it were not there") {
  Folder home;
  home.write(".claude/projects/-a/b.jsonl", "{}");
  std::filesystem::create_directories(home.path() + "/.codex/sessions/2026/01");
  Environment environment({{"HOME", home.path()}});
  CHECK(own_logs() == below(home, {".claude/projects"}));
}

TEST_CASE("a variable of an agent's own moves its folder") {
  Folder home, other;
  home.write(".claude/projects/-a/b.jsonl", "{}");
  home.write(".gemini/tmp/c/d.json", "{}");
  other.write("projects/-a/e.jsonl", "{}");
  other.write(".gemini/tmp/f/g.json", "{}");
  other.write("opencode/opencode.db", "");
  Environment environment({{"HOME", home.path()},
                           {"CLAUDE_CONFIG_DIR", other.path()},
                           {"GEMINI_CLI_HOME", other.path()},
                           {"XDG_DATA_HOME", other.path()}});
  CHECK(own_logs() == below(other, {"projects", ".gemini/tmp", "opencode/opencode.db"}));
}

TEST_CASE("an empty variable moves nothing, nor does a relative one of the XDG's") {
  Folder home;
  home.write(".claude/projects/-a/b.jsonl", "{}");
  home.write(".local/share/goose/sessions/c.jsonl", "{}");
  Environment environment(
      {{"HOME", home.path()}, {"CLAUDE_CONFIG_DIR", ""}, {"XDG_DATA_HOME", "data"}});
  CHECK(own_logs() == below(home, {".claude/projects", ".local/share/goose/sessions"}));
}

TEST_CASE("XTRACE_LOGS stands in place of all of them") {
  Folder home;
  home.write(".claude/projects/-a/b.jsonl", "{}");
  home.write("logs/c.jsonl", "{}");
  home.write("more/d.jsonl", "{}");
  Environment environment(
      {{"HOME", home.path()},
       {"XTRACE_LOGS", home.path() + "/logs:" + home.path() + "/none:" + home.path() + "/more"}});
  CHECK(own_logs() == below(home, {"logs", "more"}));
}

TEST_CASE("without a home there are none") {
  Environment environment({});
  CHECK(own_logs().empty());
}

TEST_CASE("a session is named by `last`, a number or the beginning of an id") {
  for (const char* word : {"last", "1", "27", "15f99783", "ses_7f3a", "T-4e1"})
    CHECK(may_name_session(word));
  for (const char* word : {"", "log", "logs.jsonl", "a1", "logs/7", "-", "-j4", "trace", "s*1234"})
    CHECK_FALSE(may_name_session(word));
}

TEST_CASE("sessions of former versions are looked for where those of now are not") {
  Folder home;
  home.write(".config/claude/projects/-a/b.jsonl", "{}");
  home.write(".local/share/opencode/storage/session/c.json", "{}");
  Environment environment({{"HOME", home.path()}});
  CHECK(own_logs() == below(home, {".config/claude/projects", ".local/share/opencode/storage"}));
  home.write(".local/share/opencode/opencode.db", "");
  CHECK(own_logs() ==
        below(home, {".config/claude/projects", ".local/share/opencode/opencode.db"}));
}

TEST_CASE("what XTRACE_LOGS names and is not there is known") {
  Folder home;
  home.write("logs/c.jsonl", "{}");
  Environment environment({{"XTRACE_LOGS", home.path() + "/logs:/nope"}});
  CHECK(missing_logs() == std::vector<std::string>{"/nope"});
}

namespace {

/// A session of Claude Code with one call.
std::string session_log(const std::string& id) {
  return fmt::format(
      R"({{"type":"user","uuid":"u-{0}","sessionId":"{0}","timestamp":"2026-05-04T09:00:00Z",)"
      R"("message":{{"role":"user","content":"hi"}}}})"
      "\n"
      R"({{"type":"assistant","uuid":"a-{0}","parentUuid":"u-{0}","sessionId":"{0}",)"
      R"("timestamp":"2026-05-04T09:00:01Z","requestId":"r-{0}","message":{{"id":"m-{0}",)"
      R"("role":"assistant","model":"m","content":[{{"type":"text","text":"x"}}],)"
      R"("stop_reason":"end_turn","usage":{{"input_tokens":1,"output_tokens":1}}}}}})"
      "\n",
      id);
}

}  // namespace

TEST_CASE("digits name a row, and where there is no such row what an id begins with") {
  Folder home;
  const std::string id = "54986900-0c2e-4d7b-8a51-3b6e0f6d2a11";
  home.write("logs/a.jsonl", session_log(id));
  Environment environment({{"XTRACE_LOGS", home.path() + "/logs"}});
  Request request;
  request.quiet = true;
  CHECK(own_session("1", request).value().id == id);
  CHECK(own_session("5498", request).value().id == id);
  CHECK_FALSE(own_session("54", request).has_value());
  CHECK_FALSE(own_session("5499", request).has_value());
}

TEST_CASE("all of a folder that bears a session's id goes with it") {
  Folder home;
  home.write("logs/549869000c2e4d7b8a513b6e0f6d2a11/events/e-1.jsonl",
             session_log("54986900-0c2e-4d7b-8a51-3b6e0f6d2a11"));
  home.write("logs/549869000c2e4d7b8a513b6e0f6d2a11/base_state.json", "{}");
  home.write("logs/other.jsonl", session_log("15f99783-0c2e-4d7b-8a51-3b6e0f6d2a11"));
  Environment environment({{"XTRACE_LOGS", home.path() + "/logs"}});
  Request request;
  request.quiet = true;
  CHECK(own_session("5498", request).value().files ==
        below(home, {"logs/549869000c2e4d7b8a513b6e0f6d2a11/base_state.json",
                     "logs/549869000c2e4d7b8a513b6e0f6d2a11/events/e-1.jsonl"}));
}
