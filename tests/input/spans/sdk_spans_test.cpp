#include <catch2/catch.hpp>

#include "reading.h"

namespace xtrace {

namespace {

/// What every way to write the span below must give.
void check_span(const Trace& trace) {
  REQUIRE(trace.spans.size() == 1);
  const Span& span = trace.spans.front();
  CHECK(trace[span.id] == "b1b1b1b1b1b1b1b1");
  CHECK(trace[span.trace] == "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1");
  CHECK(trace[span.operation] == "op");
  CHECK(span.start.time_since_epoch() == std::chrono::milliseconds(1772355600250));
  CHECK(span.duration == std::chrono::milliseconds(1500));
  CHECK(span.outcome == Outcome::error);
  REQUIRE(span.parents == 2);
  CHECK(trace[trace.span_parents[0].span] == "c1c1c1c1c1c1c1c1");
  CHECK_FALSE(trace.span_parents[0].follows);
  CHECK(trace[trace.span_parents[1].span] == "d1d1d1d1d1d1d1d1");
  CHECK(trace.span_parents[1].follows);
  CHECK(complaints_of(trace).empty());
}

const std::string kPython =
    R"({"name":"op","context":{"trace_id":"0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1","span_id":"0xb1b1b1b1b1b1b1b1","trace_state":"[]"},
    "kind":"SpanKind.CLIENT","parent_id":"0xc1c1c1c1c1c1c1c1","start_time":"2026-03-01T09:00:00.250000Z","end_time":"2026-03-01T09:00:01.750000Z",
    "status":{"status_code":"ERROR","description":"x"},"attributes":{"peer.service":"stock"},"events":[],
    "links":[{"context":{"trace_id":"0xa2","span_id":"0xd1d1d1d1d1d1d1d1"},"attributes":{}}],
    "resource":{"attributes":{"service.name":"shop"},"schema_url":""}})";

std::string on_one_line(std::string text) {
  std::erase(text, '\n');
  return text;
}

}  // namespace

TEST_CASE("a span of the Python library is read alone, in a row, in a list, pretty or not") {
  std::string log = GENERATE(on_one_line(kPython) + "\n", kPython, "[" + kPython + "]",
                             "[" + on_one_line(kPython) + "]\n", "\n" + kPython + "\n");
  CAPTURE(log);
  Trace trace = read_log(log);
  check_span(trace);
  CHECK(trace.spans[0].kind == SpanKind::client);
  CHECK(trace[trace.spans[0].service] == "shop");
  CHECK(trace[trace.spans[0].peer] == "stock");
  CHECK(trace.sources.front().format == "otel-sdk");
  CHECK(read_log(kPython + "\n" + kPython + "\n").spans.size() == 2);
}

