#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

namespace {

const std::string kThread = R"({"type":"thread.started","thread_id":"t"})"
                            "\n"
                            R"({"type":"turn.started"})"
                            "\n";

std::string completed(const std::string& item) {
  return R"({"type":"item.completed","item":{)" + item + "}}\n";
}

const std::string kEnd =
    R"({"type":"turn.completed","usage":{"input_tokens":100,"cached_input_tokens":60,"cache_write_input_tokens":30,"output_tokens":9,"reasoning_output_tokens":4}})"
    "\n";

}  // namespace

TEST_CASE("a command that fails within a turn of codex exec is a tool that failed") {
  const Graph graph =
      link(read_log(kThread +
                    completed(R"("id":"i1","type":"command_execution","command":"make",)"
                              R"("aggregated_output":"no rule","exit_code":2,"status":"failed")") +
                    completed(R"("id":"i2","type":"command_execution","command":"ls",)"
                              R"("aggregated_output":"a","exit_code":0,"status":"completed")") +
                    completed(R"("id":"i3","type":"agent_message","text":"It failed.")") + kEnd),
           {});
  REQUIRE(graph.trace().calls.size() == 1);
  const auto tools = graph.activities().tools_of(CallId(0));
  REQUIRE(tools.size() == 2);
  CHECK(tools[0].outcome == Outcome::error);
  CHECK(tools[1].outcome == Outcome::ok);
  CHECK_FALSE(tools[0].reader);
}

TEST_CASE("what a turn of codex exec wrote into the cache is no other input") {
  const Trace trace =
      read_log(kThread + completed(R"("id":"i1","type":"agent_message","text":"x")") + kEnd);
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls[0].tokens ==
        Tokens{.input = 10, .output = 9, .cache_read = 60, .cache_creation = 30});
}

TEST_CASE("a turn of codex exec that failed tells the status that it was answered with") {
  const std::string message =
      GENERATE("unexpected status 401 Unauthorized: no key", "it is over", "stream ECONNRESET");
  const Trace trace =
      read_log(kThread + R"({"type":"turn.failed","error":{"message":")" + message + "\"}}\n");
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace[trace.calls[0].error] == (message.starts_with("unex") ? "http_401"
                                        : message.starts_with("it") ? "turn_failed"
                                                                    : "ECONNRESET"));
}

TEST_CASE("a turn of codex exec that fails is one call, with the tools that it ran") {
  const std::string failure = R"({"type":"error","message":"stream error"})"
                              "\n"
                              R"({"type":"turn.failed","error":{"message":"stream error"}})"
                              "\n";
  const Trace trace = read_log(
      kThread + completed(R"("id":"i1","type":"agent_message","text":"x")") + kEnd +
      R"({"type":"turn.started"})"
      "\n"
      R"({"type":"item.started","item":{"id":"i2","type":"command_execution","command":"ls"}})"
      "\n" +
      failure);
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[0].outcome == Outcome::ok);
  CHECK(trace.calls[1].outcome == Outcome::error);
  CHECK(read_log(kThread + failure).calls.size() == 1);
}

TEST_CASE("an agent that codex exec starts is there though its rollout is not") {
  const Graph graph = link(
      read_log(kThread +
               completed(R"("id":"i1","type":"collab_tool_call","tool":"spawn_agent",)"
                         R"("sender_thread_id":"t","receiver_thread_ids":["u"],"prompt":"sow")") +
               kEnd),
      {});
  REQUIRE(graph.trace().calls.size() == 2);
  CHECK(graph.trace().calls[1].outcome == Outcome::unrecorded);
  REQUIRE(graph.links().size() == 1);
  CHECK(graph.links().front().rule == Rule::agent_id);
}

TEST_CASE("a warning of codex exec is told, and an attempt that lost its stream is one") {
  const Trace trace = read_log(
      kThread + completed(R"("id":"i0","type":"error","message":"Falling back to HTTPS.")") +
      completed(R"("id":"i1","type":"error","message":"Too many skills.")") +
      completed(R"("id":"i2","type":"error","message":"stream error: lost; retrying 1/5")") +
      completed(R"("id":"i3","type":"agent_message","text":"done")") + kEnd);
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[0].outcome == Outcome::error);
  CHECK(trace[trace.calls[0].error] == "stream_error");
  CHECK(trace.calls[1].outcome == Outcome::ok);
  CHECK(complaints_of(trace) ==
        "field 3: a warning of the client; the run continued\nfield 4: a warning of the client; "
        "the run continued");
}

