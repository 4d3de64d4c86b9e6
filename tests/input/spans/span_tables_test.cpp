#include <catch2/catch.hpp>

#include "reading.h"

namespace xtrace {

namespace {

/// A call of a model: 2 s from 2026-03-01 09:00:00, 7 tokens in, below b0, failed.
void check_call(const std::string& log) {
  CAPTURE(log);
  const Trace trace = read_log(log + "\n");
  CHECK(complaints_of(trace).empty());
  REQUIRE(trace.spans.size() == 1);
  const Span& span = trace.spans.front();
  CHECK(trace[span.id] == "b1");
  CHECK(trace[span.trace] == "a1");
  CHECK(trace[span.operation] == "chat");
  CHECK(trace[span.service] == "shop");
  CHECK(span.start == Time(std::chrono::seconds(1772355600)));
  CHECK(span.duration == std::chrono::seconds(2));
  CHECK(span.kind == SpanKind::client);
  CHECK(span.outcome == Outcome::error);
  REQUIRE(span.parents == 1);
  CHECK(trace[trace.span_parents[0].span] == "b0");
  REQUIRE(span.gen_ai);
  CHECK(trace[trace[span.gen_ai].model] == "m");
  CHECK(trace[span.gen_ai].tokens.input == 7);
  CHECK(trace.sources.front().format == "flat-spans");
}

}  // namespace

TEST_CASE("a row of ClickHouse is a span, also where numbers are text") {
  const std::string begin =
      R"({"Timestamp":"2026-03-01 09:00:00.000000000","TraceId":"a1","SpanId":"b1",)"
      R"("ParentSpanId":"b0","TraceState":"","SpanName":"chat","SpanKind":"Client",)"
      R"("ServiceName":"shop","ResourceAttributes":{"service.name":"shop"},"ScopeName":"s",)"
      R"("SpanAttributes":{"gen_ai.request.model":"m","gen_ai.usage.input_tokens":"7"},)";
  const std::string end = R"("StatusCode":"Error","StatusMessage":"slow"})";
  check_call(begin + R"("Duration":2000000000,)" + end);
  check_call(begin + R"("Duration":"2000000000",)" + end);
  check_call(R"({"meta":[{"name":"Timestamp"}],"data":[)" + begin + R"("Duration":"2000000000",)" +
             end + R"(],"rows":1})");
}

TEST_CASE("ClickHouse lists the fields of links and events, which are read together") {
  const Trace trace = read_log(
      R"({"Timestamp":"2026-03-01 09:00:00.5","TraceId":"a1","SpanId":"b1","ParentSpanId":"",)"
      R"("SpanName":"op","SpanKind":"Internal","SpanAttributes":{},"Duration":1,)"
      R"("StatusCode":"Unset","Events.Timestamp":["2026-03-01 09:00:00"],)"
      R"("Events.Name":["exception"],"Events.Attributes":[{"exception.type":"TimeoutError"}],)"
      R"("Links.TraceId":["a2"],"Links.SpanId":["b2"]})"
      "\n");
  REQUIRE(trace.spans.size() == 1);
  REQUIRE(trace.spans[0].parents == 1);
  CHECK(trace.span_parents[0].follows);
  CHECK(trace[trace.span_parents[0].trace] == "a2");
}

TEST_CASE("SigNoz keeps attributes by their type, and the parent among the references") {
  const std::string tags =
      R"("attributes_string":{"gen_ai.request.model":"m"},"attributes_bool":{},)"
      R"("attributes_number":{"gen_ai.usage.input_tokens":7},)"
      R"("resources_string":{"service.name":"shop"},)";
  check_call(R"({"timestamp":"2026-03-01 09:00:00.000000000","trace_id":"a1","span_id":"b1",)"
             R"("parent_span_id":"b0","name":"chat","kind":3,"kind_string":"Client",)"
             R"("duration_nano":"2000000000","status_code":2,"status_code_string":"Error",)" +
             tags +
             R"("links":"[{\"traceId\":\"a1\",\"spanId\":\"b0\",\"refType\":\"CHILD_OF\"}]",)" +
             R"("has_error":true})");
  check_call(R"({"spans":[{"timestamp":1772355600000000000,)"
             R"("durationNano":2000000000,"spanId":"b1","traceId":"a1","hasError":true,"kind":3,)"
             R"("serviceName":"shop","name":"chat","spanKind":"Client",)"
             R"("references":[{"TraceId":"a1","SpanId":"b0","RefType":"CHILD_OF"}],)"
             R"("tagMap":{"gen_ai.request.model":"m","gen_ai.usage.input_tokens":"7"}}]})");
}

TEST_CASE("a document of Data Prepper is a span, with attributes in columns or as an object") {
  const std::string begin =
      R"({"traceId":"a1","spanId":"b1",)"
      R"("parentSpanId":"b0","name":"chat","kind":"SPAN_KIND_CLIENT",)"
      R"("startTime":"2026-03-01T09:00:00Z","endTime":"2026-03-01T09:00:02Z",)"
      R"("durationInNanos":2000000000,"serviceName":"shop","events":[],"links":[],)";
  check_call(begin + R"("traceGroupFields.statusCode":0,"resource.attributes.service@name":"shop",)"
                     R"("span.attributes.gen_ai@request@model":"m",)"
                     R"("span.attributes.gen_ai@usage@input_tokens":7,"status.code":2})");
  check_call(begin + R"("attributes":{"gen_ai.request.model":"m","gen_ai.usage.input_tokens":7},)"
                     R"("resource":{"service.name":"shop"},"status":{"code":2}})");
}

TEST_CASE("a document of OpenTelemetry in Elasticsearch is a span, whatever its mapping") {
  check_call(R"({"@timestamp":"2026-03-01T09:00:00.000000000Z","trace_id":"a1",)"
             R"("span_id":"b1","parent_span_id":"b0","name":"chat","kind":"Client",)"
             R"("duration":2000000000,"resource":{"attributes":{"service.name":"shop"}},)"
             R"("attributes":{"gen_ai.request.model":"m","gen_ai.usage.input_tokens":7},)"
             R"("scope":{"name":"s"},"status":{"code":"Error"}})");
  check_call(R"({"@timestamp":"2026-03-01T09:00:00Z","EndTimestamp":)"
             R"("2026-03-01T09:00:02Z","TraceId":"a1","SpanId":"b1","ParentSpanId":"b0",)"
             R"("Name":"chat","Kind":"SPAN_KIND_CLIENT","TraceStatus":2,"Duration":2000000,)"
             R"("Link":"[]","Attributes.gen_ai.request.model":"m",)"
             R"("Attributes.gen_ai.usage.input_tokens":7,"Resource.service.name":"shop"})");
}

TEST_CASE("a span of CloudWatch counts kinds as the protocol does") {
  const std::string begin =
      R"({"resource":{"attributes":{"service.name":"shop"}},"scope":{"name":"s"},"traceId":"a1",)"
      R"("spanId":"b1","parentSpanId":"b0","flags":256,"name":"chat","startTimeUnixNano":)"
      R"(1772355600000000000,"endTimeUnixNano":1772355602000000000,"durationNano":2000000000,)"
      R"("attributes":{"gen_ai.request.model":"m","gen_ai.usage.input_tokens":7},)";
  check_call(begin + R"("kind":"CLIENT","status":{"code":"ERROR"}})");
  check_call(begin + R"("kind":3,"status":{"code":2}})");
}

TEST_CASE("a row of Datadog or Honeycomb is a span") {
  check_call(
      R"({"trace_id":"a1","span_id":"b1","parent_id":"b0","name":"chat","resource":"POST /",)"
      R"("service":"shop","start":1772355600000000000,"duration":2000000000,"error":1,)"
      R"("meta":{"gen_ai.request.model":"m","span.kind":"client"},)"
      R"("metrics":{"gen_ai.usage.input_tokens":7}})");
  check_call(R"({"Timestamp":"2026-03-01T09:00:00Z","trace.trace_id":"a1","trace.span_id":"b1",)"
             R"("trace.parent_id":"b0","name":"chat","service.name":"shop","duration_ms":2000,)"
             R"("span.kind":"client","error":true,"gen_ai.request.model":"m",)"
             R"("gen_ai.usage.input_tokens":7})");
}

TEST_CASE("an id that is a number is read by its digits, and 0 is no parent") {
  const Trace trace =
      read_log(R"({"trace_id":18446744073709551615,"span_id":177,"parent_id":0,"name":"op",)"
               R"("start":1772355600000000000,"duration":5})"
               "\n");
  REQUIRE(trace.spans.size() == 1);
  CHECK(trace[trace.spans[0].trace] == "18446744073709551615");
  CHECK(trace[trace.spans[0].id] == "177");
  CHECK(trace.spans[0].parents == 0);
}

TEST_CASE("spans of a list that names their trace are of that trace") {
  check_call(R"({"traceId":"a1","spans":[{"spanId":"b1","parentId":"b0","name":"chat",)"
             R"("startTime":1772355600000,"endTime":1772355602000,"kind":"CLIENT",)"
             R"("service":"shop","status":"error","attributes":)"
             R"("{\"gen_ai.request.model\":\"m\",\"gen_ai.usage.input_tokens\":7}"}]})");
}

TEST_CASE("the kind of work that Phoenix has in a column is the span's operation") {
  const Trace trace = read_log(
      R"([{"name":"lookup","span_kind":"TOOL","parent_id":null,"start_time":1772355600000,)"
      R"("end_time":1772355602000,"status_code":"OK","context.span_id":"b1",)"
      R"("context.trace_id":"a1"}])"
      "\n");
  REQUIRE(trace.spans.size() == 1);
  REQUIRE(trace.spans[0].gen_ai);
  CHECK(trace[trace.spans[0].gen_ai].role == GenAi::Role::tool);
}

TEST_CASE("a log record that names its span and its time is no span") {
  const Result<Trace> trace =
      load_log(R"({"@timestamp":"2026-03-01T09:00:00Z","name":"app","traceId":"a1","spanId":"b1",)"
               R"("msg":"served"})"
               "\n");
  CHECK((!trace || trace->spans.empty()));
}

}  // namespace xtrace
