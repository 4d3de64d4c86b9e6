#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "reading.h"

namespace xtrace {

namespace {

/// `chat m-1 90:7 in garden`, a line for each span: its name, what it tells of a model, its
/// session.
std::string told_in_batch(const Trace& trace) {
  std::string lines;
  for (const Span& span : trace.spans) {
    lines += std::string(trace[span.operation]);
    if (span.gen_ai) {
      const GenAi& told = trace[span.gen_ai];
      lines += " " + std::string(trace[told.model]) + " " + std::to_string(told.tokens.input) +
               ":" + std::to_string(told.tokens.output);
      if (told.cost >= 0) lines += " $" + std::to_string(told.cost);
    }
    if (span.outcome == Outcome::error) lines += " failed";
    if (span.session) lines += " in " + std::string(trace[span.session]);
    lines += "\n";
  }
  return lines;
}

}  // namespace

TEST_CASE("what MLflow keeps of a trace as a file is its list of spans alone") {
  const std::string attributes =
      R"("attributes":{"mlflow.spanType":"\"CHAT_MODEL\"","mlflow.spanInputs":)"
      R"("{\"model\":\"m-1\"}","mlflow.chat.tokenUsage":)"
      R"("{\"input_tokens\":90,\"output_tokens\":7}"}}]})";
  SECTION("of version 3") {
    const Trace trace =
        read_log(R"({"spans":[{"trace_id":"O6VWCcPN5JZJzXfR+dzZNg==","span_id":"Sc130fnc2TY=",)"
                 R"("parent_span_id":null,"name":"ask","start_time_unix_nano":1772355600000000000,)"
                 R"("end_time_unix_nano":1772355601000000000,"status":{"code":"STATUS_CODE_OK"},)" +
                 attributes + "\n");
    CHECK(told_in_batch(trace) == "ask m-1 90:7\n");
    CHECK(trace.sources[0].format == "mlflow");
    CHECK(complaints_of(trace).empty());
  }
  SECTION("with the model in what came out alone") {
    const Trace trace = read_log(
        R"({"spans":[{"name":"ask","context":{"span_id":"0xb1","trace_id":"0xa1"},)"
        R"("parent_id":null,"start_time":1772355600000000000,"end_time":1772355601000000000,)"
        R"("status_code":"OK","attributes":{"mlflow.spanType":"\"CHAT_MODEL\"",)"
        R"("mlflow.spanOutputs":"{\"model\":\"m-2\",\"choices\":[]}","mlflow.chat.tokenUsage":)"
        R"("{\"input_tokens\":90,\"output_tokens\":7}"}}]})"
        "\n");
    CHECK(told_in_batch(trace) == "ask m-2 90:7\n");
  }
  SECTION("of version 2") {
    const Trace trace = read_log(
        R"({"spans":[{"name":"ask","context":{"span_id":"0xb1","trace_id":"0xa1"},)"
        R"("parent_id":null,"start_time":1772355600000000000,"end_time":1772355601000000000,)"
        R"("status_code":"OK",)" +
        attributes + "\n");
    CHECK(told_in_batch(trace) == "ask m-1 90:7\n");
    CHECK(trace.sources[0].format == "mlflow");
  }
}

