#include <fmt/format.h>
#include <sqlite3.h>

#include <catch2/catch.hpp>

#include "facts/rows.h"
#include "link/graph/graph.h"
#include "reading.h"
#include "usage_world.h"

using namespace xtrace;

namespace {

const std::string kCopilot =
    R"({"type":"session.start","data":{"sessionId":"c","producer":"copilot-agent"},"id":"e1","timestamp":"2026-01-01T10:00:00Z","parentId":null})"
    "\n"
    R"({"type":"user.message","data":{"content":"go"},"id":"e2","timestamp":"2026-01-01T10:00:01Z","parentId":"e1"})"
    "\n"
    R"({"type":"assistant.message","data":{"messageId":"m1","apiCallId":"a1","model":"large","content":"yes","outputTokens":7},"id":"e3","timestamp":"2026-01-01T10:00:03Z","parentId":"e2"})"
    "\n";

std::string shutdown(const std::string& id, const std::string& counts, int calls = 1) {
  return R"({"type":"session.shutdown","data":{"modelMetrics":{"large":{"requests":{"count":)" +
         std::to_string(calls) + R"(},"usage":{)" + counts + R"(}}}},"id":")" + id +
         R"(","timestamp":"2026-01-01T10:01:00Z","parentId":"e3"})"
         "\n";
}

/// A run that the user resumed gets an answer of so many tokens.
std::string resumed(const std::string& name, int output) {
  return fmt::format(
      R"({{"type":"user.message","data":{{"content":"on"}},"id":"u{0}","timestamp":"2026-01-01T11:00:01Z","parentId":"e3"}})"
      "\n"
      R"({{"type":"assistant.message","data":{{"messageId":"m{0}","apiCallId":"a{0}","model":"large","content":"so","outputTokens":{1}}},"id":"r{0}","timestamp":"2026-01-01T11:00:03Z","parentId":"u{0}"}})"
      "\n",
      name, output);
}

std::string total_line(const std::string& uuid, int turns, const std::string& more) {
  return R"({"type":"result","subtype":"success","is_error":false,"num_turns":)" +
         std::to_string(turns) +
         R"(,"result":"done","session_id":"s","total_cost_usd":0.5,"usage":{"input_tokens":4,"output_tokens":90},"uuid":")" +
         uuid + "\"" + more + "}\n";
}

/// The statements that count.
std::vector<UsageStatement> counted(const Trace& trace) {
  std::vector<UsageStatement> rows;
  for (const UsageStatement& row : trace.usage_statements)
    if (row.counts()) rows.push_back(row);
  return rows;
}

Trace load_path(const std::string& path) {
  Progress progress;
  return load({path}, {}, progress).value();
}

/// A database of Goose with a session of three answers and one of a subagent.
std::string goose_database(const Folder& folder) {
  const std::string path = folder.path() + "/sessions.db";
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  const char* sql = R"(
    CREATE TABLE sessions(id TEXT, working_dir TEXT, session_type TEXT,
      accumulated_total_tokens INT, accumulated_input_tokens INT, accumulated_output_tokens INT,
      name TEXT);
    CREATE TABLE messages(id INTEGER PRIMARY KEY, message_id TEXT, session_id TEXT, role TEXT,
      content_json TEXT, created_timestamp INT, metadata_json TEXT);
    CREATE TABLE usage_ledger(id INTEGER PRIMARY KEY, session_id TEXT, created_timestamp INT,
      model TEXT, input_tokens INT, output_tokens INT, total_tokens INT, cache_read_tokens INT,
      cache_write_tokens INT, cost REAL, is_compaction INT);
    INSERT INTO sessions VALUES('g1','/g','user',1000,900,100,'Beans'),
      ('g2','/g','sub_agent',NULL,NULL,NULL,'');
    INSERT INTO messages VALUES
     (1,NULL,'g1','user','[{"type":"text","text":"go"}]',1788422400,NULL),
     (2,NULL,'g1','assistant','[{"type":"toolRequest","id":"t1","toolCall":{"status":"success",
        "value":{"name":"subagent","arguments":{"instructions":"Find seeds"}}}}]',1788422402,NULL),
     (3,NULL,'g1','user','[{"type":"toolResponse","id":"t1","toolResult":{"status":"success",
        "value":[{"type":"text","text":"beans"}]}}]',1788422410,NULL),
     (4,NULL,'g1','assistant','[{"type":"text","text":"beans"}]',1788422412,NULL),
     (5,NULL,'g1','user','[{"type":"text","text":"more"}]',1788422420,NULL),
     (6,NULL,'g1','assistant','[{"type":"text","text":"none"}]',1788422421,NULL),
     (7,NULL,'g2','user','[{"type":"text","text":"Find seeds"}]',1788422403,NULL),
     (8,NULL,'g2','assistant','[{"type":"text","text":"beans"}]',1788422405,NULL);
    INSERT INTO usage_ledger VALUES
     (1,'g1',1788422402,'m',100,20,120,60,0,0.25,0),
     (2,'g1',1788422413,'m',200,10,210,0,0,0.25,0),
     (3,'g1',1788422414,'m',50,5,55,0,0,0.25,0),
     (4,'g1',1788422415,'m',300,40,340,0,0,0.5,1);)";
  REQUIRE(sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
  return path;
}

}  // namespace

