#include <catch2/catch.hpp>

#include "reading.h"

using namespace xtrace;

namespace {

std::string remarks_of(const Trace& trace, const Span& span) {
  std::string text;
  const TaskStep& told = trace[span.task_step];
  for (uint32_t i = told.first_remark; i < told.first_remark + told.remarks; ++i)
    text +=
        std::string(trace.remarks[i].key) + "=" + std::string(trace[trace.remarks[i].text]) + " ";
  return text;
}

}  // namespace

TEST_CASE("an event is a span of no length that names what set it off") {
  Trace trace = read_log(
      R"({"id":"e1","type":"ModelSwitched","timestamp":"2026-01-01T10:00:00Z","taskId":"T1",)"
      R"("triggeredBy":"s9","oldModel":"a","newModel":"b","reason":"SLOW","agent":"Adapter"})"
      "\n");
  REQUIRE(trace.spans.size() == 1);
  const Span& span = trace.spans[0];
  const TaskStep& told = trace[span.task_step];
  CHECK(trace[span.id] == "e1");
  CHECK(trace[span.operation] == "ModelSwitched");
  CHECK(span.duration == kNoDuration);
  CHECK(told.type == TaskStep::Type::model_switch);
  CHECK(told.is_event);
  CHECK(trace[told.trigger] == "s9");
  CHECK(trace[told.task] == "T1");
  CHECK(remarks_of(trace, span) == "oldModel=a newModel=b reason=SLOW ");
}

TEST_CASE("what an event is about may stand below its payload") {
  Trace trace = read_log(R"({"event":"CodeFixApplied","timestamp":"2026-01-01T10:00:00Z",)"
                         R"("payload":{"taskId":"T1","spanId":"s1","diffSummary":"two words"}})"
                         "\n");
  REQUIRE(trace.spans.size() == 1);
  const TaskStep& told = trace[trace.spans[0].task_step];
  CHECK(told.type == TaskStep::Type::reflexion_action);
  CHECK(trace[told.trigger] == "s1");
  CHECK(trace[trace.spans[0].id].starts_with("event-"));
  REQUIRE(told.remarks == 1);
  CHECK(trace.remarks[told.first_remark].kind == Remark::Kind::payload);
}

TEST_CASE("records of other kinds are no events") {
  for (const char* record :
       {R"({"type":"user","timestamp":"2026-01-01T10:00:00Z","taskId":"T"})",
        R"({"type":"ModelSwitched","taskId":"T"})",
        R"({"type":"ModelSwitched","timestamp":"2026-01-01T10:00:00Z"})",
        R"({"type":"Model Switched","timestamp":"2026-01-01T10:00:00Z","taskId":"T"})"}) {
    CAPTURE(record);
    Result<Trace> trace = load_log(std::string(record) + "\n");
    REQUIRE(trace);
    CHECK(trace->spans.empty());
  }
}

TEST_CASE("a key that is of events makes one of any name, however it is spelled") {
  using Type = TaskStep::Type;
  const std::pair<const char*, Type> kNames[] = {{"ModelSwitched", Type::model_switch},
                                                 {"modelSwitched", Type::model_switch},
                                                 {"model_switched", Type::model_switch},
                                                 {"model-switched", Type::model_switch},
                                                 {"MODEL_SWITCHED", Type::model_switch},
                                                 {"Model Switched", Type::model_switch},
                                                 {"agent.model.switched", Type::reflexion_action},
                                                 {"user_query", Type::user_query},
                                                 {"USERQuery", Type::user_query},
                                                 {"used", Type::reflexion_action},
                                                 {"Retry", Type::reflexion_action}};
  for (const auto& [name, type] : kNames)
    for (const char* keys : {"eventType timestamp taskID", "event_name Timestamp task-id"}) {
      CAPTURE(name, keys);
      std::string_view rest = keys;
      const std::string event(rest.substr(0, rest.find(' ')));
      rest.remove_prefix(event.size() + 1);
      const std::string time(rest.substr(0, rest.find(' ')));
      rest.remove_prefix(time.size() + 1);
      const Trace trace =
          read_log("{\"" + event + "\":\"" + name + "\",\"" + time +
                   "\":\"2026-01-01T10:00:00Z\",\"" + std::string(rest) + "\":\"T\"}\n");
      REQUIRE(trace.spans.size() == 1);
      CHECK(trace[trace.spans[0].operation] == name);
      CHECK(trace[trace.spans[0].task_step].type == type);
      CHECK(trace[trace.spans[0].task_step].is_event);
    }
}