TEST_CASE("what MLflow passes on of Anthropic's counts has the cache beside the input") {
  const auto tokens = [](const std::string& own) {
    return read_log(
               R"({"spans":[{"name":"ask","context":{"span_id":"0xb1","trace_id":"0xa1"},)"
               R"("parent_id":null,"start_time":1772355600000000000,)"
               R"("end_time":1772355601000000000,"status_code":"OK","attributes":)"
               R"({"mlflow.spanType":"\"CHAT_MODEL\"","mlflow.llm.model":"\"claude-x\"",)"
               R"("mlflow.spanOutputs":"{\"usage\":{\"input_tokens\":2000,\"output_tokens\":50,)"
               R"(\"cache_read_input_tokens\":1500}}","mlflow.chat.tokenUsage":)" +
               own + "}}]}\n")
        .gen_ai.at(0)
        .tokens;
  };
  const Tokens as_told{.input = 2000, .output = 50, .cache_read = 1500};
  CHECK(tokens(R"("{\"input_tokens\":2000,\"output_tokens\":50,\"total_tokens\":2050,)"
               R"(\"cache_read_input_tokens\":1500}")") == as_told);
  CHECK(tokens(R"("{\"input_tokens\":2000,\"output_tokens\":50,\"total_tokens\":2050}")") ==
        as_told);
  CHECK(tokens(R"("{\"input_tokens\":3500,\"output_tokens\":50,\"total_tokens\":3550,)"
               R"(\"cache_read_input_tokens\":1500}")") == as_told);
}

TEST_CASE("an answer of LangSmith's API lists many runs") {
  const Trace trace =
      read_log(R"({"runs":[{"id":"r1","trace_id":"r1","run_type":"chain","name":"garden",)"
               R"("start_time":"2026-03-01T09:00:00Z","end_time":"2026-03-01T09:00:03Z"},)"
               R"({"id":"r2","trace_id":"r1","parent_run_id":"r1","run_type":"llm","name":"ask",)"
               R"("start_time":"2026-03-01T09:00:01Z","end_time":"2026-03-01T09:00:02Z",)"
               R"("extra":{"invocation_params":{"model_name":"m-1"}},"prompt_tokens":90,)"
               R"("completion_tokens":7,"total_cost":"0.25"}],"cursors":{"next":null}})"
               "\n");
  CHECK(told_in_batch(trace) == "garden\nask m-1 90:7 $250000000\n");
  CHECK(trace.sources[0].format == "langsmith");
}

TEST_CASE("runs of LangSmith stand also within the run above them") {
  const auto run = [](const std::string& id, const std::string& type, const std::string& more) {
    return R"({"id":")" + id + R"(","trace_id":"11","name":")" + type + R"(","run_type":")" + type +
           R"(","start_time":"2026-09-01T09:30:01","end_time":"2026-09-01T09:30:03",)"
           R"("prompt_tokens":9,"completion_tokens":2)" +
           more + "}";
  };
  const std::string below = run("22", "llm", R"(,"parent_run_id":"11","child_runs":null)");
  const std::string tool = run("33", "tool", R"(,"parent_run_id":"11")");
  const std::string tree = run("11", "chain", R"(,"child_runs":[)" + below + "," + tool + "]");
  for (const std::string& log : {tree + "\n", R"({"runs":[)" + tree + "]}\n"}) {
    const Trace trace = read_log(log);
    REQUIRE(trace.spans.size() == 3);
    CHECK(trace.sources[0].records == 3);
    CHECK(trace[trace.spans[1].operation] == "llm");
    CHECK(trace.spans[1].parents == 1);
    CHECK(trace.spans[1].source.offset == log.find(below));
    CHECK(complaints_of(trace).empty());
  }
}

TEST_CASE("LangChain's libraries for JavaScript name the use of a tool in `kwargs`") {
  const Trace trace =
      read_log(R"({"id":"33","trace_id":"11","name":"f","run_type":"tool","start_time":)"
               R"("2026-09-01T09:30:01","outputs":{"output":{"lc":1,"type":"constructor","id":[],)"
               R"("kwargs":{"content":"bad","tool_call_id":"call_1"}}}})"
               "\n");
  REQUIRE(trace.spans.size() == 1);
  REQUIRE(trace.spans[0].gen_ai);
  CHECK(trace[trace[trace.spans[0].gen_ai].tool_call] == "call_1");
}

TEST_CASE("observations that Langfuse exports to a bucket are spelt in another way") {
  const Trace trace = read_log(
      R"({"id":"o0","trace_id":"t1","type":"SPAN","parent_observation_id":null,"start_time":)"
      R"("2026-09-01 09:30:00.000","end_time":"2026-09-01 09:30:03","name":"root"})"
      "\n"
      R"({"id":"o1","trace_id":"t1","type":"GENERATION","parent_observation_id":"o0","start_time":)"
      R"("2026-09-01 09:30:00.123","name":"chat","provided_model_name":"m-1","usage_details":)"
      R"({"input":40,"output":10,"input_cached_tokens":60,"total":110},"total_cost":0.5})"
      "\n");
  CHECK(trace.sources[0].format == "langfuse");
  REQUIRE(trace.spans.size() == 2);
  CHECK(told_in_batch(trace) == "root\nchat m-1 40:10 $500000000\n");
  CHECK(trace.spans[1].parents == 1);
}

TEST_CASE("what Langfuse's libraries send tells of an observation in several events") {
  const std::string trace_event =
      R"({"id":"e1","type":"trace-create","body":{"id":"t1","sessionId":"garden"}},)";
  const std::string begun =
      R"({"id":"e2","type":"generation-create","body":{"id":"o1","traceId":"t1","name":"ask",)"
      R"("startTime":"2026-03-01T09:00:00Z","model":"m-1"}},)";
  const std::string ended =
      R"({"id":"e3","type":"generation-update","body":{"id":"o1","traceId":"t1",)"
      R"("endTime":"2026-03-01T09:00:02Z","usageDetails":{"input":90,"output":7}}},)"
      R"({"id":"e4","type":"generation-update","body":{"id":"o1","level":"ERROR"}})";
  SECTION("in one batch") {
    const Trace trace = read_log(R"({"batch":[)" + trace_event + begun + ended +
                                 R"(,{"id":"e5","type":"score-create","body":{"id":"s1"}}]})"
                                 "\n");
    CHECK(told_in_batch(trace) == "ask m-1 90:7 failed in garden\n");
    CHECK(trace.spans[0].duration == Duration(2'000'000'000));
    CHECK(trace.sources[0].format == "langfuse");
    CHECK(complaints_of(trace).empty());
  }
  SECTION("in several, whichever comes first") {
    const auto batch = [](std::string_view items) {
      return fmt::format("{{\"batch\":[{}]}}\n", items);
    };
    const std::string first = batch(trace_event.substr(0, trace_event.size() - 1)),
                      second = batch(begun.substr(0, begun.size() - 1)), third = batch(ended);
    LoadOptions loading;
    loading.piece_bytes = GENERATE(0, 100);
    loading.jobs = GENERATE(1, 2);
    for (const std::string& log : {fmt::format("{}{}{}", first, second, third),
                                   fmt::format("{}{}{}", third, first, second)}) {
      const Trace trace = read_log(log, loading);
      CHECK(told_in_batch(trace) == "ask m-1 90:7 failed in garden\n");
      CHECK(trace.spans[0].duration == Duration(2'000'000'000));
      CHECK(complaints_of(trace).empty());
    }
  }
  SECTION("and of what it is, in the order of the events or not") {
    const Trace trace = read_log(
        R"({"batch":[)" + ended + "," + begun +
        R"({"id":"e6","type":"agent-create","body":{"id":"o2","traceId":"t1","name":"Gardener",)"
        R"("startTime":"2026-03-01T09:00:00Z"}},)"
        R"({"id":"e7","type":"tool-create","body":{"id":"o3","traceId":"t1","name":"dig",)"
        R"("startTime":"2026-03-01T09:00:00Z","parentObservationId":"o2"}}]})"
        "\n");
    CHECK(complaints_of(trace).empty());
    REQUIRE(trace.spans.size() == 3);
    CHECK(trace[trace[trace.spans[0].gen_ai].model] == "m-1");
    CHECK(trace[trace[trace.spans[1].gen_ai].agent] == "Gardener");
    CHECK(trace[trace[trace.spans[2].gen_ai].tool] == "dig");
  }
  SECTION("what no batch began is named") {
    const Trace trace = read_log(R"({"batch":[)" + ended + "]}\n");
    CHECK(trace.spans.empty());
    CHECK(complaints_of(trace) ==
          "unknown_record 1: an update of a span whose start is not recorded");
    CHECK(trace.sources[0].skipped == 1);
  }
}

TEST_CASE("counts of Langfuse's that one batch has in part are completed by another") {
  const Trace trace = read_log(
      R"({"batch":[{"id":"e1","type":"generation-create","body":{"id":"o1","traceId":"t1",)"
      R"("name":"ask","startTime":"2026-03-01T09:00:00Z","model":"m-1","usageDetails":)"
      R"({"input":90}}}]})"
      "\n"
      R"({"batch":[{"id":"e2","type":"generation-update","body":{"id":"o1","traceId":"t1",)"
      R"("endTime":"2026-03-01T09:00:02Z","usageDetails":{"output":7}}}]})"
      "\n");
  CHECK(told_in_batch(trace) == "ask m-1 90:7\n");
}

TEST_CASE("a patch of LangSmith's need not tell what kind of run it is of") {
  const Trace trace = read_log(
      R"({"post":[{"id":"r1","trace_id":"r1","run_type":"llm","name":"ask","start_time":)"
      R"("2026-03-01T09:00:00Z","extra":{"metadata":{"ls_model_name":"m-1"}}}]})"
      "\n"
      R"({"patch":[{"id":"r1","trace_id":"r1","end_time":"2026-03-01T09:00:02Z","outputs":)"
      R"({"usage_metadata":{"input_tokens":90,"output_tokens":7}}}]})"
      "\n");
  CHECK(told_in_batch(trace) == "ask m-1 90:7\n");
  CHECK(trace.spans[0].duration == Duration(2'000'000'000));
  CHECK(complaints_of(trace).empty());
}

TEST_CASE("a run of LangSmith that one batch posts and another patches is one run") {
  const std::string order = R"("trace_id":"r1","dotted_order":"20260301T090000000000Zr1)",
                    posted = R"({"post":[{"id":"r1","run_type":"chain","name":"garden",)" + order +
                             R"(","start_time":"2026-03-01T09:00:00Z"},)"
                             R"({"id":"r2","run_type":"llm","name":"ask",)" +
                             order +
                             R"(.20260301T090001000000Zr2","start_time":"2026-03-01T09:00:01Z"}]})"
                             "\n",
                    patched = R"({"patch":[{)" + order +
                              R"(.20260301T090001000000Zr2","end_time":"2026-03-01T09:00:03Z",)"
                              R"("outputs":{"usage_metadata":{"input_tokens":90,)"
                              R"("output_tokens":7}},"error":"boom",)"
                              R"("extra":{"metadata":{"ls_model_name":"m-1"}}},{)" +
                              order +
                              R"(","end_time":"2026-03-01T09:00:04Z",)"
                              R"("outputs":{"usage_metadata":{"input_tokens":90,)"
                              R"("output_tokens":7}}}]})"
                              "\n";
  LoadOptions loading;
  loading.piece_bytes = GENERATE(0, 100);
  loading.jobs = GENERATE(1, 2);
  for (const std::string& log : {posted + patched, patched + posted}) {
    const Trace trace = read_log(log, loading);
    CHECK(told_in_batch(trace) == "garden\nask m-1 90:7 failed\n");
    REQUIRE(trace.spans.size() == 2);
    CHECK(trace.spans[0].duration == Duration(4'000'000'000));
    CHECK(trace.spans[1].duration == Duration(2'000'000'000));
    CHECK(complaints_of(trace).empty());
  }
}

TEST_CASE("what is patched of runs that no batch posts is told once") {
  const Trace trace =
      read_log(R"({"patch":[{"id":"r1","trace_id":"r1","dotted_order":"20260301T090000000000Zr1",)"
               R"("end_time":"2026-03-01T09:00:03Z"},{"id":"r2","trace_id":"r1",)"
               R"("dotted_order":"20260301T090000000000Zr1.20260301T090001000000Zr2",)"
               R"("end_time":"2026-03-01T09:00:02Z"}]})"
               "\n"
               R"({"patch":[{"id":"r3","trace_id":"r3","run_type":"chain","name":"known",)"
               R"("dotted_order":"20260301T090000000000Zr3","start_time":"2026-03-01T09:00:00Z",)"
               R"("end_time":"2026-03-01T09:00:02Z"}]})"
               "\n");
  CHECK(told_in_batch(trace) == "known\n");
  CHECK(complaints_of(trace) == "unknown_record 1: updates of 2 spans whose start is not recorded");
  CHECK(trace.sources[0].skipped == 2);
}

TEST_CASE("where a run of LangSmith names no parent, its dotted order does") {
  const std::string run = R"("start_time":"2026-03-01T09:00:00Z","run_type":"chain","name":"a",)";
  const Trace trace =
      read_log(R"({"id":"r1",)" + run + R"("dotted_order":"20260301T090000000000Zr1"})" + "\n" +
               R"({"id":"r2",)" + run +
               R"("dotted_order":"20260301T090000000000Zr1.20260301T090001000000Zr2"})" + "\n" +
               R"({"id":"r3",)" + run +
               R"("dotted_order":"20260301T090000000000Zr1.20260301T090001000000Zr2.)"
               R"(20260301T090002000000Zr3"})" +
               "\n");
  REQUIRE(trace.spans.size() == 3);
  CHECK(trace.spans[0].parents == 0);
  REQUIRE(trace.spans[1].parents == 1);
  REQUIRE(trace.spans[2].parents == 1);
  CHECK(trace[trace.span_parents[trace.spans[1].first_parent].span] == "r1");
  CHECK(trace[trace.span_parents[trace.spans[2].first_parent].span] == "r2");
  for (const Span& span : trace.spans) CHECK(trace[span.trace] == "r1");
}

