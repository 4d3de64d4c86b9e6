#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"
#include "transcript.h"
#include "usage_world.h"

using namespace xtrace;

namespace {

/// A session: the main agent's reply puts out 10 tokens, that of its subagent 5.
Trace with_subagent() {
  Transcript log;
  log.user("u1", "dig").answer("a1", "m1", spawns("t1", "helper", "sow"), 10);
  log.sidechain(R"("agentId":"h")");
  log.after("").user("u2", "sow").answer("a2", "m2", says("sown"), 5);
  return read_log(log.text());
}

UsageStatement stated(const Trace& trace, UsageStatement::Scope scope, int64_t output) {
  UsageStatement row;
  row.source = trace.calls.back().source;
  row.session = trace.calls.front().session;
  row.scope = scope;
  row.tokens.output = output;
  return row;
}

/// What no call accounts for: `session 5`, its scope and output tokens.
std::string rows_of(Trace trace, std::vector<UsageStatement> statements) {
  trace.usage_statements = std::move(statements);
  const Graph graph = link(std::move(trace), {});
  std::string text;
  for (const UnplacedUsage& row : graph.activities().ledger.unplaced)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                        kStatedByWords[static_cast<size_t>(row.stated_by)], row.tokens.output);
  return text;
}

using Scope = UsageStatement::Scope;

}  // namespace

TEST_CASE("a statement of an agent that names none covers the calls of the main agent") {
  const Trace trace = with_subagent();
  REQUIRE(trace.calls.size() == 2);
  CHECK(rows_of(with_subagent(), {stated(trace, Scope::agent, 12)}) == "agent 2");
  CHECK(rows_of(with_subagent(), {stated(trace, Scope::session, 18)}) == "session 3");
}

TEST_CASE("what a smaller scope states beyond its calls is part of the larger ones") {
  const Trace trace = with_subagent();
  CHECK(rows_of(with_subagent(), {stated(trace, Scope::agent, 12),
                                  stated(trace, Scope::session, 20)}) == "agent 2, session 3");
}

TEST_CASE("a rest covers no call, and a statement that is set aside states nothing") {
  const Trace trace = with_subagent();
  UsageStatement rest = stated(trace, Scope::session, 4);
  rest.form = UsageStatement::Form::rest;
  UsageStatement repeated = stated(trace, Scope::session, 40);
  repeated.set_aside = UsageStatement::SetAside::repeated;
  CHECK(rows_of(with_subagent(), {rest, repeated}) == "session 4");
}