TEST_CASE("what a turn of codex exec fails with is one failure, told once or twice") {
  const bool is_told_twice = GENERATE(true, false);
  const std::string message = R"("message":"unexpected status 429 Too Many Requests: slow down")";
  const Trace trace =
      read_log(kThread + R"({"type":"error",)" + message + "}\n" +
               (is_told_twice ? R"({"type":"turn.failed","error":{)" + message + "}}\n" : ""));
  CHECK(trace.sources.front().skipped == 0);
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace[trace.calls[0].error] == "http_429");
}

TEST_CASE("a stream that codex exec gives up is what its turn fails with, and no other attempt") {
  const auto error = [](const std::string& message) {
    return R"({"type":"error","message":")" + message + "\"}\n";
  };
  const std::string lost = "stream disconnected before completion: stream closed";
  const Trace trace =
      read_log(kThread + error("Reconnecting... 1/2") + error("Reconnecting... 2/2") + error(lost) +
               R"({"type":"turn.failed","error":{"message":")" + lost + "\"}}\n");
  CHECK(trace.calls.size() == 3);
  for (const Call& call : trace.calls) CHECK(call.outcome == Outcome::error);
}

TEST_CASE("errors of other programs are nothing that codex exec printed") {
  const std::string errors = R"({"type":"error","message":"disk full"})"
                             "\n"
                             R"({"type":"error","message":"Reconnecting to the database"})"
                             "\n";
  const bool has_thread = GENERATE(true, false);
  const Trace trace = read_log((has_thread ? kThread : "") + errors);
  CHECK(trace.calls.size() == (has_thread ? 2 : 0));
  CHECK(trace.sources.front().skipped == (has_thread ? 0 : 2));
  CHECK(trace.sources.front().records == (has_thread ? 4 : 0));
  CHECK(trace.complaints.size() == trace.sources.front().skipped);
}

namespace {

std::string rollout_line(const std::string& payload) {
  return R"({"timestamp":"2026-01-01T10:00:03Z",)" + payload + "}\n";
}

/// A session of which `done` was kept.
const std::string kRollout =
    rollout_line(R"("type":"session_meta","payload":{"id":"t"})") +
    rollout_line(R"("type":"response_item","payload":{"type":"message","role":"user",)"
                 R"("content":[{"type":"input_text","text":"go"}]})") +
    rollout_line(R"("type":"response_item","payload":{"type":"message","role":"assistant",)"
                 R"("content":[{"type":"output_text","text":"done"}]})");

Trace beside_rollout(const std::string& printed, const std::string& more = {}) {
  Folder folder;
  Progress progress;
  return load({folder.write("exec.jsonl", printed), folder.write("rollout.jsonl", kRollout + more)},
              {}, progress)
      .value();
}

}  // namespace

TEST_CASE("what codex exec prints and no rollout has is there beside the rollout") {
  const std::string begin = R"({"type":"turn.started"})"
                            "\n";
  const std::string printed =
      kThread + completed(R"("id":"i1","type":"agent_message","text":"done")") + kEnd;
  const std::string failed =
      R"({"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized: x"}})"
      "\n";
  SECTION("a turn") {
    const Trace trace = beside_rollout(
        printed + begin + completed(R"("id":"i2","type":"agent_message","text":"more")") + kEnd);
    CHECK(trace.calls.size() == 2);
  }
  SECTION("that a turn failed") {
    const bool is_kept = GENERATE(true, false);
    const Trace trace = beside_rollout(
        printed + begin + failed,
        is_kept
            ? rollout_line(R"("type":"event_msg","payload":{"type":"error","message":"no key"})")
            : "");
    CHECK(trace.calls.size() == 2);
    size_t errors = 0;
    for (const Call& call : trace.calls) errors += call.outcome == Outcome::error ? 1 : 0;
    CHECK(errors == 1);
  }
}

TEST_CASE("tools that two runs of codex exec count alike are two") {
  const auto run = [](const std::string& thread, const std::string& command, int exit) {
    return R"({"type":"thread.started","thread_id":")" + thread +
           "\"}\n{\"type\":\"turn.started\"}\n" +
           completed(
               R"("id":"item_1","type":"command_execution","aggregated_output":"","command":")" +
               command + R"(","exit_code":)" + std::to_string(exit)) +
           kEnd;
  };
  const bool is_one_file = GENERATE(true, false);
  const std::string second = run(GENERATE("t", "u"), "rm", 1);
  Folder folder;
  std::vector<std::string> paths = {
      folder.write("a.jsonl", run("t", "ls", 0) + (is_one_file ? second : ""))};
  if (!is_one_file) paths.push_back(folder.write("b.jsonl", second));
  Progress progress;
  const Graph graph = link(load(paths, {}, progress).value(), {});
  REQUIRE(graph.trace().calls.size() == 2);
  for (uint32_t i : {0, 1}) {
    const auto tools = graph.activities().tools_of(CallId(i));
    REQUIRE(tools.size() == 1);
    CHECK(tools[0].outcome == (i == 0 ? Outcome::ok : Outcome::error));
  }
}