TEST_CASE("a run of LangSmith counts all conversations that it asks with, or their sum") {
  const std::string run =
      R"({"id":"r1","trace_id":"r1","run_type":"llm","name":"ask","start_time":1772355600000,)";
  auto answer = [](int in, int out) {
    return R"({"text":"a","message":{"kwargs":{"usage_metadata":{"input_tokens":)" +
           std::to_string(in) + R"(,"output_tokens":)" + std::to_string(out) +
           R"(,"total_tokens":)" + std::to_string(in + out) + "}}}}";
  };
  // Of the second conversation there are two answers, each with what both used up.
  CHECK(told_in_batch(read_log(run + R"("extra":{"metadata":{"ls_model_name":"m-1"}},)" +
                               R"("outputs":{"generations":[[)" + answer(10, 5) + "],[" +
                               answer(30, 6) + "," + answer(30, 6) + "]]}}\n")) ==
        "ask m-1 40:11\n");
  CHECK(told_in_batch(read_log(run + R"("outputs":{"generations":[[{"text":"a"}]],"llm_output":)"
                                     R"({"token_usage":{"prompt_tokens":100,)"
                                     R"("completion_tokens":20,"total_tokens":120},)"
                                     R"("model_name":"m-2"}}})"
                                     "\n")) == "ask m-2 100:20\n");
}