TEST_CASE("totals of a model with a long window are of the model that answers name") {
  const std::string answer =
      R"({"type":"assistant","message":{"id":"m","role":"assistant","model":"large","content":[{"type":"text","text":"done"}],"usage":{"input_tokens":4,"output_tokens":20}},"session_id":"s","uuid":"a"})"
      "\n";
  const Graph graph = link(
      read_log(
          answer +
          total_line("r", 2, R"(,"modelUsage":{"large[1m]":{"inputTokens":4,"outputTokens":90}})")),
      {});
  REQUIRE(graph.sessions().size() == 1);
  CHECK(tokens_beyond_calls(graph).output == 70);
}

TEST_CASE("what Copilot CLI tells at the end of its runs is the session's, and no call's") {
  const std::string counts =
      R"("inputTokens":100,"outputTokens":7,"cacheReadTokens":60,"cacheWriteTokens":0,"reasoningTokens":3)";
  const Trace trace =
      read_log(kCopilot + shutdown("e4", counts) + resumed("2", 7) + shutdown("e5", counts));
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls.front().tokens.input == kNoCount);
  CHECK(trace.calls.front().tokens.output == 7);
  REQUIRE(trace.usage_statements.size() == 2);
  const UsageStatement& total = trace.usage_statements.front();
  CHECK(trace[total.session] == "c");
  CHECK(trace[total.model] == "large");
  CHECK(total.tokens.input == 40);
  CHECK(total.tokens.cache_read == 60);
  CHECK(total.tokens.output == 7);
  CHECK(total.calls == 1);
}

TEST_CASE("the end of a resumed run of Copilot CLI has those before it, if it has all answers") {
  const auto told = [](int calls, int output) {
    const Graph graph = link(
        read_log(
            kCopilot + shutdown("e4", R"("inputTokens":100,"outputTokens":7)") + resumed("2", 20) +
            resumed("3", 0) +
            shutdown("e5", R"("inputTokens":900,"outputTokens":)" + std::to_string(output), calls)),
        {});
    REQUIRE(graph.sessions().size() == 1);
    const SessionUse& use = graph.sessions()[0].use;
    return fmt::format("{} calls, {} in, {} out", use.calls, use.tokens.input, use.tokens.output);
  };
  CHECK(told(3, 27) == "3 calls, 900 in, 27 out");
  CHECK(told(5, 40) == "5 calls, 900 in, 40 out");
  // A run that made as many calls as it has answers began anew; so did one whose output is its own.
  CHECK(told(2, 27) == "3 calls, 1000 in, 34 out");
  CHECK(told(3, 26) == "4 calls, 1000 in, 33 out");
}

TEST_CASE("a run of Copilot CLI that was resumed and did nothing is told once") {
  const std::string counts = R"("inputTokens":100,"outputTokens":7)";
  const Trace trace = read_log(kCopilot + shutdown("e4", counts) + shutdown("e5", counts));
  REQUIRE(counted(trace).size() == 1);
  CHECK(counted(trace).front().calls == 1);
  CHECK(trace.usage_statements.front().set_aside == UsageStatement::SetAside::superseded);
}

