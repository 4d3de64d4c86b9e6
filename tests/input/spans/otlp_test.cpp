#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"

namespace xtrace {

namespace {

const std::string kOtlpSpan =
    R"({"traceId":"0123456789abcdef0123456789abcdef","spanId":"0123456789abcdef","name":"op",)"
    R"("kind":2,"startTimeUnixNano":"1777555053780274701","endTimeUnixNano":"1777555053780274800"})";

/// An envelope around spans.
std::string envelope(const std::string& spans, const std::string& outer = "resourceSpans",
                     const std::string& inner = "scopeSpans") {
  return R"({")" + outer +
         R"(":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},")" +
         inner + R"(":[{"scope":{},"spans":[)" + spans + "]}]}]}";
}

Trace only(const std::string& spans) {
  return read_log(envelope(spans) + "\n");
}

std::string span_with(const std::string& more) {
  return R"({"traceId":"a1","spanId":"b1","name":"op","startTimeUnixNano":"5000",)"
         R"("endTimeUnixNano":"7000",)" +
         more + "}";
}

}  // namespace

TEST_CASE("OTLP is read in all its envelopes: a line, a document, Tempo's and old ones") {
  std::string log = GENERATE(
      envelope(kOtlpSpan), envelope(kOtlpSpan) + "\n", "{\n" + envelope(kOtlpSpan).substr(1),
      envelope(kOtlpSpan, "batches"), envelope(kOtlpSpan, "batches", "instrumentationLibrarySpans"),
      R"({"trace":)" + envelope(kOtlpSpan) + "}", "[" + envelope(kOtlpSpan) + "]",
      R"({"resourceLogs":[]})"
      "\n" +
          envelope(kOtlpSpan));
  CAPTURE(log);
  Trace trace = read_log(log);
  REQUIRE(trace.spans.size() == 1);
  const Span& span = trace.spans.front();
  CHECK(trace[span.id] == "0123456789abcdef");
  CHECK(trace[span.trace] == "0123456789abcdef0123456789abcdef");
  CHECK(trace[span.service] == "shop");
  CHECK(trace[span.operation] == "op");
  CHECK(span.kind == SpanKind::server);
  CHECK(span.inbound);
  CHECK(span.start.time_since_epoch().count() == 1777555053780274701);
  CHECK(span.duration.count() == 99);
  CHECK(complaints_of(trace).empty());
  CHECK(trace.sources.front().format == "otlp");
  CHECK(log.substr(span.source.offset).starts_with(kOtlpSpan));
}

TEST_CASE("an id is the same in capitals, in base64 and as it is usually written") {
  std::string id = GENERATE(std::string("49CD77D1F9DCD936"), std::string("Sc130fnc2TY="),
                            std::string("49cd77d1f9dcd936"), std::string("0x49cd77d1f9dcd936"));
  CAPTURE(id);
  Trace trace = only(R"({"traceId":"O6VWCcPN5JZJzXfR+dzZNg==","spanId":")" + id +
                     R"(","parentSpanId":"0000000000000000","startTimeUnixNano":5})");
  REQUIRE(trace.spans.size() == 1);
  CHECK(trace[trace.spans.front().id] == "49cd77d1f9dcd936");
  CHECK(trace[trace.spans.front().trace] == "3ba55609c3cde49649cd77d1f9dcd936");
  CHECK(trace.spans.front().parents == 0);
}

TEST_CASE("nanoseconds as numbers keep their last digit") {
  Trace trace = only(
      R"({"traceId":"a1","spanId":"b1","startTimeUnixNano":1777555053780274701,"endTimeUnixNano":1777555053780274702})");
  REQUIRE(trace.spans.size() == 1);
  CHECK(trace.spans.front().start.time_since_epoch().count() == 1777555053780274701);
  CHECK(trace.spans.front().duration.count() == 1);
}

TEST_CASE("kinds and failures are numbers or words") {
  struct Case {
    std::string more;
    SpanKind kind;
    Outcome outcome;
  };
  Case one = GENERATE(Case{R"("kind":3,"status":{})", SpanKind::client, Outcome::ok},
                      Case{R"("kind":"SPAN_KIND_CLIENT","status":{"code":0,"message":""})",
                           SpanKind::client, Outcome::ok},
                      Case{R"("kind":5,"status":{"code":2})", SpanKind::consumer, Outcome::error},
                      Case{R"("kind":"SPAN_KIND_PRODUCER","status":{"code":"STATUS_CODE_ERROR"})",
                           SpanKind::producer, Outcome::error},
                      Case{R"("kind":99,"status":{"code":1})", SpanKind::unknown, Outcome::ok});
  CAPTURE(one.more);
  Trace trace = only(span_with(one.more));
  REQUIRE(trace.spans.size() == 1);
  CHECK(trace.spans.front().kind == one.kind);
  CHECK(trace.spans.front().outcome == one.outcome);
}