TEST_CASE("a list on one long line is a list all the same") {
  std::string filler(100'000, 'x');
  std::string one = on_one_line(kPython);
  std::string other = one;
  other.insert(other.find("\"events\""), R"("note":")" + filler + R"(",)");
  Trace trace = read_log("[" + other + "," + one + "]");
  CHECK(trace.spans.size() == 2);
  CHECK(complaints_of(trace).empty());
}

TEST_CASE("a span of the JavaScript library counts kinds from 0 and times in pairs") {
  std::string parent =
      GENERATE(std::string(R"("parentSpanId":"c1c1c1c1c1c1c1c1")"),
               std::string(R"("parentSpanContext":{"spanId":"c1c1c1c1c1c1c1c1"})"));
  Trace trace = read_log(
      R"([{"name":"op","kind":2,"spanContext":{"traceId":"a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1","spanId":"b1b1b1b1b1b1b1b1","traceFlags":1},)" +
      parent +
      R"(,"startTime":[1772355600,250000000],"endTime":[1772355601,750000000],"status":{"code":2},"attributes":{},)"
      R"("links":[{"context":{"spanId":"d1d1d1d1d1d1d1d1","traceId":"a2"}}],"events":[]}])");
  check_span(trace);
  CHECK(trace.spans[0].kind == SpanKind::client);
}

TEST_CASE("Monocle's viewer saves the spans of a trace in one object") {
  std::string span =
      R"({"span_name":"op","start_time":"2026-03-01T09:00:00.250000Z","end_time":"2026-03-01T09:00:01.750000Z","status":{"code":"error"},)"
      R"("span_id":"b1b1b1b1b1b1b1b1","trace_id":"a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1","parent_id":"c1c1c1c1c1c1c1c1",)"
      R"("links":[{"span_id":"d1d1d1d1d1d1d1d1"}],"attributes":{"span.type":"agentic.invocation","entity":[{"type":"agent.x","name":"cook","from_agent":"waiter"}]}})";
  std::string log = R"({"trace_id":"a1","status":{"code":"ok"},"spans":[)" + span + "]}\n";
  Trace trace = read_log(log);
  check_span(trace);
  CHECK(log.substr(trace.spans[0].source.offset).starts_with(span));
  REQUIRE(trace.spans[0].gen_ai);
  const GenAi& told = trace[trace.spans[0].gen_ai];
  CHECK(told.role == GenAi::Role::agent);
  CHECK(trace[told.agent] == "cook");
  CHECK(trace[told.caller] == "waiter");
}

TEST_CASE("flat spans are read with their nanoseconds") {
  Trace trace = read_log(
      R"([{"name":"op","span_id":"b1b1b1b1b1b1b1b1","trace_id":"a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1","parent_span_id":"c1c1c1c1c1c1c1c1",)"
      R"("start_time":1772355600250000000,"end_time":1772355601750000000,"duration_ns":1500000000,"attributes":{},)"
      R"("links":[{"trace_id":"a2","span_id":"d1d1d1d1d1d1d1d1","attributes":{}}],"status":"ERROR"}])");
  check_span(trace);
  CHECK(trace.sources.front().format == "flat-spans");
}

TEST_CASE("an array may be written a span a line, its brackets beside the first and the last") {
  Trace trace =
      read_log(R"([{"name":"op","span_id":"b1","trace_id":"a1","start_time":1772355600250000000},)"
               "\n"
               R"({"name":"op","span_id":"b2","trace_id":"a1","start_time":1772355600250000000}])"
               "\n");
  CHECK(trace.spans.size() == 2);
  CHECK(complaints_of(trace).empty());
}

TEST_CASE("a span that a library left unfinished is damage that is told") {
  Trace trace = read_log(
      R"([{"name":"op","context":{"trace_id":"0xa1","span_id":"0xb1"},"attributes":{}},{"name":"op","context":{"trace_id":"0xa1"},"start_time":"2026-03-01T09:00:00Z"}])");
  CHECK(trace.spans.size() == 1);
  CHECK(complaints_of(trace) ==
        "field 1: a span without a usable start_time\ndamaged 1: a span without span_id");
}

TEST_CASE("what JavaScript's library prints of a log tells what an agent did") {
  const std::string resource = R"("resource":{"_rawAttributes":[["service.name","gemini-cli"]]},)"
                               R"("instrumentationScope":{"name":"gemini-cli"},)";
  const std::string log =
      "{\n\"hrTime\": [1772355609, 500000000],\n" + resource +
      R"("attributes":{"session.id":"pond","event.name":"gemini_cli.api_response",)"
      R"("model":"gemini-3-pro","input_token_count":9,"output_token_count":4,"duration_ms":500},)"
      "\n\"_body\": \"said\"\n}\n{\n\"hrTime\": [1772355610, 0],\n" +
      resource + R"("attributes":{"event.name":"gemini_cli.user_prompt"},"_body":"asked")" +
      "\n}\n{\n\"hrTime\": [1772355611, 0],\n" +
      R"("attributes":{"event.name":"garden.grown"},"_body":"grown"})" + "\n";
  const Trace trace = read_log(log);
  REQUIRE(trace.spans.size() == 1);
  const Span& span = trace.spans.front();
  CHECK(trace[span.service] == "gemini-cli");
  CHECK(trace[span.session] == "pond");
  CHECK(span.start == Time(Duration(1772355609'000'000'000)));
  REQUIRE(span.gen_ai);
  CHECK(trace[trace[span.gen_ai].model] == "gemini-3-pro");
  CHECK(complaints_of(trace).ends_with(
      "a log record that is neither a model call nor a tool execution"));
  CHECK(trace.sources.front().format == "otel-sdk");
}

TEST_CASE("a span may have its ids beside its times, as Copilot writes it") {
  const Trace trace = read_log(
      R"({"type":"span","name":"chat m-1","traceId":"a1","spanId":"b2","parentSpanId":"b1",)"
      R"("kind":2,"startTime":[1772355600,0],"endTime":[1772355602,0],"status":{"code":0},)"
      R"("attributes":{"gen_ai.operation.name":"chat","gen_ai.response.model":"m-1",)"
      R"("gen_ai.usage.input_tokens":9}})"
      "\n"
      R"({"type":"metric","name":"uses","unit":"1","dataPoints":[{"value":1}]})"
      "\n");
  REQUIRE(trace.spans.size() == 1);
  CHECK(trace.spans.front().duration == Duration(2'000'000'000));
  CHECK(trace.spans.front().parents == 1);
  CHECK(trace.sources.front().format == "otel-sdk");
  CHECK(complaints_of(trace).find("looks like a metric") != std::string::npos);
}

TEST_CASE("a log record of OpenTelemetry is no exchange with a model, though it has a body") {
  const Result<Trace> trace =
      load_log(R"({"body":"inference: done","traceId":"a1","spanId":"b1","timestamp":1772355600,)"
               R"("attributes":{"event.name":"inference"}})"
               "\n");
  CHECK((!trace || trace->calls.empty()));
}

TEST_CASE("a span that Go's library prints is read like those of the others") {
  const Trace trace = read_log(
      R"({"Name":"chat m","SpanContext":{"TraceID":"0000000000000000000000000000a001",)"
      R"("SpanID":"00000000000000b1","TraceFlags":"01"},)"
      R"("Parent":{"TraceID":"0000000000000000000000000000a001","SpanID":"00000000000000b0"},)"
      R"("SpanKind":3,"StartTime":"2026-01-05T10:00:00Z","EndTime":"2026-01-05T10:00:02Z",)"
      R"("Attributes":[{"Key":"gen_ai.request.model","Value":{"Type":"STRING","Value":"m"}},)"
      R"({"Key":"gen_ai.usage.input_tokens","Value":{"Type":"INT64","Value":7}}],)"
      R"("Events":null,"Links":null,"Status":{"Code":"Error","Description":"overloaded"},)"
      R"("Resource":[{"Key":"service.name","Value":{"Type":"STRING","Value":"shop"}}],)"
      R"("InstrumentationScope":{"Name":"garden","Version":"1"}})"
      "\n");
  REQUIRE(trace.spans.size() == 1);
  const Span& span = trace.spans[0];
  CHECK(trace[span.service] == "shop");
  CHECK(span.kind == SpanKind::client);
  CHECK(span.duration == std::chrono::seconds(2));
  CHECK(span.outcome == Outcome::error);
  CHECK(span.parents == 1);
  CHECK(trace[span.gen_ai].tokens.input == 7);
  CHECK(trace.complaints.empty());
}

TEST_CASE("flat spans may be listed in an object of any content, or be rows of a data frame") {
  const std::string span =
      R"({"name":"chat","span_id":"b1","trace_id":"a1","start_time":1772355600000000000,)"
      R"("end_time":1772355602000000000,"attributes":{"gen_ai.request.model":"m",)"
      R"("gen_ai.usage.input_tokens":7}})";
  const std::string row =
      R"({"name":"chat","context.span_id":"b1","context.trace_id":"a1","start_time":)"
      R"("2026-03-01T09:00:00Z","end_time":"2026-03-01T09:00:02Z","status_code":"OK",)"
      R"("attributes.llm.model_name":"m","attributes.llm.token_count.prompt":7})";
  const std::string logs[] = {span, R"({"run":"r","span_count":1,"spans":[)" + span + "]}", row,
                              "[" + row + "]"};
  for (const std::string& log : logs) {
    CAPTURE(log);
    const Trace trace = read_log(log + "\n");
    REQUIRE(trace.spans.size() == 1);
    CHECK(trace.spans[0].duration == std::chrono::seconds(2));
    CHECK(trace[trace.spans[0].gen_ai].tokens.input == 7);
  }
}

}  // namespace xtrace
