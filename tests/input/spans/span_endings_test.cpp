#include <catch2/catch.hpp>

#include "reading.h"

using namespace xtrace;

namespace {

/// The outcomes of all spans, by what they are called.
std::string outcomes_in(const std::string& log) {
  const Trace trace = read_log(log);
  std::string told;
  for (const Span& span : trace.spans)
    told += std::string(trace[span.operation]) + " " + std::string(word(span.outcome)) + ", ";
  return told;
}

std::string otlp(const std::string& spans) {
  return R"({"resourceSpans":[{"scopeSpans":[{"spans":[)" + spans + "]}]}]}";
}
std::string otlp_span(const std::string& name, const std::string& more) {
  return R"({"traceId":"a1","spanId":")" + name + R"(f0","name":")" + name +
         R"(","startTimeUnixNano":"1780000000000000000")" + more + "}";
}

}  // namespace

TEST_CASE("OTLP: an end of 0, or none, is no end, unless a status or an attribute tells") {
  CHECK(outcomes_in(otlp(otlp_span("a", "") + "," + otlp_span("b", R"(,"endTimeUnixNano":"0")") +
                         "," + otlp_span("c", R"(,"endTimeUnixNano":"1780000001000000000")") + "," +
                         otlp_span("d", R"(,"status":{"code":1})") + "," +
                         otlp_span("e", R"(,"status":{"code":"STATUS_CODE_ERROR"})") + "," +
                         otlp_span("f", R"(,"endTimeUnixNano":"1779999999000000000")"))) ==
        "a unfinished, b unfinished, c ok, d ok, e error, f ok, ");
}

TEST_CASE("OTLP: attributes state failures in the words of their libraries") {
  const auto with = [](const std::string& key, const std::string& value) {
    return outcomes_in(otlp(otlp_span("a", R"(,"endTimeUnixNano":"1780000001000000000",)"
                                           R"("attributes":[{"key":")" +
                                               key + R"(","value":)" + value + "}]")));
  };
  CHECK(with("otel.status_code", R"({"stringValue":"ERROR"})") == "a error, ");
  CHECK(with("error", R"({"stringValue":"timeout"})") == "a error, ");
  CHECK(with("error", R"({"boolValue":false})") == "a ok, ");
  CHECK(with("success", R"({"boolValue":false})") == "a error, ");
  CHECK(with("success", R"({"stringValue":"False"})") == "a error, ");
  CHECK(with("rpc.grpc.status_code", R"({"intValue":"14"})") == "a error, ");
  CHECK(with("rpc.grpc.status_code", R"({"intValue":"0"})") == "a ok, ");
  CHECK(with("http.response.status_code", R"({"intValue":"503"})") == "a error, ");
  CHECK(with("error.type", R"({"stringValue":"timeout"})") == "a error, ");
  CHECK(with("exception.type", R"({"stringValue":"KeyError"})") == "a ok, ");     // it was handled
  CHECK(with("http.response.status_code", R"({"intValue":"404"})") == "a ok, ");  // of a server
  CHECK(with("status", R"({"stringValue":"pending"})") == "a ok, ");  // that of an order
}

TEST_CASE(
    "an exception that a span recorded ended it, unless a status or a result shows otherwise") {
  const auto thrown = [](const std::string& more, const std::string& attributes = "") {
    return outcomes_in(otlp(
        otlp_span("a", R"(,"endTimeUnixNano":"1780000001000000000","attributes":[)" + attributes +
                           R"(],"events":[{"name":"exception","attributes":[)"
                           R"({"key":"exception.type","value":{"stringValue":"KeyError"}})" +
                           more)));
  };
  const std::string end = "]}]";
  CHECK(thrown(end) == "a error, ");
  CHECK(thrown(R"(]}],"status":{})") == "a error, ");
  CHECK(thrown(R"(]}],"status":{"code":1})") == "a ok, ");
  CHECK(thrown(R"(,{"key":"exception.escaped","value":{"stringValue":"True"}})" + end) ==
        "a error, ");
  CHECK(thrown(R"(,{"key":"exception.escaped","value":{"stringValue":"False"}})" + end) ==
        "a ok, ");
  CHECK(thrown(end, R"({"key":"gen_ai.usage.output_tokens","value":{"intValue":"7"}})") ==
        "a ok, ");
  CHECK(thrown(end, R"({"key":"http.response.status_code","value":{"intValue":"200"}})") ==
        "a ok, ");
}

