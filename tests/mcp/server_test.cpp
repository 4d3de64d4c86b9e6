#include "mcp/server.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <latch>
#include <nlohmann/json.hpp>

using namespace xtrace;
using namespace xtrace::mcp;

namespace {

using Json = nlohmann::json;

/// A client, and a server whose tools answer with their names.
class Talk {
 public:
  explicit Talk(AnswerCall answer =
                    [](const Tool& tool, const std::vector<GivenArgument>&, const Watch&) {
                      return ToolAnswer{std::string(tool.name), false};
                    })
      : server_(
            [this](const std::string& line) {
              const std::lock_guard lock(mutex_);
              CHECK(line.find('\n') == std::string::npos);
              lines_.push_back(Json::parse(line));
            },
            std::move(answer)) {}

  Talk& say(std::string line) {
    server_.take({.text = std::move(line)});
    return *this;
  }
  Talk& ask(int id, std::string_view method, std::string_view params = "{}") {
    return say(fmt::format(R"({{"jsonrpc": "2.0", "id": {}, "method": "{}", "params": {}}})", id,
                           method, params));
  }
  Talk& initialize(std::string_view version = "2025-11-25") {
    return ask(0, "initialize", fmt::format(R"({{"protocolVersion": "{}"}})", version));
  }
  /// What was sent, when all is answered.
  std::vector<Json> heard() {
    server_.finish();
    return lines_;
  }
  Json last() { return heard().back(); }

 private:
  std::mutex mutex_;
  std::vector<Json> lines_;
  Server server_;
};

std::string modern(std::string_view version, std::string_view more = "") {
  return fmt::format(
      R"({{{}"_meta": {{"io.modelcontextprotocol/protocolVersion": "{}",
          "io.modelcontextprotocol/clientCapabilities": {{}}}}}})",
      more, version);
}

std::string version_for(std::string_view wanted) {
  return Talk().initialize(wanted).last()["result"]["protocolVersion"];
}

}  // namespace