TEST_CASE("a span names its parent first, and what it only comes after behind that") {
  Trace trace = only(
      span_with(R"("links":[{"traceId":"a2","spanId":"b2"},{"spanId":""}],"parentSpanId":"b3")"));
  REQUIRE(trace.span_parents.size() == 2);
  CHECK(trace[trace.span_parents[0].span] == "b3");
  CHECK(trace[trace.span_parents[0].trace] == "a1");
  CHECK_FALSE(trace.span_parents[0].follows);
  CHECK(trace[trace.span_parents[1].span] == "b2");
  CHECK(trace[trace.span_parents[1].trace] == "a2");
  CHECK(trace.span_parents[1].follows);
}

TEST_CASE(
    "attributes of OTLP tell what tags tell, and those of the resource go for all its spans") {
  std::string log = envelope(span_with(
      R"("attributes":[{"key":"trust.source","value":{"stringValue":"agent:a"}},{"key":"trust.target","value":{"stringValue":"resource:b"}},)"
      R"({"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},{"key":"gen_ai.request.model","value":{"stringValue":"m"}},)"
      R"({"key":"gen_ai.usage.input_tokens","value":{"intValue":"12"}},{"key":"gen_ai.usage.output_tokens","value":{"intValue":3}},)"
      R"({"key":"gen_ai.usage.cost","value":{"doubleValue":0.25}}])"));
  log.insert(log.find(R"({"key":"service.name")"),
             R"({"key":"openinference.project.name","value":{"stringValue":"p"}},)");
  Trace trace = read_log(log);
  REQUIRE(trace.spans.size() == 1);
  const Span& span = trace.spans.front();
  CHECK(trace[span.from] == "agent:a");
  CHECK(trace[span.to] == "resource:b");
  CHECK(trace[span.project] == "p");
  REQUIRE(span.gen_ai);
  const GenAi& told = trace[span.gen_ai];
  CHECK(told.role == GenAi::Role::model);
  CHECK(trace[told.model] == "m");
  CHECK(told.tokens.input == 12);
  CHECK(told.tokens.output == 3);
  CHECK(told.cost == 250'000'000);
}

TEST_CASE("lines of logs and metrics are sound records") {
  Trace trace = read_log(
      envelope(kOtlpSpan) + "\n" +
      R"({"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"7","traceId":"0123456789ABCDEF0123456789ABCDEF","spanId":"0123456789ABCDEF","body":{"stringValue":"x"}},{"body":{"stringValue":"y"}}]}]}]})"
      "\n"
      R"({"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"wait","histogram":{"dataPoints":[{"exemplars":[{"timeUnixNano":"9","spanId":"0123456789abcdef","traceId":"0123456789abcdef0123456789abcdef","asDouble":1.5}]},{}]}}]}]}]})"
      "\n");
  CHECK(complaints_of(trace).empty());
  CHECK(trace.sources.front().records == 5);
  REQUIRE(trace.span_details.size() == 2);
  CHECK(trace.span_details[0].kind == SpanDetail::Kind::log_record);
  CHECK(trace.span_details[0].source.line == 2);
  CHECK(trace.span_details[1].kind == SpanDetail::Kind::exemplar);
  Graph graph = link(std::move(trace), {});
  CHECK(graph.hops().details_of(HopId(0)).size() == 2);
  CHECK(graph.hops().complaints.empty());
}

TEST_CASE("a metric of cost is reported as missing from all sums, and no other metric is") {
  const auto complaints = [](const std::string& head) {
    const Trace trace =
        read_log(envelope(kOtlpSpan) + "\n" +
                 R"({"resourceMetrics":[{"scopeMetrics":[{"metrics":[{)" + head +
                 R"(,"sum":{"dataPoints":[{"timeUnixNano":"9","asDouble":0.5}]}}]}]}]})"
                 "\n");
    return complaints_of(trace);
  };
  const std::string named = complaints(R"("name":"till.cost.usd")");
  CHECK(named.find("a cost metric that names no call or span") != std::string::npos);
  CHECK(complaints(R"("name":"till.total","unit":"USD")") == named);
  CHECK(complaints(R"("name":"agent.cost.usage")") == named);
  CHECK(complaints(R"("name":"costume.count")").empty());
  CHECK(complaints(R"("name":"process.cpu.utilization")").empty());
}

TEST_CASE("a log record of a span that is not there says so") {
  Graph graph = link(
      read_log(
          envelope(kOtlpSpan) +
          "\n"
          R"({"resourceLogs":[{"scopeLogs":[{"logRecords":[{"spanId":"77","traceId":"1"}]}]}]})"
          "\n"),
      {});
  REQUIRE(graph.hops().complaints.size() == 1);
  CHECK(graph.hops().complaints.front().at.line == 2);
  CHECK(graph.hops().complaints.front().what == "the span of this log record is not in the input");
}