TEST_CASE("Langfuse keeps each token in one bucket, by whatever name") {
  auto told = [](const std::string& usage) {
    return told_in_batch(
        read_log(R"({"id":"o1","traceId":"t1","type":"GENERATION","name":"ask","model":"m-1",)"
                 R"("startTime":"2026-03-01T09:00:00Z","endTime":"2026-03-01T09:00:02Z",)" +
                 usage + "}\n"));
  };
  CHECK(told(R"("usageDetails":{"input":200,"input_cached_tokens":800,"output":50,)"
             R"("output_reasoning_tokens":150,"total":1200})") == "ask m-1 200:200\n");
  CHECK(told(R"("usageDetails":{"input":60,"input_audio":5,"output":0,)"
             R"("output_modality_TEXT":7})") == "ask m-1 65:7\n");
  // A total that they do not add up to tells that somebody passed on what the provider said.
  CHECK(told(R"("usageDetails":{"input":200,"output":50,"output_reasoning":40,"total":250})") ==
        "ask m-1 200:50\n");
  CHECK(told(R"("promptTokens":10,"completionTokens":5,"totalTokens":15)") == "ask m-1 10:5\n");
  CHECK(told(R"("inputUsage":10,"outputUsage":5,"totalUsage":15)") == "ask m-1 10:5\n");
  CHECK(told(R"("promptTokens":0,"completionTokens":0,"totalTokens":0)") == "ask m-1 -1:-1\n");
}