TEST_CASE("initialize accepts each revision with a handshake, and offers the newest for others") {
  for (const char* version : {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"})
    CHECK(version_for(version) == version);
  CHECK(version_for("1999-01-01") == "2025-11-25");
  CHECK(version_for("2026-07-28") == "2025-11-25");
  const Json result = Talk().initialize().last()["result"];
  CHECK(result["serverInfo"]["name"] == "xtrace");
  CHECK(result["capabilities"] == Json{{"tools", Json::object()}});
  CHECK(result["instructions"].get<std::string>().starts_with("xtrace answers questions"));
  CHECK(!result.contains("resultType"));
  CHECK(Talk().ask(1, "initialize").last()["error"]["code"] == -32602);
}

TEST_CASE("before initialize, only a ping is answered") {
  CHECK(Talk().ask(1, "ping").last()["result"] == Json::object());
  CHECK(Talk().ask(1, "tools/list").last()["error"]["code"] == -32602);
  CHECK(Talk().ask(1, "server/discover").last()["error"]["code"] == -32602);
  CHECK(Talk().ask(1, "resources/list").last()["error"]["code"] == -32601);
}

TEST_CASE("a request that states its version needs no initialize") {
  const Json found = Talk().ask(1, "server/discover", modern("2026-07-28")).last()["result"];
  CHECK(found["supportedVersions"] == Json{"2026-07-28"});
  CHECK(found["resultType"] == "complete");
  CHECK(found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "xtrace");
  const Json listed = Talk().ask(1, "tools/list", modern("2026-07-28")).last()["result"];
  CHECK(listed["tools"].size() == 7);
  CHECK(listed["cacheScope"] == "public");
  const Json called =
      Talk().ask(1, "tools/call", modern("2026-07-28", R"("name": "waste", )")).last()["result"];
  CHECK(called["content"][0]["text"] == "waste");
  CHECK(called["resultType"] == "complete");
  CHECK(Talk().ask(1, "ping", modern("2026-07-28")).last()["error"]["code"] == -32601);
}

TEST_CASE("a request of a revision that is unknown, or without capabilities, is refused") {
  const Json error = Talk().ask(1, "tools/list", modern("2030-01-01")).last()["error"];
  CHECK(error["code"] == -32022);
  CHECK(error["data"] == Json{{"supported", {"2026-07-28"}}, {"requested", "2030-01-01"}});
  const Json bare =
      Talk()
          .ask(1, "tools/list",
               R"({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}})")
          .last();
  CHECK(bare["error"]["code"] == -32602);
}

TEST_CASE("wrong requests get the errors of JSON-RPC, and notices get none") {
  const std::vector<Json> heard = Talk()
                                      .initialize()
                                      .say("{")
                                      .ask(1, "prompts/list")
                                      .ask(2, "tools/call", R"({"name": "rm"})")
                                      .ask(3, "tools/call", R"({"name": "cost", "arguments": []})")
                                      .ask(4, "tools/call")
                                      .say(R"({"jsonrpc": "2.0", "method": "nothing"})")
                                      .say(R"({"jsonrpc": "2.0", "id": 9, "result": {}})")
                                      .heard();
  REQUIRE(heard.size() == 6);
  CHECK(heard[1]["id"].is_null());
  CHECK(heard[1]["error"]["code"] == -32700);
  CHECK(heard[2]["error"]["code"] == -32601);
  for (size_t i : {3U, 4U, 5U}) CHECK(heard[i]["error"]["code"] == -32602);
}

TEST_CASE("a failed tool is a result, and so is one that runs out of memory") {
  const auto fails = [](const Tool&, const std::vector<GivenArgument>&,
                        const Watch&) -> ToolAnswer {
    return {"no such session", true};
  };
  const Json failed = Talk(fails).initialize().ask(1, "tools/call", R"({"name": "cost"})").last();
  CHECK(failed["result"]["isError"] == true);
  CHECK(failed["result"]["content"][0] == Json{{"type", "text"}, {"text", "no such session"}});
  const auto throws = [](const Tool&, const std::vector<GivenArgument>&,
                         const Watch&) -> ToolAnswer { throw std::bad_alloc(); };
  const Json full = Talk(throws).initialize().ask(1, "tools/call", R"({"name": "cost"})").last();
  CHECK(full["result"]["isError"] == true);
}

TEST_CASE("progress is reported to a client that gave a token, and only grows") {
  const auto reports = [](const Tool&, const std::vector<GivenArgument>&, const Watch& watch) {
    for (int percent : {0, 10, 10, 5, 80}) watch.report(percent, "reading");
    return ToolAnswer{"done", false};
  };
  std::vector<int> steps;
  for (const Json& line :
       Talk(reports)
           .initialize()
           .ask(1, "tools/call", R"({"name": "cost", "_meta": {"progressToken": "t"}})")
           .heard())
    if (line.value("method", "") == "notifications/progress") {
      CHECK(line["params"]["progressToken"] == "t");
      steps.push_back(line["params"]["progress"]);
    }
  CHECK(steps == std::vector<int>{0, 10, 80});
  CHECK(Talk(reports).initialize().ask(1, "tools/call", R"({"name": "cost"})").heard().size() == 2);
}

TEST_CASE("while a tool runs, a ping is answered and calls can be cancelled") {
  std::latch started(1), go_on(1);
  std::atomic<bool> saw_cancel = false;
  const auto waits = [&](const Tool& tool, const std::vector<GivenArgument>&, const Watch& watch) {
    if (tool.name == "cost") {
      started.count_down();
      go_on.wait();
      saw_cancel = watch.is_cancelled->load();
    }
    return ToolAnswer{std::string(tool.name), false};
  };
  Talk talk(waits);
  talk.initialize().ask(1, "tools/call", R"({"name": "cost"})");
  started.wait();
  talk.ask(2, "tools/call", R"({"name": "waste"})")
      .ask(3, "tools/call", R"({"name": "sessions"})")
      .ask(1, "tools/call", R"({"name": "sessions"})")  // its id is in use
      .ask(4, "ping")
      .say(R"({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})")
      .say(R"({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}})")
      .say(R"({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 8}})")
      .say(R"({"jsonrpc": "2.0", "method": "notifications/cancelled"})");
  go_on.count_down();
  const std::vector<Json> heard = talk.heard();
  CHECK(saw_cancel);
  REQUIRE(heard.size() == 4);
  CHECK(heard[1]["error"]["code"] == -32600);
  CHECK(heard[2] == Json{{"jsonrpc", "2.0"}, {"id", 4}, {"result", Json::object()}});
  CHECK(heard[3]["id"] == 3);
}

TEST_CASE("no more calls wait than a client can mean") {
  std::latch go_on(1);
  const auto waits = [&](const Tool&, const std::vector<GivenArgument>&, const Watch&) {
    go_on.wait();
    return ToolAnswer{};
  };
  Talk talk(waits);
  talk.initialize();
  for (int id = 1; id <= 110; ++id) talk.ask(id, "tools/call", R"({"name": "cost"})");
  go_on.count_down();
  size_t refused = 0;
  for (const Json& line : talk.heard()) refused += line.contains("error") ? 1 : 0;
  CHECK(refused >= 9);
  CHECK(refused <= 10);
}

TEST_CASE("a batch is taken from a client of the revision that has batches, and no other") {
  constexpr const char* kBatch =
      R"([{"jsonrpc": "2.0", "id": 1, "method": "ping"}, {"jsonrpc": "2.0", "id": 2, "method": "ping"}, 3])";
  const std::vector<Json> old = Talk().initialize("2025-03-26").say(kBatch).heard();
  REQUIRE(old.size() == 4);
  CHECK(old[1]["id"] == 1);
  CHECK(old[2]["id"] == 2);
  CHECK(old[3]["error"]["code"] == -32600);
  const std::vector<Json> newer = Talk().initialize("2025-06-18").say(kBatch).heard();
  REQUIRE(newer.size() == 2);
  CHECK(newer[1]["error"]["code"] == -32600);
  CHECK(Talk().initialize("2025-03-26").say("[]").last()["error"]["code"] == -32600);
}