TEST_CASE("credits of Copilot CLI are cents, and counts of all its models may be one") {
  const auto event = [](const char* type, const std::string& id, const std::string& data) {
    return fmt::format(
        R"({{"type":"session.{}","data":{{{}}},"id":"{}","timestamp":"2026-01-01T10:01:00Z","parentId":"e3"}})"
        "\n",
        type, data, id);
  };
  const auto paid = [&](const std::string& id, int64_t credits) {
    return event("usage_checkpoint", id, fmt::format(R"("totalNanoAiu":{})", credits));
  };
  const std::string end = event(
      "shutdown", "s1",
      R"("modelMetrics":{},"totalNanoAiu":2000000000,"tokenDetails":{"input":{"tokenCount":10},"cache_read":{"tokenCount":5},"cache_write":{"tokenCount":7},"output":{"tokenCount":9}})");
  SECTION("until the end states all") {
    const Trace trace =
        read_log(kCopilot + paid("c1", 900'000'000) + paid("c2", 1'500'000'000) + end);
    REQUIRE(counted(trace).size() == 1);
    CHECK(counted(trace)[0].cost == 20'000'000);
    CHECK(counted(trace)[0].tokens ==
          Tokens{.input = 10, .output = 9, .cache_read = 5, .cache_creation = 7});
    CHECK(trace.usage_statements.size() == 3);
  }
  SECTION("the last of several counts, without an end") {
    const Trace trace = read_log(kCopilot + paid("c1", 900'000'000) + paid("c2", 1'500'000'000));
    REQUIRE(counted(trace).size() == 1);
    CHECK(counted(trace)[0].cost == 15'000'000);
  }
  SECTION("what was paid behind an end is added to that") {
    const Trace trace = read_log(kCopilot + end + resumed("2", 20) + paid("c3", 2'500'000'000) +
                                 paid("c4", 3'000'000'000));
    REQUIRE(counted(trace).size() == 2);
    CHECK(counted(trace)[0].cost == 20'000'000);
    CHECK(counted(trace)[1].cost == 10'000'000);
  }
}

TEST_CASE("credits that have no public price are counted as such") {
  Folder folder;
  folder.write(
      "k.jsonl",
      R"({"version":"v1","kind":"Prompt","data":{"message_id":"m1","content":[{"kind":"text","data":"go"}],"meta":{"timestamp":1788255000}}})"
      "\n"
      R"({"version":"v1","kind":"AssistantMessage","data":{"message_id":"m2","content":[{"kind":"text","data":"so"}]}})"
      "\n");
  folder.write("k.json", R"({"session_id":"k","cwd":"/k","created_at":"2026-09-01T09:30:00Z",
    "session_state":{"conversation_metadata":{"user_turn_metadatas":[
      {"metering_usage":[{"value":0.25,"unit":"credit"}]},
      {"metering_usage":[{"value":0.5,"unit":"credit"},{"value":9,"unit":"minute"}]}]}}})");
  const Trace trace = load_path(folder.path());
  CHECK(trace.calls.size() == 1);
  REQUIRE(trace.usage_statements.size() == 1);
  CHECK(trace.usage_statements[0].credits == 750'000'000);
  CHECK(trace.usage_statements[0].cost == kNoCount);
}

TEST_CASE("counts of nothing at the end of a run of Copilot CLI are none") {
  const Trace trace = read_log(
      kCopilot + shutdown("e4", R"("inputTokens":0,"outputTokens":0,"cacheReadTokens":0)"));
  CHECK(trace.usage_statements.empty());
}

TEST_CASE("a session of Copilot CLI that stands in two files has its totals once") {
  Folder folder;
  const std::string log = kCopilot + shutdown("e4", R"("inputTokens":9,"outputTokens":7)");
  folder.write("a/events.jsonl", log);
  folder.write("b/events.jsonl", log + "\n");
  const Trace trace = load_path(folder.path());
  CHECK(counted(trace).size() == 1);
  CHECK(trace.usage_statements.back().set_aside == UsageStatement::SetAside::repeated);
}

TEST_CASE("a compaction of Copilot CLI is a call, which leaves what was asked to the next") {
  const Trace trace = read_log(
      kCopilot +
      R"({"type":"user.message","data":{"content":"on"},"id":"e4","timestamp":"2026-01-01T10:00:04Z","parentId":"e3"})"
      "\n"
      R"({"type":"session.compaction_complete","data":{"success":true,"summaryContent":"all went well","compactionTokensUsed":{"inputTokens":100,"outputTokens":9,"cacheReadTokens":70,"duration":5000,"model":"small"}},"id":"e5","timestamp":"2026-01-01T10:00:10Z","parentId":"e4"})"
      "\n"
      R"({"type":"assistant.message","data":{"messageId":"m2","apiCallId":"a2","model":"large","content":"no","outputTokens":5},"id":"e6","timestamp":"2026-01-01T10:00:12Z","parentId":"e5"})"
      "\n");
  REQUIRE(trace.calls.size() == 3);
  const Call &summary = trace.calls[1], &next = trace.calls[2];
  CHECK(trace[summary.model] == "small");
  CHECK(summary.tokens.input == 30);
  CHECK(summary.tokens.output == 9);
  CHECK(summary.duration == std::chrono::seconds(5));
  CHECK(summary.previous == CallId(0));
  CHECK(next.previous == CallId(1));
  CHECK(next.is_compacted);
  REQUIRE(next.request);
  CHECK(trace[next.request].role == Message::Role::user);
}

TEST_CASE(
    "the end of several turns of `claude -p` is the session's, and an answer without counts") {
  const auto models = [](const char* large, const char* small) {
    return fmt::format(
        R"(,"modelUsage":{{"large":{{"inputTokens":4,"outputTokens":80{}}},"small":{{"inputTokens":2,"outputTokens":10{}}}}})",
        large, small);
  };
  SECTION("model by model, where the money is split up") {
    const Trace trace =
        read_log(total_line("u1", 3, models(R"(,"costUSD":0.375)", R"(,"costUSD":0.0625)")));
    REQUIRE(trace.calls.size() == 1);
    CHECK(trace.calls.front().tokens == Tokens{});
    CHECK(trace.calls.front().cost == kNoCount);
    const std::vector<UsageStatement> rows = counted(trace);
    REQUIRE(rows.size() == 4);
    CHECK(trace[rows[0].model] == "large");
    CHECK(rows[0].tokens.output == 80);
    CHECK(rows[0].cost == 375'000'000);
    CHECK(rows[1].tokens.output == 10);
    CHECK(rows[1].cost == 62'500'000);
    CHECK_FALSE(rows[2].model);  // the money of all models
    CHECK(rows[2].tokens == Tokens{});
    CHECK(rows[2].cost == 500'000'000);
    CHECK(rows[3].calls == 3);
    CHECK(rows[3].scope == UsageStatement::Scope::turn);
  }
  SECTION("together in a row of its own, where it is not") {
    const std::vector<UsageStatement> rows = counted(read_log(total_line("u1", 3, models("", ""))));
    REQUIRE(rows.size() == 4);
    CHECK(rows[0].tokens.output == 80);
    CHECK(rows[0].cost == kNoCount);
    CHECK(rows[1].tokens.output == 10);
    CHECK_FALSE(rows[2].model);
    CHECK(rows[2].cost == 500'000'000);
    CHECK(rows[3].calls == 3);
  }
}

TEST_CASE("the end of one turn of `claude -p` is that call's as well") {
  const Trace trace = read_log(total_line("u1", 1, ""));
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls.front().tokens.output == 90);
  CHECK(trace.calls.front().cost == 500'000'000);
  const std::vector<UsageStatement> rows = counted(trace);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].cost == 500'000'000);
  CHECK(rows[1].tokens.output == 90);
  CHECK(rows[1].scope == UsageStatement::Scope::turn);
}

TEST_CASE("a turn of one call is of the model whose total grew by as much, and costs as much") {
  const auto models = [](int large, double paid) {
    return fmt::format(
        R"(,"modelUsage":{{"large":{{"inputTokens":{},"outputTokens":{},"costUSD":{}}},"small":{{"inputTokens":7,"outputTokens":1,"costUSD":0.25}}}})",
        4 * large, 90 * large, paid);
  };
  const Trace trace =
      read_log(total_line("u1", 1, models(1, 0.125)) + total_line("u2", 1, models(2, 0.375)));
  REQUIRE(trace.calls.size() == 2);
  for (const Call& call : trace.calls) CHECK(trace[call.model] == "large");
  CHECK(trace.calls[0].cost == 125'000'000);
  CHECK(trace.calls[1].cost == 250'000'000);
  CHECK(trace.calls[1].tokens.output == 90);
}

TEST_CASE("the last end that a stream of Claude Code tells has all of the ones before it") {
  const std::string usage = R"(,"modelUsage":{"large":{"inputTokens":4,"outputTokens":90}})",
                    more = R"(,"modelUsage":{"large":{"inputTokens":9,"outputTokens":195}})";
  const Trace trace = read_log(total_line("u1", 1, usage) + total_line("u2", 3, more));
  const std::vector<UsageStatement> rows = counted(trace);
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].calls == 1);
  CHECK(rows[1].tokens.output == 195);
  CHECK(rows[2].cost == 500'000'000);
  CHECK(rows[3].calls == 3);
  CHECK(trace.usage_statements.front().set_aside == UsageStatement::SetAside::superseded);
}

TEST_CASE("each statement covers what came behind the one that counts before it in its file") {
  const std::string usage = R"(,"modelUsage":{"large":{"inputTokens":9,"outputTokens":90}})",
                    less = R"(,"modelUsage":{"large":{"inputTokens":4,"outputTokens":95}})";
  const Trace trace = read_log(total_line("u1", 2, usage) + total_line("u2", 3, less));
  for (const UsageStatement& row : counted(trace)) {
    const bool is_first = row.source.offset == 0;
    CHECK((row.since.length == 0) == is_first);
    if (!is_first) CHECK(row.since.offset == 0);
  }
}

TEST_CASE("a run of Claude Code that begins anew in the same stream is added") {
  const std::string usage = R"(,"modelUsage":{"large":{"inputTokens":9,"outputTokens":90}})",
                    less = R"(,"modelUsage":{"large":{"inputTokens":4,"outputTokens":95}})";
  const Graph graph = link(read_log(total_line("u1", 1, usage) + total_line("u2", 3, less)), {});
  REQUIRE(graph.sessions().size() == 1);
  const SessionUse& use = graph.sessions()[0].use;
  CHECK(use.tokens.output == 185);
  CHECK(use.cost == 1'000'000'000);
  CHECK(use.calls == 4);
}

TEST_CASE("a run that took more than the one before it, but not its own turn more, began anew") {
  const std::string usage = R"(,"modelUsage":{"large":{"inputTokens":4,"outputTokens":90}})",
                    more = R"(,"modelUsage":{"large":{"inputTokens":5,"outputTokens":99}})";
  const Graph graph = link(read_log(total_line("u1", 1, usage) + total_line("u2", 3, more)), {});
  REQUIRE(graph.sessions().size() == 1);
  CHECK(graph.sessions()[0].use.tokens.output == 189);
  CHECK(graph.sessions()[0].use.cost == 1'000'000'000);
}

TEST_CASE("what a transcript of Claude Code says it cost so far counts once for each run") {
  const auto state = [](const std::string& start, const std::string& cost, int output) {
    return R"({"type":"cost-state","sessionId":"s","startTime":)" + start + R"(,"totalCostUSD":)" +
           cost + R"(,"modelUsage":{"large":{"inputTokens":4,"outputTokens":)" +
           std::to_string(output) + "}}}\n";
  };
  const auto answer = [](const std::string& id) {
    return R"({"type":"assistant","message":{"id":")" + id +
           R"(","role":"assistant","model":"large","content":[{"type":"text","text":"so"}],"usage":{"input_tokens":4,"output_tokens":50}},"sessionId":"s","uuid":")" +
           id + "\"}\n";
  };
  const auto use_of = [](const std::string& log) {
    const Graph graph = link(read_log(log), {});
    REQUIRE(graph.sessions().size() == 1);
    return graph.sessions().front().use;
  };
  const std::string first =
      answer("m1") + state("1789380000000", "0.25", 60) + state("1789380000000", "0.5", 70);
  CHECK(use_of(first).tokens.output == 70);
  CHECK(use_of(first).cost == 500'000'000);
  CHECK(use_of(first).calls == kNoCount);
  CHECK(tokens_beyond_calls(link(read_log(first), {})).output == 20);
  // The next one may have what the one before it took, if it is enough for both.
  const SessionUse anew = use_of(first + answer("m2") + state("1789390000000", "0.5", 80));
  CHECK(anew.tokens.output == 150);
  CHECK(anew.cost == 1'000'000'000);
  const SessionUse goes_on = use_of(first + answer("m2") + state("1789390000000", "0.75", 130));
  CHECK(goes_on.tokens.output == 130);
  CHECK(goes_on.cost == 750'000'000);
}

TEST_CASE("an end of a run of Claude Code that stands in its stream twice is told once") {
  const std::string end = total_line("u1", 2, "");
  const std::vector<UsageStatement> rows = counted(read_log(end + "\n" + end + " \n"));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].cost == 500'000'000);
  CHECK(rows[1].calls == 2);
}