TEST_CASE("a trace of Langfuse's API tells its session and user beside its observations") {
  const Trace trace =
      read_log(R"({"id":"t1","sessionId":"garden","userId":"ann","observations":[{"id":"o1",)"
               R"("traceId":"t1","type":"SPAN","name":"dig",)"
               R"("startTime":"2026-03-01T09:00:00Z"}]})"
               "\n");
  CHECK(told_in_batch(trace) == "dig in garden\n");
  CHECK(trace[trace.spans[0].principal] == "ann");
}

TEST_CASE("where MLflow has no counts of its own, the provider's answer has them") {
  auto told = [](const std::string& answer, const std::string& more = {}) {
    return told_in_batch(read_log(
        R"({"spans":[{"name":"ask","context":{"span_id":"0xb1","trace_id":"0xa1"},)"
        R"("parent_id":null,"start_time":1772355600000000000,"end_time":1772355601000000000,)"
        R"("status_code":"OK","attributes":{"mlflow.spanType":"\"CHAT_MODEL\"",)"
        R"("mlflow.spanOutputs":"{\"model\":\"m-2\",\"usage\":)" +
        answer + "}\"" + more + "}}]}\n"));
  };
  CHECK(told(R"({\"prompt_tokens\":100,\"completion_tokens\":20,\"total_tokens\":120,)"
             R"(\"prompt_tokens_details\":{\"cached_tokens\":60}})") == "ask m-2 40:20\n");
  CHECK(told(R"({\"input_tokens\":100,\"output_tokens\":20,)"
             R"(\"cache_read_input_tokens\":60})") == "ask m-2 100:20\n");
  CHECK(told(R"({\"prompt_tokens\":100,\"completion_tokens\":20})",
             R"(,"mlflow.chat.tokenUsage":"{\"input_tokens\":9,\"output_tokens\":2}",)"
             R"("mlflow.llm.cost":"{\"input_cost\":0.01,\"total_cost\":0.03}")") ==
        "ask m-2 9:2 $30000000\n");
}

TEST_CASE("an embedding that Langfuse observed has a model, tokens and a cost") {
  const Trace trace =
      read_log(R"({"id":"o1","traceId":"t1","type":"EMBEDDING","startTime":"2026-03-01T09:00:00Z",)"
               R"("name":"embed","model":"e-1","usageDetails":{"input":40,"total":40},)"
               R"("costDetails":{"total":0.5}})"
               "\n");
  REQUIRE(trace.spans.size() == 1);
  REQUIRE(trace.spans[0].gen_ai);
  const GenAi& told = trace[trace.spans[0].gen_ai];
  CHECK(trace[told.model] == "e-1");
  CHECK(told.tokens.input == 40);
  CHECK(told.cost == 500'000'000);
}

TEST_CASE("an agent and a chain state what they used up, as calls do") {
  CHECK(told_in_batch(read_log(
            R"([{"id":"o1","traceId":"t1","type":"AGENT","name":"planner","model":"m-1",)"
            R"("startTime":"2026-03-01T09:00:00Z","endTime":"2026-03-01T09:00:09Z",)"
            R"("usageDetails":{"input":90,"output":7,"total":97},"costDetails":{"total":0.5}}])"
            "\n")) == "planner m-1 90:7 $500000000\n");
  CHECK(
      told_in_batch(read_log(
          R"({"info":{"trace_id":"tr-1"},"data":{"spans":[{"span_id":"b1","trace_id":"a1",)"
          R"("name":"planner","start_time_unix_nano":1,"end_time_unix_nano":2,"attributes":)"
          R"({"mlflow.spanType":"\"AGENT\"","mlflow.llm.model":"\"m-1\"",)"
          R"("mlflow.spanOutputs":"{\"usage\":{\"input_tokens\":5000}}","mlflow.chat.tokenUsage":)"
          R"("{\"input_tokens\": 90, \"output_tokens\": 7}"}}]}})"
          "\n")) == "planner m-1 90:7\n");
  CHECK(told_in_batch(read_log(
            R"({"id":"r1","trace_id":"r1","run_type":"chain","name":"graph",)"
            R"("start_time":"2026-03-01T09:00:00","end_time":"2026-03-01T09:00:09",)"
            R"("extra":{"metadata":{"ls_model_name":"m-1","usage_metadata":{"input_tokens":90,)"
            R"("output_tokens":7,"total_tokens":97}}}})"
            "\n")) == "graph m-1 90:7\n");
}

