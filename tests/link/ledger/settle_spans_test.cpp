#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "effort.h"
#include "hop_story.h"
#include "link/graph/graph.h"
#include "usage_world.h"

using namespace xtrace;

namespace {

/// A span that states tokens, and a cost in dollars.
HopStory& spends(HopStory& story, const std::string& operation, int input, int output,
                 const std::string& cost = "") {
  story.tag("gen_ai.operation.name", operation)
      .tag("gen_ai.request.model", "oak-large")
      .tag("gen_ai.usage.input_tokens", std::to_string(input))
      .tag("gen_ai.usage.output_tokens", std::to_string(output));
  return cost.empty() ? story : story.tag("gen_ai.usage.cost", cost);
}

/// `agent 50+5 $0.001 -$0.002`: the span that states it, tokens, cost in thousandths of a dollar,
/// what was not charged.
std::string rows_of(const Graph& graph) {
  std::string text;
  for (const UnplacedUsage& row : graph.activities().ledger.unplaced) {
    text += fmt::format("{} {}+{}", graph.hops().name_of(graph.trace(), row.hop), row.tokens.input,
                        row.tokens.output);
    if (row.cost >= 0) text += fmt::format(" ${}", row.cost / 1'000'000);
    if (row.uncharged > 0) text += fmt::format(" -${}", row.uncharged / 1'000'000);
    text += '\n';
  }
  return text;
}

}  // namespace

TEST_CASE("an agent that states the sum of its calls adds nothing to them") {
  HopStory story;
  spends(story.span("a", "garden", "", 0, 1000), "invoke_agent", 300, 30, "0.03");
  spends(story.span("b", "garden", "a", 10, 100), "chat", 100, 10, "0.01");
  spends(story.span("c", "garden", "a", 200, 100), "chat", 200, 20, "0.02");
  CHECK(rows_of(story.graph()).empty());
  CHECK(total_of(story.graph()).cost == 30'000'000);
}

TEST_CASE("what an agent states beyond the calls below it is a row, however deep they are") {
  HopStory story;
  spends(story.span("a", "garden", "", 0, 1000), "invoke_agent", 300, 30, "0.03");
  std::string above = "a";
  for (int i = 0; i < 30; ++i) {
    const std::string id = fmt::format("d{:x}", i);
    story.span(id, "garden", above, 10, 500);
    above = id;
  }
  spends(story.span("b", "garden", above, 10, 100), "chat", 100, 10, "0.01");
  CHECK(rows_of(story.graph()) == "a 200+20 $20\n");
}

TEST_CASE("an agent without calls below it is a row, and no call") {
  HopStory story;
  spends(story.span("a", "garden", "", 0, 1000), "invoke_agent", 300, 30, "0.03");
  const Graph graph = story.graph();
  CHECK(rows_of(graph) == "a 300+30 $30\n");
  CHECK(total_of(graph).calls == 0);
}

TEST_CASE("an agent that states less than the calls below it does not include all of them") {
  HopStory story;
  spends(story.span("a", "garden", "", 0, 1000), "invoke_agent", 100, 10, "0.01");
  spends(story.span("b", "garden", "a", 10, 100), "chat", 100, 10, "0.01");
  spends(story.span("c", "garden", "a", 200, 100), "chat", 200, 20, "0.02");
  CHECK(rows_of(story.graph()).empty());
  CHECK(total_of(story.graph()).cost == 30'000'000);
}

TEST_CASE("a span that looks like a call and is the sum of several is none") {
  HopStory story;
  spends(story.span("a", "garden", "", 0, 1000), "chat", 350, 30);
  spends(story.span("b", "garden", "a", 10, 100), "chat", 100, 10);
  spends(story.span("c", "garden", "a", 200, 100), "chat", 200, 20);
  const Graph graph = story.graph();
  CHECK(rows_of(graph) == "a 50+0\n");
  CHECK(total_of(graph).calls == 2);
}

TEST_CASE("a call that others are below, and that cannot be their sum, is a call") {
  HopStory story;
  spends(story.span("a", "garden", "", 0, 1000), "chat", 20, 3);
  spends(story.span("b", "garden", "a", 10, 100), "chat", 100, 10);
  spends(story.span("c", "garden", "a", 200, 100), "chat", 200, 20);
  CHECK(total_of(story.graph()).calls == 3);
  CHECK(total_of(story.graph()).tokens.input == 320);
}

TEST_CASE("what begins after a span has ended is no part of what that states") {
  HopStory story;
  spends(story.span("a", "garden", "", 0, 100), "chat", 100, 10);
  spends(story.span("b", "garden", "a", 200, 100), "chat", 30, 5);
  CHECK(total_of(story.graph()).calls == 2);
  CHECK(total_of(story.graph()).tokens.input == 130);
  SECTION("but of the span around both") {
    HopStory nested;
    spends(nested.span("o", "garden", "", 0, 1000), "invoke_agent", 130, 15);
    spends(nested.span("a", "garden", "o", 0, 100), "chat", 100, 10);
    spends(nested.span("b", "garden", "a", 200, 100), "chat", 30, 5);
    CHECK(rows_of(nested.graph()).empty());
  }
}