TEST_CASE("a row of Goose's ledger is of the answer before it, if it is the only one") {
  Folder folder;
  const Graph graph = link(load_path(goose_database(folder)), {});
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 5);
  std::vector<int64_t> output;
  for (CallId call : graph.timeline().in_order()) output.push_back(trace[call].tokens.output);
  // the first answer, the subagent's, one with two rows, a compaction, one with none
  CHECK(output == std::vector<int64_t>{20, kNoCount, kNoCount, 40, kNoCount});
  const Call& first = trace[graph.timeline().in_order()[0]];
  CHECK(first.tokens.input == 40);
  CHECK(first.tokens.cache_read == 60);
  CHECK(first.cost == 250'000'000);
  REQUIRE(graph.sessions().size() == 1);
  const SessionUse& use = graph.sessions().front().use;
  CHECK(use.tokens.input == 900);
  CHECK(tokens_beyond_calls(graph).output == 40);
}

TEST_CASE("a subagent of Goose is found by what it was told") {
  Folder folder;
  const Graph graph = link(load_path(goose_database(folder)), {});
  const auto spawn = std::find_if(graph.links().begin(), graph.links().end(), [](const Link& link) {
    return link.kind == LinkKind::subagent_spawn;
  });
  REQUIRE(spawn != graph.links().end());
  CHECK(spawn->rule == Rule::prompt);
  CHECK(confidence(*spawn) == Approx(0.99));
}