TEST_CASE("a model that stopped for an error has failed") {
  const auto finished = [](const std::string& reasons) {
    return outcomes_in(otlp(otlp_span(
        "a", R"(,"endTimeUnixNano":"1780000001000000000","attributes":[)"
             R"({"key":"gen_ai.response.finish_reasons","value":{"arrayValue":{"values":[)" +
                 reasons + "]}}}]")));
  };
  CHECK(finished(R"({"stringValue":"error"})") == "a error, ");
  CHECK(finished(R"({"stringValue":"stop"})") == "a ok, ");
}

TEST_CASE("a list is a value that can be read, also where it is the only one") {
  for (const std::string value :
       {R"({"arrayValue":{"values":[{"stringValue":"x"}]}})", R"({"arrayValue":{}})",
        R"({"kvlistValue":{"values":[{"key":"k","value":{"intValue":"1"}}]}})"}) {
    CAPTURE(value);
    const Trace trace = read_log(otlp(otlp_span(
        "a", R"(,"endTimeUnixNano":"1780000001000000000","attributes":[{"key":"k","value":)" +
                 value + "}]")));
    CHECK(trace.complaints.empty());
  }
}

TEST_CASE("Jaeger and Zipkin: a span without a duration has not ended") {
  CHECK(
      outcomes_in(
          R"({"data":[{"traceID":"a1","spans":[)"
          R"({"traceID":"a1","spanID":"1","operationName":"a","startTime":1780000000000000},)"
          R"({"traceID":"a1","spanID":"2","operationName":"b","startTime":1780000000000000,"duration":5}]}]})") ==
      "a unfinished, b ok, ");
  CHECK(
      outcomes_in(
          R"([{"traceId":"a1","id":"1","name":"a","timestamp":1780000000000000,"localEndpoint":{}},)"
          R"({"traceId":"a1","id":"2","name":"b","timestamp":1780000000000000,"duration":5,"localEndpoint":{}},)"
          R"({"traceId":"a1","id":"3","name":"c","timestamp":1780000000000000,"tags":{"error":""},"localEndpoint":{}}])") ==
      "a unfinished, b ok, c error, ");
}

TEST_CASE("flat spans: a status by any of its names, and rows of Logfire") {
  const auto flat = [](const std::string& name, const std::string& more) {
    return R"({"name":")" + name + R"(","span_id":")" + name +
           R"(f1","trace_id":"a1","start_time":1780000000000000000)" + more + "}\n";
  };
  CHECK(outcomes_in(flat("a", "") + flat("b", R"(,"end_time":1780000001000000000)") +
                    flat("c", R"(,"status_code":"ERROR")") + flat("d", R"(,"statusCode":2)") +
                    flat("e", R"(,"duration_ms":12.5)") +
                    flat("f", R"(,"status":"in_progress")")) ==
        "a unfinished, b ok, c error, d error, e ok, f unfinished, ");
  const std::string row =
      R"({"span_name":"r","span_id":"b1","trace_id":"a1","start_timestamp":"2026-05-01T10:00:00Z",)"
      R"("duration":1.5,"kind":"span","level":"info","service_name":"shop","otel_status_code":null)";
  const Trace trace = read_log(row + "}\n");
  REQUIRE(trace.spans.size() == 1);
  CHECK(trace.spans[0].duration == std::chrono::milliseconds(1500));
  CHECK(trace.spans[0].outcome == Outcome::ok);
  CHECK(trace[trace.spans[0].service] == "shop");
  CHECK(outcomes_in(row + R"(,"is_exception":true})") == "r error, ");
}

TEST_CASE("a row of Logfire of a span that has begun is no end of it") {
  CHECK(
      outcomes_in(
          R"({"span_name":"r","span_id":"b1","trace_id":"a1","start_timestamp":"2026-05-01T10:00:00Z",)"
          R"("end_timestamp":"2026-05-01T10:00:00Z","kind":"pending_span"})") == "r unfinished, ");
}

TEST_CASE("LangSmith: a run that is pending has not ended, until a patch ends it") {
  const std::string pending =
      R"("run_type":"tool","name":"t","start_time":"2026-05-01T10:00:00Z","end_time":null,"status":"pending")";
  CHECK(outcomes_in(R"({"id":"r1","trace_id":"r1",)" + pending + "}\n") == "t unfinished, ");
  CHECK(outcomes_in(
            R"({"post":[{"id":"r1","trace_id":"r1",)" + pending +
            R"(}],"patch":[{"id":"r1","trace_id":"r1","end_time":"2026-05-01T10:00:01Z"}]})") ==
        "t ok, ");
  CHECK(
      outcomes_in(
          R"({"post":[{"id":"r1","trace_id":"r1",)" + pending + "}]}\n" +
          R"({"patch":[{"id":"r1","trace_id":"r1","end_time":"2026-05-01T10:00:01Z","error":"no"}]})") ==
      "t error, ");
  CHECK(outcomes_in(R"({"id":"r1","trace_id":"r1","run_type":"tool","name":"t",)"
                    R"("start_time":"2026-05-01T10:00:00Z","outputs":{"output":"x"}})") ==
        "t ok, ");
}

