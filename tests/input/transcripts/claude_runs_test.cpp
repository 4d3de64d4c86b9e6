#include <algorithm>
#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

namespace {

std::string printed(const std::string& type, const std::string& uuid, const std::string& more) {
  return R"({"type":")" + type + R"(","session_id":"s","uuid":")" + uuid + "\"," + more + "}\n";
}

std::string answered(const std::string& id, const std::string& blocks) {
  return printed("assistant", "a-" + id,
                 R"("message":{"id":")" + id +
                     R"(","role":"assistant","model":"large","content":[)" + blocks +
                     R"(],"usage":{"input_tokens":4,"output_tokens":20}})");
}

const std::string kText = R"({"type":"text","text":"so"})";
const std::string kUse = R"({"type":"tool_use","id":"t1","name":"Bash","input":{}})";
const std::string kGiven = printed(
    "user", "u2",
    R"("message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x"}]})");

std::string run_ends(const std::string& subtype, const std::string& uuid = "r") {
  const bool is_error = subtype != "success";
  return printed("result", uuid,
                 R"("subtype":")" + subtype + R"(","is_error":)" + (is_error ? "true" : "false") +
                     R"(,"num_turns":2,"result":"so","usage":{"output_tokens":40})");
}

std::string retried(const std::string& uuid, const std::string& error) {
  return printed(
      "system", uuid,
      R"("subtype":"api_retry","attempt":1,"error_status":529,"error":")" + error + "\"");
}

std::vector<std::string> failures(const Trace& trace) {
  std::vector<std::string> words;
  for (const Call& call : trace.calls)
    words.push_back(call.outcome == Outcome::error ? std::string(trace[call.error]) : "ok");
  return words;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("a run of `claude -p` that ends with an error has a last call that failed") {
  CHECK(failures(read_log(answered("m1", kUse) + kGiven + answered("m2", kText) +
                          run_ends("error_during_execution"))) ==
        Words{"ok", "error_during_execution"});
  CHECK(failures(read_log(answered("m1", kUse) + answered("m2", kText) + answered("m2", kUse) +
                          kGiven + run_ends("error_max_turns"))) == Words{"ok", "error_max_turns"});
  CHECK(failures(read_log(answered("m1", kUse) + kGiven + answered("m2", kText) +
                          run_ends("success"))) == Words{"ok", "ok"});
}

TEST_CASE("an error of a later run of `claude -p` is none of the runs before it") {
  const std::string first = answered("m1", kText) + run_ends("success", "r1");
  CHECK(failures(
            read_log(first + answered("m2", kText) + run_ends("error_during_execution", "r2"))) ==
        Words{"ok", "error_during_execution"});
  CHECK(failures(read_log(first + run_ends("error_during_execution", "r2"))) ==
        Words{"ok", "error_during_execution"});
}

TEST_CASE("attempts that `claude -p` retried are calls that failed, and are told once") {
  const std::string stream =
      retried("e1", "overloaded") + retried("e2", "overloaded") + answered("m1", kText);
  const Trace trace = read_log(stream);
  REQUIRE(trace.calls.size() == 3);
  CHECK(trace.calls[0].outcome == Outcome::error);
  CHECK(trace.calls[1].outcome == Outcome::error);
  CHECK(trace.calls[2].outcome == Outcome::ok);
  const std::string kept =
      R"({"type":"system","subtype":"api_error","sessionId":"s","uuid":"k1","parentUuid":null,"error":{"status":529}})"
      "\n"
      R"({"type":"system","subtype":"api_error","sessionId":"s","uuid":"k2","parentUuid":"k1","error":{"status":529}})"
      "\n";
  Folder folder;
  Progress progress;
  CHECK(
      load({folder.write("kept.jsonl", kept), folder.write("printed.jsonl", stream)}, {}, progress)
          .value()
          .calls.size() == 3);
}

TEST_CASE(
    "what a subagent of `claude -p` reports is known by the order of the lines, without times") {
  const std::string task =
      R"({"type":"tool_use","id":"T","name":"Task","input":{"prompt":"dig","subagent_type":"Plan"}})";
  const auto of_task = [](std::string line) {
    return line.insert(line.size() - 2, R"(,"parent_tool_use_id":"T")");
  };
  const Graph graph =
      link(read_log(answered("m1", task) +
                    of_task(printed("user", "u1", R"("message":{"role":"user","content":"dig"})")) +
                    of_task(answered("s1", R"({"type":"text","text":"dug"})")) +
                    printed("user", "u3",
                            R"("message":{"role":"user","content":[{"type":"tool_result",)"
                            R"("tool_use_id":"T","content":"dug"}]})") +
                    answered("m2", kText)),
           {});
  std::string reports;
  for (const Link& link : graph.links())
    if (link.kind == LinkKind::subagent_report)
      reports += std::string(graph.trace()[graph.trace()[link.from].id]) + ">" +
                 std::string(graph.trace()[graph.trace()[link.to].id]);
  CHECK(reports == "s1>m2");
}

TEST_CASE("a run of `claude -p` whose last request failed leaves the answers before it sound") {
  const std::string start = answered("m1", kUse) + kGiven;
  const auto made_up = [](const std::string& more) {
    return printed("assistant", "e",
                   R"("message":{"id":"e1","role":"assistant","model":"<synthetic>","content":[)"
                   R"({"type":"text","text":"API Error: 500"}]})" +
                       more);
  };
  const std::string end = printed("result", "r",
                                  R"("subtype":"success","is_error":true,"num_turns":2,)"
                                  R"("result":"API Error: 500","usage":{"output_tokens":40})");
  CHECK(failures(read_log(start + made_up(R"(,"error":"server_error")") + end)) ==
        Words{"ok", "server_error"});
  CHECK(failures(read_log(start + made_up("") + end)) == Words{"ok", "api_error"});
}

TEST_CASE("with partial messages the end of an answer tells what it used up") {
  const auto event = [](const std::string& event, const std::string& tool = "null") {
    return printed("stream_event", "x", R"("parent_tool_use_id":)" + tool + R"(,"event":)" + event);
  };
  const auto begins = [](const std::string& id) {
    return R"({"type":"message_start","message":{"id":")" + id + R"("}})";
  };
  const auto ends = [](int output) {
    return R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":)" +
           std::to_string(output) + "}}";
  };
  const auto coming = [](const std::string& id) {
    return printed("assistant", "a-" + id,
                   R"("message":{"id":")" + id +
                       R"(","role":"assistant","model":"large","stop_reason":null,"content":[)" +
                       kText + R"(],"usage":{"input_tokens":4,"output_tokens":1}})");
  };
  const Trace trace = read_log(event(begins("m1")) + event(begins("s1"), R"("T")") + coming("m1") +
                               event(ends(7), R"("T")") + event(ends(88)) + coming("m2"));
  REQUIRE(trace.calls.size() == 3);
  const auto named = [&](std::string_view name) -> const Call& {
    return *std::ranges::find_if(trace.calls,
                                 [&](const Call& call) { return trace[call.id] == name; });
  };
  CHECK(named("m1").tokens == Tokens{.input = 4, .output = 88});
  CHECK_FALSE(named("m1").output_is_low);
  CHECK(trace[named("m1").stop_reason] == "end_turn");
  CHECK(named("m2").tokens.output == 1);
  CHECK(named("m2").output_is_low);
  // Nothing of it was printed but its counts.
  CHECK(named("s1").tokens.output == 7);
}
