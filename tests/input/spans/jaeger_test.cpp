#include <catch2/catch.hpp>

#include "reading.h"

namespace xtrace {

namespace {

const std::string kSpan =
    R"({"traceID":"1","spanID":"2","operationName":"op","startTime":5,"duration":7,"tags":[],"processID":"p1"})";
const std::string kTrace =
    R"({"traceID":"1","spans":[)" + kSpan + R"(],"processes":{"p1":{"serviceName":"shop"}}})";

}  // namespace

TEST_CASE("an export of Jaeger is read wherever it is kept: whole, bare, pretty, or a line each") {
  std::string log = GENERATE(std::string(R"({"data":[)" + kTrace + R"(],"total":0,"errors":null})"),
                             std::string(R"({"total":0,"data":[ )" + kTrace + " ]}"), kTrace,
                             "{\n \"_comment\": \"x\",\n" + kTrace.substr(1),
                             std::string(R"({"data":)" + kTrace + "}"));
  CAPTURE(log);
  Trace trace = read_log(log + "\n");
  REQUIRE(trace.spans.size() == 1);
  const Span& span = trace.spans.front();
  CHECK(trace[span.service] == "shop");
  CHECK(trace[span.operation] == "op");
  CHECK(span.start == Time(std::chrono::microseconds(5)));
  CHECK(span.duration == std::chrono::microseconds(7));
  CHECK(trace.complaints.empty());
}

TEST_CASE("two documents in a row are both read") {
  std::string document = R"({"data":[)" + kTrace + "]}";
  CHECK(read_log(document + "\n" + document + "\n").spans.size() == 2);
}

TEST_CASE("what stands behind a document is damage, and found where it is") {
  CHECK(complaints_of(read_log(R"({"data":[)" + kTrace + "]}\nxx\n")) ==
        "damaged 2: not valid JSON: cut off, or unbalanced brackets");
}

TEST_CASE("a document that is cut short answers from its whole traces, and says so") {
  std::string whole = R"({"data":[)" + kTrace + "," + kTrace + "]}";
  for (size_t cut : {size_t{1}, kTrace.size() / 2, kTrace.size()}) {
    CAPTURE(cut);
    Trace trace = read_log(whole.substr(0, whole.size() - 2 - cut));
    CHECK(trace.spans.size() >= 1);
    CHECK(trace.spans.size() < 2 + (cut <= 1));
    CHECK_FALSE(trace.complaints.empty());
  }
}

TEST_CASE("a span stands where its bytes stand") {
  std::string log =
      GENERATE(R"({"data":[)" + kTrace + "]}", R"({"total":1,"data": )" + kTrace + "}",
               "{}\n"
               R"({"total":1,"data":[ )" +
                   kTrace + "]}",
               kTrace);
  CAPTURE(log);
  Trace trace = read_log(log);
  REQUIRE(trace.spans.size() == 1);
  CHECK(log.substr(trace.spans.front().source.offset).starts_with(kSpan));
}

TEST_CASE("spans nested in references are not read again") {
  std::string nested = R"({"traceID":"1","spans":[{"traceID":"1","spanID":"3","references":[)"
                       R"({"refType":"CHILD_OF","traceID":"1","spanID":"2","span":)" +
                       kSpan + R"(}],"startTime":6,"duration":1}]})";
  Trace trace = read_log(R"({"data":[)" + nested + "]}");
  REQUIRE(trace.spans.size() == 1);
  CHECK(trace.spans.front().parents == 1);
}

TEST_CASE("old exports name the parent beside the span, and nobody as zeros") {
  std::string span = R"({"traceID":"1","spanID":"3","parentSpanID":")";
  std::string rest = R"(","startTime":6,"duration":1})";
  Trace trace = read_log(R"({"data":[{"traceID":"1","spans":[)" + span + "2" + rest + "," + span +
                         "0" + rest + "]}]}");
  REQUIRE(trace.spans.size() == 2);
  CHECK(trace.spans[0].parents == 1);
  CHECK(trace.spans[1].parents == 0);
}

TEST_CASE("a span whose answer was 500 or above failed, also if its status does not say so") {
  auto outcome = [](const std::string& tags) {
    std::string trace = kTrace;
    trace.replace(trace.find(R"("tags":[])"), 9, R"("tags":[)" + tags + "]");
    return read_log(trace + "\n").spans.front().outcome;
  };
  auto status = [](const std::string& code) {
    return R"({"key":"http.status_code","type":"int64","value":)" + code + "}";
  };
  CHECK(outcome(status("500")) == Outcome::error);
  CHECK(outcome(status("503")) == Outcome::error);
  CHECK(outcome(status("404")) == Outcome::ok);
  CHECK(outcome(status("200")) == Outcome::ok);
  CHECK(outcome(status("500") + R"(,{"key":"otel.status_code","type":"string","value":"OK"})") ==
        Outcome::ok);
}

TEST_CASE("times that make no sense are unknown, and reported") {
  std::string span = R"({"traceID":"1","spanID":"3","startTime":"soon","duration":-4})";
  Trace trace = read_log(R"({"data":[{"traceID":"1","spans":[)" + span + "]}]}");
  REQUIRE(trace.spans.size() == 1);
  CHECK(trace.spans.front().start == kNoTime);
  CHECK(trace.spans.front().duration == kNoDuration);
  CHECK(trace.complaints.size() == 2);
}

TEST_CASE("a span of Jaeger that has its process in it is read wherever it is stored") {
  const std::string span =
      R"({"traceID":"1","spanID":"2","operationName":"op","startTime":5,"duration":7,)"
      R"("process":{"serviceName":"shop","tags":[]},"tags":[],"tag":{"error":true}})";
  const std::string logs[] = {
      span, "[" + span + "]", R"({"_index":"jaeger-span","_source":)" + span + "}",
      R"({"hits":{"total":1,"hits":[{"_source":)" + span + "}]}}",
      R"({"spans":[{"traceId":"AAAAAAAAAAAAAAAAAAAAAQ==","spanId":"AAAAAAAAAAI=",)"
      R"("operationName":"op","startTime":"1970-01-01T00:00:00.000005Z",)"
      R"("duration":"0.000007s","process":{"serviceName":"shop"},)"
      R"("tags":[{"key":"error","vType":"BOOL","vBool":true}]}]})"};
  for (const std::string& log : logs) {
    CAPTURE(log);
    const Trace trace = read_log(log + "\n");
    REQUIRE(trace.spans.size() == 1);
    CHECK(trace[trace.spans[0].service] == "shop");
    CHECK(trace.spans[0].start == Time(std::chrono::microseconds(5)));
    CHECK(trace.spans[0].duration == std::chrono::microseconds(7));
    CHECK(trace.spans[0].outcome == Outcome::error);
    CHECK(trace.complaints.empty());
  }
}

TEST_CASE("spans of a format that is not read are named, and are none of Jaeger without an id") {
  CHECK(complaints_of(
            read_log(
                R"({"spans":[{"id":"a","trace_id":"t","name":"x","kind":"llm","start":1,"end":2}],)"
                R"("traceId":"t","duration":4})"
                "\n"))
            .find("looks like spans in an unsupported shape") != std::string::npos);
}

}  // namespace xtrace