TEST_CASE("a run of LangSmith has its usage in one of several places, with what a cache gave") {
  const std::string usage = GENERATE(
      std::string(R"("outputs":{"usage_metadata":{"input_tokens":90,"output_tokens":7,)"
                  R"("total_tokens":97,"input_token_details":{"cache_read":60}}})"),
      std::string(R"("extra":{"metadata":{"usage_metadata":{"input_tokens":90,"output_tokens":7,)"
                  R"("total_tokens":97,"input_token_details":{"cache_read":60}}}})"),
      std::string(R"("outputs":{"llm_output":{"token_usage":{"prompt_tokens":90,)"
                  R"("completion_tokens":7,"total_tokens":97,)"
                  R"("prompt_tokens_details":{"cached_tokens":60}}}})"),
      std::string(R"("prompt_tokens":90,"completion_tokens":7,"total_tokens":97,)"
                  R"("prompt_token_details":{"cache_read":60})"));
  CAPTURE(usage);
  const Trace trace =
      read_log(R"({"id":"r1","trace_id":"r1","run_type":"llm","name":"chat",)"
               R"("start_time":"2026-03-01T09:00:00","end_time":"2026-03-01T09:00:09",)" +
               usage + "}\n");
  REQUIRE(trace.gen_ai.size() == 1);
  CHECK(trace.gen_ai[0].tokens == Tokens{.input = 30, .output = 7, .cache_read = 60});
}

}  // namespace xtrace
