#include "link/attribution/attribution.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "reading.h"
#include "transcript.h"

using namespace xtrace;

namespace {

/// `m1: orders, m2: -`: what each call is attributed to, by the message that answers it.
std::string attributed(const Transcript& log, AttributedBy by) {
  const Graph graph = link(read_log(log.text()), {});
  const Attribution attribution(graph, by);
  std::string text;
  for (CallId id : graph.timeline().in_order()) {
    const std::string_view request = graph.trace()[graph.trace()[id].id];
    text += fmt::format("{}{}:", text.empty() ? "" : ", ", request.substr(request.find('_') + 1));
    for (const AttributedPart& part : attribution.of(id))
      text += fmt::format(" {}{}{}{}", part.name.empty() ? "-" : part.name,
                          part.parts > 1 ? fmt::format(" x{}", part.parts) : "",
                          part.confidence < 1 ? "?" : "", part.through_subagent ? " by agent" : "");
  }
  return text;
}

std::string stamped(const std::string& skill) {
  return fmt::format(R"("attributionSkill":"{}")", skill);
}

}  // namespace

TEST_CASE("a stamp names the skill of a call, and a call without one has none") {
  Transcript log;
  log.user("u1", "Go.");
  log.with(stamped("orders")).answer("a1", "m1", uses("t1", "Read"));
  log.result("r1", "t1").answer("a2", "m2", says("Done."));
  CHECK(attributed(log, AttributedBy::skill) == "m1: orders, m2: -");
}

TEST_CASE("without stamps a skill lasts from its instructions to the end of the turn") {
  Transcript log;
  log.user("u1", "Go.").answer("a1", "m1", uses("t1", "Skill", R"({"skill":"pdf"})"));
  log.result("r1", "t1").answer("a2", "m2", uses("t2", "Read"));
  log.result("r2", "t2").answer("a3", "m3", says("Done."));
  log.user("u2", "Next.").answer("a4", "m4", says("Yes."));
  CHECK(attributed(log, AttributedBy::skill) == "m1: -, m2: pdf?, m3: pdf?, m4: -");
}

TEST_CASE("a skill that could not be loaded costs nothing") {
  Transcript log;
  log.user("u1", "Go.").answer("a1", "m1", uses("t1", "Skill", R"({"skill":"pdf"})"));
  log.line("r1", "user",
           R"("message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1",)"
           R"("is_error":true,"content":"Unknown skill: pdf"}]})");
  log.answer("a2", "m2", says("No."));
  CHECK(attributed(log, AttributedBy::skill) == "m1: -, m2: -");
}

TEST_CASE("a subagent has the skill of the call that started it") {
  Transcript log;
  log.user("u1", "Go.");
  log.with(stamped("orders")).answer("a1", "m1", spawns("t1", "Explore", "Look."));
  log.within("t1", "x", "Look.").answer("s1", "m2", says("Found."));
  CHECK(attributed(log, AttributedBy::skill) == "m1: orders, m2: orders by agent");
}

TEST_CASE("the cost of a call is divided among the tools that it asks for") {
  Transcript log;
  log.user("u1", "Go.");
  log.answer("a1", "m1",
             uses("t1", "mcp__shop__get") + "," + uses("t2", "mcp__shop__list") + "," +
                 uses("t3", "Read"));
  log.result("r1", "t1").answer("a2", "m2", says("Done."));
  CHECK(attributed(log, AttributedBy::mcp) == "m1: - shop x2, m2: -");
  CHECK(attributed(log, AttributedBy::tool) == "m1: Read mcp__shop__get mcp__shop__list, m2: -");
}

TEST_CASE("a slash command has its turn, but for one that the client runs by itself") {
  Transcript log;
  log.user("u1", "<command-name>/review</command-name>").answer("a1", "m1", says("Fine."));
  log.user("u2", "And now?").answer("a2", "m2", says("Yes."));
  log.user("u3", "<command-name>/cost</command-name>");
  log.user("u4", "<local-command-stdout>$1</local-command-stdout>");
  log.user("u5", "Go on.").answer("a3", "m3", says("Done."));
  CHECK(attributed(log, AttributedBy::command) == "m1: /review, m2: -, m3: -");
}

TEST_CASE("a hook has what is done after it sent the agent back to work") {
  Transcript log;
  log.user("u1", "Go.").answer("a1", "m1", says("Done."));
  log.with(R"("isMeta":true)").user("u2", "Stop hook feedback:\\n[check]: test it");
  log.answer("a2", "m2", uses("t1", "Bash"));
  log.result("r1", "t1").answer("a3", "m3", says("Tested."));
  log.user("u3", "Next.").answer("a4", "m4", says("Yes."));
  CHECK(attributed(log, AttributedBy::hook) == "m1: -, m2: Stop, m3: Stop, m4: -");
}

TEST_CASE("a spawner has what its subagent does") {
  Transcript log, inside;
  log.user("u1", "Go.").answer("a1", "m1", spawns("t1", "Explore", "Look."));
  inside.within("t1", "x", "Look.").at(2).answer("s1", "m2", says("Found."));
  log.raw(inside.text()).at(3).result("r1", "t1").answer("a2", "m3", says("Done."));
  CHECK(attributed(log, AttributedBy::spawner) == "m1: -, m2: Explore, m3: -");
}

TEST_CASE("parts of an amount add up to it") {
  for (int64_t amount : {int64_t{0}, int64_t{1}, int64_t{10}, int64_t{1'000'003}, INT64_MAX}) {
    int64_t sum = 0;
    for (uint32_t before = 0; before < 7; ++before) sum += part_of_amount(amount, before, 1, 7);
    CHECK(sum == amount);
  }
  CHECK(part_of_amount(kNoCount, 0, 1, 7) == kNoCount);
}

TEST_CASE("only tools of MCP servers have one") {
  CHECK(mcp_server_of("mcp__shop__get_order") == "shop");
  CHECK(mcp_server_of("mcp__shop") == "");
  CHECK(mcp_server_of("Read") == "");
}
