#include "link/calls/session_use.h"

#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

namespace {

Tokens tokens(int64_t input, int64_t output) {
  Tokens counted;
  counted.input = input;
  counted.output = output;
  return counted;
}

/// A session of two calls by two models, of which the log knows what they put out.
Trace two_calls() {
  Trace trace = read_log(
      R"({"type":"init","timestamp":"2026-01-01T10:00:00Z","session_id":"s","model":"large"}
{"type":"message","timestamp":"2026-01-01T10:00:00Z","role":"user","content":"go"}
{"type":"message","timestamp":"2026-01-01T10:00:02Z","role":"assistant","content":"yes","delta":true}
{"type":"message","timestamp":"2026-01-01T10:00:04Z","role":"user","content":"on"}
{"type":"message","timestamp":"2026-01-01T10:00:06Z","role":"assistant","content":"no","delta":true}
)");
  REQUIRE(trace.calls.size() == 2);
  trace.calls[0].tokens = tokens(kNoCount, 7);
  trace.calls[1].tokens = tokens(kNoCount, 5);
  trace.calls[1].model = trace.strings.intern("small");
  return trace;
}

void add_total(Trace& trace, std::string_view model, const Tokens& used, int64_t calls) {
  UsageStatement total;
  total.session = trace.calls[0].session;
  total.model = model.empty() ? StringId{} : trace.strings.intern(model);
  total.tokens = used;
  total.calls = calls;
  trace.usage_statements.push_back(total);
}

SessionUse use_of(Trace trace) {
  const Graph graph = link(std::move(trace), {});
  REQUIRE(graph.sessions().size() == 1);
  return graph.sessions().front().use;
}

}  // namespace

TEST_CASE("a session of which no record tells a total says nothing of itself") {
  CHECK_FALSE(use_of(two_calls()).is_told());
}

TEST_CASE("totals of several runs and models add up") {
  Trace trace = two_calls();
  add_total(trace, "large", tokens(100, 7), 1);
  add_total(trace, "small", tokens(40, 9), 1);
  const SessionUse use = use_of(std::move(trace));
  CHECK(use.is_told());
  CHECK(use.models.size() == 2);
  CHECK(use.calls == 2);
  CHECK(use.tokens == tokens(140, 16));
}

TEST_CASE("a total of a session without a call is nobody's") {
  Trace trace = two_calls();
  add_total(trace, "", tokens(1, 1), 1);
  trace.usage_statements.front().session = trace.strings.intern("elsewhere");
  CHECK_FALSE(use_of(std::move(trace)).is_told());
}