TEST_CASE("Langfuse, MLflow and the Agents SDK: without an end, a status or a result it is open") {
  const auto observation = [](const std::string& more) {
    return outcomes_in(R"({"id":"o1","traceId":"t1","type":"TOOL","name":"t",)"
                       R"("startTime":"2026-05-01T10:00:00Z")" +
                       more + "}\n");
  };
  CHECK(observation("") == "t unfinished, ");
  CHECK(observation(R"(,"endTime":"2026-05-01T10:00:01Z")") == "t ok, ");
  CHECK(observation(R"(,"output":"x")") == "t ok, ");
  CHECK(observation(R"(,"level":"ERROR","statusMessage":"no")") == "t error, ");
  CHECK(
      observation(R"(,"endTime":"2026-05-01T10:00:01Z","level":"WARNING","statusMessage":"hm")") ==
      "t ok, ");
  const auto mlflow = [](const std::string& more) {
    return outcomes_in(
        R"({"info":{"trace_id":"tr-1"},"data":{"spans":[{"name":"t","span_id":"s1","trace_id":"t1",)"
        R"("start_time_unix_nano":1780000000000000000)" +
        more + "}]}}");
  };
  CHECK(mlflow("") == "t unfinished, ");
  CHECK(mlflow(R"(,"end_time_unix_nano":1780000001000000000)") == "t ok, ");
  CHECK(mlflow(R"(,"status":{"code":"STATUS_CODE_ERROR"})") == "t error, ");
  CHECK(mlflow(R"(,"status_code":"IN_PROGRESS")") == "t unfinished, ");
  const auto agents = [](const std::string& more) {
    return outcomes_in(R"({"object":"trace.span","id":"s1","trace_id":"trace_1",)"
                       R"("started_at":"2026-05-01T10:00:00Z",)"
                       R"("span_data":{"type":"function","name":"t"})" +
                       more + "}\n");
  };
  CHECK(agents("") == "t unfinished, ");
  CHECK(agents(R"(,"ended_at":"2026-05-01T10:00:01Z","error":null)") == "t ok, ");
  CHECK(agents(R"(,"ended_at":"2026-05-01T10:00:01Z","error":{"message":"no"})") == "t error, ");
}

TEST_CASE("inspect_ai: a span whose end no event tells has not ended") {
  const auto sample = [](const std::string& end) {
    return outcomes_in(
        R"({"id":1,"epoch":1,"events":[{"event":"span_begin","id":"s1","name":"solver","type":"solver",)"
        R"("timestamp":"2026-05-01T10:00:00Z"})" +
        end + "]}\n");
  };
  CHECK(sample("") == "solver unfinished, ");
  CHECK(sample(R"(,{"event":"span_end","id":"s1","timestamp":"2026-05-01T10:00:02Z"})") ==
        "solver ok, ");
}

TEST_CASE("a latency that only a tag tells is that of a span of no length") {
  const Trace trace = read_log(
      otlp(otlp_span("a", R"(,"endTimeUnixNano":"1780000000000000000",)"
                          R"("attributes":[{"key":"latency.ms","value":{"intValue":"310"}}])") +
           "," +
           otlp_span("b", R"(,"endTimeUnixNano":"1780000000500000000",)"
                          R"("attributes":[{"key":"latency.ms","value":{"intValue":"310"}}])")));
  REQUIRE(trace.spans.size() == 2);
  CHECK(trace.spans[0].duration == std::chrono::milliseconds(310));
  CHECK(trace.spans[1].duration == std::chrono::milliseconds(500));
}

TEST_CASE("a step of a query without an end, a status or a result is not known to have ended") {
  const auto step = [](const std::string& more) {
    return outcomes_in(R"({"queryId":"q1","node":"n","timestamp":"2026-05-01T10:00:00Z")" + more +
                       "}\n");
  };
  CHECK(step("") == "n unfinished, ");
  CHECK(step(R"(,"metrics":{"latency_ms":5})") == "n ok, ");
  CHECK(step(R"(,"status":"ok")") == "n ok, ");
  CHECK(step(R"(,"status":"sideways")") == "n unknown, ");
  CHECK(step(R"(,"error":"no")") == "n error, ");
}
