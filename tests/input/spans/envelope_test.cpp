#include <catch2/catch.hpp>

#include "input/common/format.h"
#include "reading.h"

namespace xtrace {

namespace {

std::string span(const std::string& id) {
  return R"({"traceId":"a1","spanId":")" + id +
         R"(","name":"op","startTimeUnixNano":"1772355600000000000",)"
         R"("endTimeUnixNano":"1772355601000000000"})";
}

std::string quoted(const std::string& json) {
  std::string text = "\"";
  for (const char c : json) text += c == '"' ? "\\\"" : std::string(1, c);
  return text + '"';
}

std::string spans_of(const std::string& log) {
  std::string ids;
  const Trace trace = read_log(log + "\n");
  for (const Span& one : trace.spans) ids += std::string(trace[one.id]) + ' ';
  return ids + complaints_of(trace);
}

}  // namespace

TEST_CASE("spans are read from the answers of databases and services that wrap them") {
  const std::string one = span("b1"), two = span("b2");
  const std::string hits = R"({"took":1,"hits":{"total":2,"hits":[{"_id":"1","_source":)" + one +
                           R"(},{"_id":"2","_source":)" + two + "}]}}";
  const std::string insights[] = {
      R"([{"field":"@timestamp","value":"x"},{"field":"@message","value":)",
      R"(},{"field":"@ptr","value":"x"}])"};
  const std::string logs[] = {
      hits,
      R"({"responses":[)" + hits + "]}",
      R"({"_index":"i","_source":)" + one + "}\n" + R"({"_index":"i","_source":)" + two + "}",
      R"({"columns":[],"rows":[)" + one + "," + two + "]}",
      R"({"page":1,"content":[)" + one + "," + two + "]}",
      R"({"status":"success","data":{"spans":[)" + one + "," + two + "]}}",
      R"({"traces":[{"spans":[)" + one + R"(]},{"spans":[)" + two + "]}]}",
      R"({"results":[)" + insights[0] + quoted(one) + insights[1] + "," + insights[0] +
          quoted(two) + insights[1] + "]}",
      R"([{"@timestamp":"x","@message":)" + quoted(one) + R"(},{"@timestamp":"x","@message":)" +
          two + "}]",
      R"({"events":[{"message":)" + quoted(one) + R"(},{"message":)" + quoted(two) + "}]}",
      R"({"logGroup":"aws/spans","logEvents":[{"id":"1","message":)" + quoted(one) +
          R"(},{"id":"2","message":)" + quoted(two) + "}]}",
      R"({"log":)" + quoted(one) + R"(,"stream":"stdout"})" + "\n" + R"({"jsonPayload":)" + two +
          "}"};
  for (const std::string& log : logs) {
    CAPTURE(log);
    CHECK(spans_of(log) == "b1 b2 ");
  }
}

TEST_CASE("the fields of a row of Logs Insights are those of a span") {
  CHECK(spans_of(R"({"results":[[{"field":"traceId","value":"a1"},{"field":"spanId","value":"b1"},)"
                 R"({"field":"name","value":"op"},{"field":"startTimeUnixNano","value":)"
                 R"("1772355600000000000"},{"field":"durationNano","value":"5"}]]})") == "b1 ");
}

TEST_CASE("a document among hits that is no span is counted, with its place") {
  CHECK(spans_of("{\"hits\":{\"hits\":[\n{\"_source\":{\"level\":\"info\"}},\n{\"_source\":" +
                 span("b1") + "}]}}") == "b1 unknown_record 2: JSON in an unknown format");
}

TEST_CASE("a format that the user names reads what is wrapped") {
  LoadOptions loading;
  loading.format = find_format("flat-spans");
  const Trace trace = read_log(R"({"hits":{"hits":[{"_source":)" + span("b1") + "}]}}\n", loading);
  CHECK(trace.spans.size() == 1);
}

TEST_CASE("a wrapped span is where its bytes are") {
  const std::string log = R"({"took":1,"hits":{"hits":[{"_source": )" + span("b1") + "}]}}";
  const Trace trace = read_log(log);
  REQUIRE(trace.spans.size() == 1);
  CHECK(log.substr(trace.spans[0].source.offset, trace.spans[0].source.length) == span("b1"));
}

TEST_CASE("what is no span is not unwrapped") {
  const Result<Trace> trace =
      load_log(R"({"kind":"note","content":[{"role":"user","content":"hello"}]})"
               "\n");
  CHECK((!trace || trace->calls.empty()));
}

}  // namespace xtrace