TEST_CASE("what codex exec prints counts once beside the rollout of its session") {
  const std::string rollout =
      R"({"timestamp":"2026-01-01T10:00:01Z","type":"session_meta","payload":{"id":"t"}})"
      "\n"
      R"({"timestamp":"2026-01-01T10:00:02Z","type":"response_item","payload":{"type":"message",)"
      R"("role":"user","content":[{"type":"input_text","text":"go"}]}})"
      "\n"
      R"({"timestamp":"2026-01-01T10:00:03Z","type":"response_item","payload":{"type":"message",)"
      R"("role":"assistant","content":[{"type":"output_text","text":"done"}]}})"
      "\n";
  const std::string printed =
      kThread + completed(R"("id":"i3","type":"agent_message","text":"done")") + kEnd;
  Folder folder;
  Progress progress;
  const Trace trace =
      load({folder.write("exec.jsonl", printed), folder.write("rollout.jsonl", rollout)}, {},
           progress)
          .value();
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls[0].start != kNoTime);
  CHECK(trace.sources.front().copies > 0);
}

namespace {

std::string turn_with_usage(const std::string& said, int input, int cached, int output) {
  return R"({"type":"turn.started"})"
         "\n" +
         completed(R"("id":"i1","type":"agent_message","text":")" + said + "\"") +
         R"({"type":"turn.completed","usage":{"input_tokens":)" + std::to_string(input) +
         R"(,"cached_input_tokens":)" + std::to_string(cached) + R"(,"output_tokens":)" +
         std::to_string(output) + "}}\n";
}

std::vector<int64_t> output_of_calls(const Trace& trace) {
  std::vector<int64_t> output;
  for (const Call& call : trace.calls) output.push_back(call.tokens.output);
  return output;
}

const std::string kThreadBegins = R"({"type":"thread.started","thread_id":"t"})"
                                  "\n";

}  // namespace

TEST_CASE("a turn of codex exec used up what its thread had not used up before") {
  const Trace trace = read_log(kThreadBegins + turn_with_usage("one", 1000, 600, 50) +
                               turn_with_usage("two", 2000, 1300, 100) + kThreadBegins +
                               turn_with_usage("three", 3000, 1900, 180));
  CHECK(output_of_calls(trace) == std::vector<int64_t>{50, 50, 80});
  CHECK(trace.calls[1].tokens.input == 300);
  CHECK(trace.calls[1].tokens.cache_read == 700);
}

TEST_CASE("a count of codex exec that is lower than the one before it begins anew") {
  const Trace trace = read_log(kThreadBegins + turn_with_usage("one", 1000, 600, 50) +
                               turn_with_usage("two", 2000, 500, 100));
  CHECK(output_of_calls(trace) == std::vector<int64_t>{50, 100});
}

TEST_CASE("threads of codex exec are counted each by itself") {
  const Trace trace = read_log(kThreadBegins + turn_with_usage("one", 1000, 600, 50) +
                               R"({"type":"thread.started","thread_id":"u"})"
                               "\n" +
                               turn_with_usage("two", 2000, 1200, 100));
  CHECK(output_of_calls(trace) == std::vector<int64_t>{50, 100});
}

TEST_CASE("a thread of codex exec that was resumed into another file is counted on") {
  const std::string begun = kThreadBegins + turn_with_usage("one", 1000, 600, 50);
  const std::string resumed = kThreadBegins + turn_with_usage("two", 2000, 1200, 120);
  const bool is_resumed_first = GENERATE(true, false);
  Folder folder;
  Progress progress;
  const std::string first = folder.write("1.jsonl", is_resumed_first ? resumed : begun);
  const std::string second = folder.write("2.jsonl", is_resumed_first ? begun : resumed);
  const Trace trace = load({first, second}, {}, progress).value();
  CHECK(output_of_calls(trace) ==
        (is_resumed_first ? std::vector<int64_t>{70, 50} : std::vector<int64_t>{50, 70}));
}

TEST_CASE("a copy of how a thread of codex exec began used up nothing") {
  const std::string begun = kThreadBegins + turn_with_usage("one", 1000, 600, 50);
  const std::string whole = begun + turn_with_usage("two", 2000, 1200, 120);
  const bool is_copy_first = GENERATE(true, false);
  Folder folder;
  Progress progress;
  const std::string first = folder.write("1.jsonl", is_copy_first ? begun : whole);
  const std::string second = folder.write("2.jsonl", is_copy_first ? whole : begun);
  int64_t output = 0;
  for (int64_t of_call : output_of_calls(load({first, second}, {}, progress).value()))
    output += of_call;
  CHECK(output == 120);
}