TEST_CASE("a key that libraries log sentences by makes an event of a name of several words") {
  const auto spans = [](const char* name) {
    Result<Trace> trace = load_log("{\"event\":\"" + std::string(name) +
                                   "\",\"time\":\"2026-01-01T10:00:00Z\",\"task_id\":\"T\"}\n");
    REQUIRE(trace);
    return trace->spans.size();
  };
  CHECK(spans("code_fix_applied") == 1);
  CHECK(spans("codeFixApplied") == 1);
  CHECK(spans("fix applied to the code") == 0);
  CHECK(spans("applied") == 0);
}

TEST_CASE("spans say in the words of ExplanationGraph what they check, test and measure") {
  Trace trace = read_log(
      R"({"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0a","spanId":"0b","name":"critic",)"
      R"("startTimeUnixNano":"1","endTimeUnixNano":"2","attributes":[)"
      R"({"key":"rule.id","value":{"stringValue":"sql"}},)"
      R"({"key":"code.lineno","value":{"intValue":"42"}},)"
      R"({"key":"status","value":{"stringValue":"FOUND_VULNERABILITY"}},)"
      R"({"key":"component","value":{"stringValue":"critic-agent"}}]}]}]}]})"
      "\n");
  REQUIRE(trace.spans.size() == 1);
  const TaskStep& told = trace[trace.spans[0].task_step];
  CHECK(told.type == TaskStep::Type::static_analysis);
  CHECK(trace[told.status] == "FOUND_VULNERABILITY");
  CHECK(trace[told.component] == "critic-agent");
  REQUIRE(told.remarks == 2);
  CHECK(trace.remarks[told.first_remark + 1].number == 42);
}

TEST_CASE("events come as log records of OpenTelemetry, too, and among those of a span") {
  Trace trace = read_log(
      R"({"resourceLogs":[{"scopeLogs":[{"logRecords":[)"
      R"({"timeUnixNano":"5000000","spanId":"0b","traceId":"0a","eventName":"ModelSwitched",)"
      R"("attributes":[{"key":"newModel","value":{"stringValue":"m2"}}]},)"
      R"({"timeUnixNano":"6000000","body":{"stringValue":"GET / took 5 ms"},)"
      R"("attributes":[{"key":"request_id","value":{"stringValue":"r"}}]},)"
      R"({"timeUnixNano":"7000000","body":{"stringValue":"think"},"attributes":[)"
      R"({"key":"requestId","value":{"stringValue":"r1"}},{"key":"model.name","value":{"stringValue":"m"}}]}]}]}]})"
      "\n"
      R"({"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0a","spanId":"0b","name":"run",)"
      R"("startTimeUnixNano":"1000000","endTimeUnixNano":"9000000","events":[)"
      R"({"timeUnixNano":"8000000","name":"CodeFixApplied","attributes":[]},)"
      R"({"timeUnixNano":"8500000","name":"exception","attributes":[]}]}]}]}]})"
      "\n");
  REQUIRE(trace.spans.size() == 3);
  CHECK(trace[trace.spans[0].operation] == "ModelSwitched");
  CHECK(trace[trace[trace.spans[0].task_step].trigger] == "0b");
  CHECK(trace[trace.spans[1].operation] == "run");
  CHECK(trace[trace.spans[2].operation] == "CodeFixApplied");
  CHECK(trace[trace[trace.spans[2].task_step].trigger] == "0b");
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace[trace.calls[0].id] == "r1");
}

TEST_CASE("Jaeger's spans have such events among their logs, or are ones") {
  Trace trace = read_log(
      R"({"data":[{"traceID":"t","spans":[{"traceID":"t","spanID":"a","operationName":"run",)"
      R"("startTime":1000,"duration":10,"processID":"p","logs":[{"timestamp":1005,"fields":[)"
      R"({"key":"event","value":"TaskRetryInitiated"},{"key":"taskId","value":"T"}]}]},)"
      R"({"traceID":"t","spanID":"b","operationName":"ModelSwitched","startTime":1009,"duration":0,)"
      R"("processID":"p","tags":[{"key":"taskId","value":"T"},{"key":"triggeredBy","value":"a"}]}],)"
      R"("processes":{"p":{"serviceName":"s"}}}]})");
  REQUIRE(trace.spans.size() == 3);
  CHECK(trace[trace.spans[1].operation] == "TaskRetryInitiated");
  CHECK(trace[trace[trace.spans[1].task_step].task] == "T");
  CHECK(trace[trace.spans[2].task_step].type == TaskStep::Type::model_switch);
}