TEST_CASE("a tool that Codex began and did not end has no output") {
  const auto item = [](const char* type, const char* id, const char* more) {
    return fmt::format(
        R"({{"type":"item.{}","item":{{"id":"{}","type":"command_execution","command":"ls"{}}}}})"
        "\n",
        type, id, more);
  };
  const Trace trace =
      read_log("{\"type\":\"thread.started\",\"thread_id\":\"t\"}\n{\"type\":\"turn.started\"}\n" +
               item("started", "item_0", "") + item("started", "item_1", "") +
               item("completed", "item_0", R"(,"aggregated_output":"a","exit_code":0)"));
  REQUIRE(trace.calls.size() == 1);
  CHECK(rows_of(trace.tool_uses, trace.calls.front().answer).size() == 2);
  CHECK(rows_of(trace.tool_results, trace.calls.front().answer).size() == 1);
}

TEST_CASE("what a trajectory of SWE-agent counts in sum is the session's") {
  auto totals = [](const std::string& stats) {
    return read_log(R"({"trajectory":[],"info":{"model_stats":{)" + stats +
                    R"(}},"history":[{"role":"user","content":"dig","agent":"main"},)"
                    R"({"role":"assistant","content":"so","agent":"main"}]})"
                    "\n")
        .usage_statements;
  };
  const auto told =
      totals(R"("instance_cost":0.02,"tokens_sent":7000,"tokens_received":200,"api_calls":2)");
  REQUIRE(told.size() == 1);
  CHECK(told[0].tokens.input == 7000);
  CHECK(told[0].tokens.output == 200);
  CHECK(told[0].cost == 20'000'000);
  CHECK(told[0].calls == 2);
  CHECK(totals(R"("instance_cost":0,"tokens_sent":0,"tokens_received":0,"api_calls":0)").empty());
  const auto costs_alone =
      totals(R"("instance_cost":3.5,"tokens_sent":0,"tokens_received":0,"api_calls":12)");
  REQUIRE(costs_alone.size() == 1);
  CHECK(costs_alone[0].cost == 3'500'000'000);
  CHECK(costs_alone[0].calls == 12);
}

TEST_CASE("a session of Goose may tell of what it used up nothing but the cost") {
  const Trace trace = read_log(
      R"({"id":"g","working_dir":"/g","accumulated_total_tokens":90,"accumulated_cost":0.5,)"
      R"("conversation":[{"role":"user","created":1788422400,"content":[{"type":"text","text":"go"}]},)"
      R"({"role":"assistant","created":1788422402,"content":[{"type":"text","text":"so"}]}]})"
      "\n");
  REQUIRE(trace.usage_statements.size() == 1);
  CHECK(trace.usage_statements[0].cost == 500'000'000);
}

TEST_CASE("what a stream of Copilot CLI tells of each call is that call's") {
  const std::string name = GENERATE(R"("apiCallId":"a1",)", "");
  const Trace trace = read_log(
      kCopilot + R"({"type":"assistant.usage","data":{)" + name +
      R"("model":"large","inputTokens":900,"outputTokens":9,"cacheReadTokens":700,"cost":1},)"
      R"("id":"e4","timestamp":"2026-01-01T10:00:04Z","parentId":"e3"})"
      "\n");
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls[0].tokens.input == 200);
  CHECK(trace.calls[0].tokens.cache_read == 700);
  CHECK(trace.calls[0].tokens.output == 9);
  CHECK(trace.calls[0].cost == kNoCount);
}