TEST_CASE("money that a total states takes precedence over prices of its calls") {
  HopStory story;
  auto price = [](HopStory& one) { one.tag("gen_ai.response.model", "gpt-4o"); };
  const std::string stated = GENERATE("0.02", "0.004");
  spends(story.span("a", "garden", "", 0, 1000), "invoke_agent", 2000, 100, stated);
  spends(story.span("b", "garden", "a", 10, 100), "chat", 2000, 100);  // $0.006 at list prices
  price(story);
  const Graph graph = story.graph();
  CHECK(total_of(graph).cost == (stated == "0.02" ? 20'000'000 : 4'000'000));
  CHECK(rows_of(graph) == (stated == "0.02" ? "a -1+-1 $14\n" : "a -1+-1 -$2\n"));
  REQUIRE(graph.activities().ledger.disagreements.size() == 1);
  CHECK(graph.activities().ledger.disagreements[0].computed == 6'000'000);
}

/// Calls whose cost is a lower bound, without those that a row settles.
int64_t partly_priced(const Graph& graph) {
  int64_t calls = 0;
  for (const Activity& one : graph.activities().all)
    calls += one.counts_usage() && one.cost_is_partial;
  for (const UnplacedUsage& row : graph.activities().ledger.unplaced)
    calls += row.cost_is_partial - row.settles_partly;
  return calls;
}

TEST_CASE("money around a call of which a part is priced has the rest, and no dispute") {
  HopStory story;
  const std::string stated = GENERATE("0.03", "0.0075", "");
  spends(story.span("a", "garden", "", 0, 1000), "invoke_agent", 1000, 100, stated);
  spends(story.span("b", "garden", "a", 10, 100), "chat", 1000, 100);
  story
      .tag("gen_ai.response.model", "claude-opus-4-8")  // $0.0075, and a fee that no list has
      .tag("xtrace.server_tools.code_execution", "3");
  const Graph graph = story.graph();
  CHECK(partly_priced(graph) == (stated.empty() ? 1 : 0));
  CHECK(total_of(graph).cost == (stated == "0.03" ? 30'000'000 : 7'500'000));
  CHECK(graph.activities().ledger.disagreements.empty());
}

TEST_CASE("money below the part of a cost that is known contradicts it") {
  HopStory story;
  spends(story.span("a", "garden", "", 0, 1000), "invoke_agent", 1000, 100, "0.004");
  spends(story.span("b", "garden", "a", 10, 100), "chat", 1000, 100);
  story.tag("gen_ai.response.model", "claude-opus-4-8")
      .tag("xtrace.server_tools.code_execution", "3");
  const Graph graph = story.graph();
  CHECK(total_of(graph).cost == 4'000'000);
  CHECK(graph.activities().ledger.disagreements.size() == 1);
}

TEST_CASE("a total that states the output of a call which states only input makes its cost whole") {
  HopStory story;
  spends(story.span("a", "garden", "", 0, 1000), "invoke_agent", 1000, 100);
  story.tag("gen_ai.response.model", "gpt-4o");
  story.span("b", "garden", "a", 10, 100)
      .tag("gen_ai.operation.name", "chat")
      .tag("gen_ai.response.model", "gpt-4o")
      .tag("gen_ai.usage.input_tokens", "1000");
  const Graph graph = story.graph();
  CHECK(partly_priced(graph) == 0);
  CHECK(total_of(graph).cost == 3'500'000);
}

TEST_CASE("of a total that counts no cache, calls that do are compared with both sums") {
  HopStory story;
  const int stated = GENERATE(100, 1000);
  spends(story.span("a", "garden", "", 0, 1000), "invoke_agent", stated, 10);
  spends(story.span("b", "garden", "a", 10, 100), "chat", 1000, 10);
  story.tag("gen_ai.usage.cache_read.input_tokens", "900");
  CHECK(rows_of(story.graph()).empty());
}

TEST_CASE("statements on any level add up to what is stated, each once") {
  constexpr uint64_t kWorlds = effort(2000, 200);
  for (uint64_t seed = 1; seed <= kWorlds; ++seed) {
    const UsageWorld world(seed, 1 + seed % 200);
    const UsageTotal all = total_of(world.story.graph());
    INFO("seed " << seed);
    REQUIRE(at_least_none(all.tokens.input) == world.input);
    REQUIRE(at_least_none(all.tokens.output) == world.output);
    REQUIRE(all.cost == world.cost);
    REQUIRE(all.calls == world.calls);
  }
}

TEST_CASE("a call that two libraries recorded next to each other counts once, by the answer's id") {
  const auto total = [](const char* other_id, int start) {
    HopStory story;
    story.span("a", "garden", "", 0, 1000);
    spends(story.span("b", "garden", "a", 10, 100), "chat", 100, 10)
        .tag("gen_ai.response.id", "answer-1");
    spends(story.span("c", "garden", "a", start, 100), "chat", 100, 10)
        .tag("gen_ai.response.id", other_id);
    return total_of(story.graph()).tokens.input;
  };
  CHECK(total("answer-1", 12) == 100);
  CHECK(total("answer-2", 12) == 200);
  CHECK(total("answer-1", 500) == 200);  // the id of a cache's answer, which is given again
}
