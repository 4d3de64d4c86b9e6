#include "link/graph/partners.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "link/graph/graph.h"
#include "reading.h"
#include "story.h"

using namespace xtrace;

namespace {

/// A span that asks a model, as OTLP has it on a line. Times are those of CallStory.
std::string span(const std::string& id, double start, double took, const std::string& model,
                 int64_t output, const std::string& more = "") {
  constexpr int64_t kBeginning = 1'772'359'200;
  auto nanoseconds = [](double seconds) {
    return kBeginning * 1'000'000'000 + static_cast<int64_t>(seconds * 1e3) * 1'000'000;
  };
  auto text = [](const std::string& key, const std::string& value) {
    return fmt::format(R"({{"key":"{}","value":{{"stringValue":"{}"}}}})", key, value);
  };
  std::string tags = text("gen_ai.operation.name", "chat");
  if (!model.empty()) tags += "," + text("gen_ai.request.model", model);
  if (output >= 0)
    tags += fmt::format(R"(,{{"key":"gen_ai.usage.output_tokens","value":{{"intValue":"{}"}}}})",
                        output);
  return fmt::format(
      R"({{"resourceSpans":[{{"scopeSpans":[{{"spans":[{{"traceId":"0000000000000000000000000000000a",)"
      R"("spanId":"00000000000000{}","name":"chat","startTimeUnixNano":"{}",)"
      R"("endTimeUnixNano":"{}","attributes":[{}{}]}}]}}]}}]}})"
      "\n",
      id, nanoseconds(start), nanoseconds(start + took), tags, more);
}

/// `a 0a time`, a line for each call with a partner.
std::string partners(const CallStory& story, const std::string& spans) {
  Graph graph = link(read_log(story.log() + spans), {});
  const Trace& trace = graph.trace();
  std::string text;
  for (CallId call : graph.timeline().in_order()) {
    const Partners::Partner& partner = graph.partners().of_call[call.index];
    if (!partner.hop) continue;
    CHECK(graph.partners().of_hop[partner.hop.index] == call);
    CHECK(partner.confidence > 0);
    CHECK(partner.confidence <= 1);
    std::string_view id = trace[trace[graph.hops()[partner.hop].span].id];
    text += fmt::format("{} {} {}\n", trace[trace[call].id], id.substr(id.size() - 2),
                        word(partner.rule));
  }
  return text;
}

/// Two calls, ten seconds apart, a second each.
CallStory two_calls() {
  CallStory story;
  story.call("a").at(0).says("one").tokens(100, 11).answers("1");
  story.call("b").at(10).says("two").tokens(100, 12).answers("2");
  return story;
}

}  // namespace

TEST_CASE("a span is the call that was made in its time, if it can be no other") {
  CHECK(partners(two_calls(),
                 span("0a", 0, 1, "claude-test-1", 11) + span("0b", 10, 1, "claude-test-1", 12)) ==
        "a 0a time\nb 0b time\n");
}

TEST_CASE("clocks may differ by a tenth of a second") {
  CHECK(partners(two_calls(), span("0a", 1.05, 1, "claude-test-1", 11)) == "a 0a time\n");
  CHECK(partners(two_calls(), span("0a", 1.2, 1, "claude-test-1", 11)).empty());
}

TEST_CASE("a span of another model or of other tokens is another call") {
  CHECK(partners(two_calls(), span("0a", 0, 1, "oak-2", 11)).empty());
  CHECK(partners(two_calls(), span("0a", 0, 1, "claude-test-1", 99)).empty());
}

TEST_CASE("time alone tells nothing: a model or tokens must say that it is the same") {
  CHECK(partners(two_calls(), span("0a", 0, 1, "", -1)).empty());
  CHECK(partners(two_calls(), span("0a", 0, 1, "", 11)) == "a 0a time\n");
}

TEST_CASE("where two spans fit a call, or two calls a span, nobody can tell") {
  CHECK(partners(two_calls(),
                 span("0a", 0, 1, "claude-test-1", 11) + span("0b", 0.2, 1, "claude-test-1", 11))
            .empty());
  CallStory story;
  story.call("a").at(0).says("one").tokens(100, 11).answers("1");
  story.call("b").at(0.5).says("two").tokens(100, 11).answers("2");
  CHECK(partners(story, span("0a", 0, 1, "claude-test-1", 11)).empty());
}

TEST_CASE("a span that bears the id of an answer is the call that was answered so") {
  const std::string call =
      R"({"id":"a","timestamp":"2026-03-01T10:00:00Z","timestamp_end":"2026-03-01T10:00:03Z",)"
      R"("request":{"model":"m","messages":[{"role":"user","content":"hi"}]},"response":)"
      R"({"id":"chatcmpl-7","object":"chat.completion","model":"m","choices":[{"message":)"
      R"({"role":"assistant","content":"ok"}}],"usage":{"prompt_tokens":5,"completion_tokens":1}}})"
      "\n";
  const std::string spans =
      span("0a", 0, 3, "m", 1,
           R"(,{"key":"gen_ai.response.id","value":{"stringValue":"chatcmpl-7"}})") +
      span("0b", 0, 3, "m", 1,
           R"(,{"key":"gen_ai.response.id","value":{"stringValue":"chatcmpl-8"}})");
  const Graph graph = link(read_log(call + spans), {});
  const Partners::Partner& partner = graph.partners().of_call[0];
  REQUIRE(partner.hop);
  CHECK(partner.rule == Rule::request_id);
  CHECK(graph.trace()[graph.trace()[graph.hops()[partner.hop].span].id].ends_with("0a"));
}