TEST_CASE("damage in OTLP is counted and found where it is") {
  struct Case {
    std::string spans, complaint;
  };
  Case one = GENERATE(
      Case{R"({"traceId":"a1","name":"x"})", "damaged 1: a span without spanId"},
      Case{R"({"traceId":"a1","spanId":"0000000000000000"})", "damaged 1: a span without spanId"},
      Case{"17", "damaged 1: a span is not an object"},
      Case{R"({"spanId":"b1","startTimeUnixNano":"soon"})",
           "field 1: a span without a usable startTimeUnixNano"},
      Case{R"({"spanId":"b1","startTimeUnixNano":"99999999999999999999"})",
           "field 1: a span without a usable startTimeUnixNano"},
      Case{R"({"spanId":"b1","startTimeUnixNano":9,"endTimeUnixNano":4})",
           "field 1: negative duration; treated as unknown"});
  CAPTURE(one.spans);
  CHECK(complaints_of(only(one.spans)) == one.complaint);
  CHECK(complaints_of(read_log(R"({"resourceSpans":[{"scopeSpans":5}]})"
                               "\n{}\n")) ==
        "damaged 1: spans is not a list\nunknown_record 2: JSON in an unknown format");
}

TEST_CASE("a document of OTLP that is cut short answers from its whole resources") {
  std::string whole = envelope(kOtlpSpan);
  whole.insert(
      whole.size() - 2,
      R"(,{"scopeSpans":[{"spans":[{"traceId":"a1","spanId":"b2","startTimeUnixNano":9}]}]})");
  REQUIRE(read_log(whole).spans.size() == 2);
  for (size_t cut : {size_t{4}, size_t{30}}) {
    Trace trace = read_log(whole.substr(0, whole.size() - cut));
    CHECK(trace.spans.size() == 1);
    CHECK(trace.complaints.size() >= 1);
  }
}

TEST_CASE("one document may hold spans, logs and metrics in any order") {
  std::string spans = envelope(kOtlpSpan);
  std::string log =
      R"({"resourceLogs":[{"scopeLogs":[{"logRecords":[{"spanId":"0123456789abcdef","traceId":"0123456789abcdef0123456789abcdef"}]}]}],"x":[1,{}],)" +
      spans.substr(1);
  Trace trace = read_log(log);
  CHECK(trace.spans.size() == 1);
  CHECK(trace.span_details.size() == 1);
  CHECK(complaints_of(trace).empty());
}

TEST_CASE("lines of OTLP longer than a first look are still lines") {
  std::string filler(100'000, 'x');
  std::string line = envelope(
      span_with(R"("attributes":[{"key":"k","value":{"stringValue":")" + filler + R"("}}])"));
  Trace trace = read_log(line + "\n" + line.substr(0, line.size() / 2) + "\n" + line + "\n");
  CHECK(trace.spans.size() == 2);
  CHECK(trace.spans[1].source.line == 3);
  CHECK(trace.sources.front().skipped == 1);
}

TEST_CASE("what Tempo finds in a search is read as far as it goes") {
  Trace trace = read_log(
      R"({"traces":[{"traceID":"1f","rootServiceName":"shop","startTimeUnixNano":"5000","durationMs":3,)"
      R"("spanSet":{"spans":[{"spanID":"b1","startTimeUnixNano":"6000","durationNanos":"700","attributes":[{"key":"service.name","value":{"stringValue":"cart"}}]}],"matched":1}}]})"
      "\n");
  REQUIRE(trace.spans.size() == 1);
  CHECK(trace[trace.spans[0].trace] == "1f");
  CHECK(trace[trace.spans[0].service] == "cart");
  CHECK(trace.spans[0].duration.count() == 700);
}

TEST_CASE("a trace that Tempo only names is told as missing") {
  Trace trace = read_log(
      R"({"traces":[{"traceID":"1f","spanSet":{"spans":[{"spanID":"b1","startTimeUnixNano":"6000"}]}},{"traceID":"2f","rootServiceName":"shop"}]})"
      "\n");
  CHECK(trace.spans.size() == 1);
  CHECK(complaints_of(trace) ==
        "damaged 1: a search result without its spans; export the trace itself");
}

TEST_CASE("OTLP is read, too, where its keys are spelled as the protocol's own files have them") {
  const Trace trace = read_log(
      R"({"resource_spans":[{"resource":{"attributes":[{"key":"service.name","value":)"
      R"({"string_value":"shop"}}]},"scope_spans":[{"spans":[{"trace_id":"a1","span_id":"b1",)"
      R"("parent_span_id":"b0","name":"ask","start_time_unix_nano":"5000",)"
      R"("end_time_unix_nano":"7000","attributes":[{"key":"gen_ai.usage.input_tokens",)"
      R"("value":{"int_value":"9"}}],"links":[{"trace_id":"a1","span_id":"b9"}]}]}]}]})"
      "\n");
  REQUIRE(trace.spans.size() == 1);
  const Span& span = trace.spans.front();
  CHECK(trace[span.trace] == "a1");
  CHECK(trace[span.service] == "shop");
  CHECK(span.duration.count() == 2000);
  CHECK(span.parents == 2);
  REQUIRE(span.gen_ai);
  CHECK(trace[span.gen_ai].tokens.input == 9);
  CHECK(complaints_of(trace).empty());
}

}  // namespace xtrace
