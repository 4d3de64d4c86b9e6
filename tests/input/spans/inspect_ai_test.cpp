#include <catch2/catch.hpp>

#include "reading.h"

namespace xtrace {

namespace {

/// A sample with such events.
std::string sample_with(const std::string& events) {
  return R"({"id":1,"epoch":1,"events":[)" + events + "]}\n";
}

std::string model_event(const std::string& id, const std::string& more) {
  return R"({"event":"model","uuid":")" + id +
         R"(","timestamp":"2026-03-01T09:00:00+00:00","completed":"2026-03-01T09:00:01+00:00",)"
         R"("model":"m-1",)" +
         more + "}";
}

std::string usage(const std::string& counts) {
  return R"("output":{"model":"m-1","usage":{)" + counts + "}}";
}

const GenAi& told_first(const Trace& trace) {
  REQUIRE(trace.spans.size() == 1);
  REQUIRE(trace.spans[0].gen_ai);
  return trace[trace.spans[0].gen_ai];
}

/// `m1, t2, m3 < t2`: what there is, and in what it stands.
std::string nested(const Trace& trace) {
  std::string names;
  for (const Span& span : trace.spans) {
    if (!names.empty()) names += ", ";
    names += std::string(trace[span.id]);
    for (uint32_t i = 0; i < span.parents; ++i)
      names += " < " + std::string(trace[trace.span_parents[span.first_parent + i].span]);
  }
  return names;
}

}  // namespace

TEST_CASE("events that stand in a tool or a subtask of an old log are events of the sample") {
  auto tool = [](const std::string& id, const std::string& events) {
    return R"({"event":"tool","timestamp":"2026-03-01T09:00:00+00:00","id":"c","function":"f",)" +
           id + R"("events":[)" + events + "]}";
  };
  const std::string some = usage(R"("input_tokens":9,"output_tokens":1)");
  const Trace trace = read_log(sample_with(
      model_event("m1", some) + "," +
      tool(R"("uuid":"t2",)", model_event("m3", some) + "," + tool("", model_event("m5", some))) +
      R"(,{"event":"subtask","name":"s","events":[)" + model_event("m7", some) + "]}"));
  CHECK(nested(trace) == "m1, t2, m3 < t2, 1-1-event-2-event-2 < t2, m5 < 1-1-event-2-event-2, m7");
  CHECK(complaints_of(trace).empty());
}

TEST_CASE("a log of inspect_ai tells by its total whether thoughts are beside the output") {
  const Tokens beside =
      told_first(read_log(sample_with(model_event(
                     "m1", usage(R"("input_tokens":100,"output_tokens":10,"total_tokens":117,)"
                                 R"("input_tokens_cache_read":40,"reasoning_tokens":7)")))))
          .tokens;
  CHECK(beside.input == 60);
  CHECK(beside.cache_read == 40);
  CHECK(beside.output == 17);
  const Tokens within =
      told_first(read_log(sample_with(model_event(
                     "m1", usage(R"("input_tokens":100,"output_tokens":10,"total_tokens":110,)"
                                 R"("reasoning_tokens":7)")))))
          .tokens;
  CHECK(within.output == 10);
}

TEST_CASE("an answer that inspect_ai kept from an earlier one is a call that cost nothing") {
  const std::string some = usage(R"("input_tokens":200,"output_tokens":20,"total_tokens":220)");
  const Trace kept = read_log(sample_with(model_event("m1", R"("cache":"read",)" + some)));
  CHECK(kept[told_first(kept).model] == "m-1");
  CHECK(told_first(kept).tokens == Tokens{});
  CHECK(told_first(kept).cost == 0);
  const Trace written = read_log(sample_with(model_event("m1", R"("cache":"write",)" + some)));
  CHECK(told_first(written).tokens.input == 200);
  CHECK(told_first(written).cost < 0);
}

TEST_CASE("a tool of inspect_ai that says so failed, whatever it says of an error") {
  const auto fails = [](const std::string& more) {
    const Trace trace = read_log(sample_with(
        R"({"event":"tool","id":"t1","uuid":"u1","function":"dig","error":null,)"
        R"("timestamp":"2026-03-01T09:00:00+00:00","completed":"2026-03-01T09:00:01+00:00")" +
        more + "}"));
    REQUIRE(trace.spans.size() == 1);
    return trace.spans[0].outcome == Outcome::error;
  };
  CHECK(fails(R"(,"failed":true)"));
  CHECK_FALSE(fails(R"(,"failed":null)"));
}

TEST_CASE("a sample of inspect_ai that failed before its first event is told of") {
  const Trace trace =
      read_log(R"({"id":1,"epoch":2,"events":[],"error":{"message":"boom","traceback":""}})"
               "\n");
  CHECK(trace.spans.empty());
  CHECK_THAT(complaints_of(trace), Catch::Contains("failed before its first event"));
}

TEST_CASE("a compaction of a sample is warned of, since no span tells it") {
  const std::string cut = R"({"event":"compaction","timestamp":"2026-03-01T09:00:02+00:00",)"
                          R"("tokens_before":900,"tokens_after":100})";
  const std::string some = usage(R"("input_tokens":9,"output_tokens":1)");
  CHECK_THAT(complaints_of(read_log(sample_with(model_event("m1", some) + "," + cut))),
             Catch::Contains("was compacted"));
}

TEST_CASE("what ended a sample is an error of the span in which it happened") {
  const std::string span = R"({"event":"span_begin","id":"s1","type":"agent","name":"digger",)"
                           R"("timestamp":"2026-03-01T09:00:00+00:00"},)";
  const std::string asked =
      model_event("m1", R"("span_id":"s1",)" + usage(R"("input_tokens":9,"output_tokens":1)")) +
      ",";
  const auto ended = [&](const std::string& event) {
    return read_log(sample_with(span + asked + R"({"timestamp":"2026-03-01T09:00:02+00:00",)" +
                                R"("span_id":"s1",)" + event + "}"));
  };
  const Trace failed = ended(R"("event":"error","error":{"message":"ValueError: a pear"})");
  REQUIRE(failed.spans.size() == 2);
  CHECK(failed.spans[0].outcome == Outcome::error);
  CHECK(failed[failed[failed.spans[0].gen_ai].error] == "ValueError");
  CHECK(failed.spans[1].outcome == Outcome::ok);
  CHECK(complaints_of(failed).empty());
  CHECK(ended(R"("event":"sample_limit","type":"token")").spans[0].outcome == Outcome::error);
}

TEST_CASE("what ended a sample is warned of where no call and no span can tell it") {
  const std::string some = usage(R"("input_tokens":9,"output_tokens":1)");
  const auto complaint = [](const std::string& more, const std::string& event) {
    return complaints_of(
        read_log(R"({"id":1,"epoch":1,)" + more + R"("events":[)" + event + "]}\n"));
  };
  const std::string asked = model_event("m1", some);
  CHECK_THAT(complaint(R"("error":{"message":"boom"},)", asked),
             Catch::Contains("ended with an error that belongs to none of its calls"));
  CHECK_THAT(complaint(R"("limit":{"type":"token"},)", asked),
             Catch::Contains("a limit ended the sample"));
  CHECK(complaint(R"("error":{"message":"boom"},)", model_event("m1", R"("error":"boom",)" + some))
            .empty());
}

}  // namespace xtrace
