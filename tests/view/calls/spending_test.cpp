#include "view/calls/spending.h"

#include <catch2/catch.hpp>

#include "prices/call_costs.h"
#include "reading.h"
#include "story.h"
#include "transcript.h"

using namespace xtrace;

namespace {

constexpr int64_t kDollar = 1'000'000'000;

/// What the calls of a story cost, a dollar a token; those of a model without a price say so.
class Paid {
 public:
  explicit Paid(CallStory& story) : graph_(story.prices(dollar_a_token()).graph()) {
    selection_.calls.assign(graph_.trace().calls.size(), true);
    for (uint32_t i = 0; i < graph_.links().size(); ++i) selection_.links.push_back(i);
    spending_ = Spending(graph_, selection_);
  }
  static const PriceTable& dollar_a_token() {
    static const PriceTable kTable = [] {
      PriceTable table;
      constexpr int64_t kDollarEach = 1'000'000'000'000;
      table.set(
          {"priced", "", {kDollarEach, kDollarEach, kNoCount, kNoCount, kNoCount}, kNoCount, {}});
      return table;
    }();
    return kTable;
  }
  /// In dollars; `4 + 1 unknown`
  static std::string words(const Usage& usage) {
    std::string text = usage.cost < 0 ? "none" : std::to_string(usage.cost / kDollar);
    return usage.unpriced == 0 ? text : text + " + " + std::to_string(usage.unpriced) + " unknown";
  }
  std::string own(std::string_view name) const { return words(spending_.own(find(name))); }
  std::string all(std::string_view name) const { return words(spending_.in_all(find(name))); }
  std::string all(std::initializer_list<std::string_view> names) const {
    std::vector<CallId> calls;
    for (std::string_view name : names) calls.push_back(find(name));
    return words(spending_.in_all(calls));
  }
  std::string total() const { return words(spending_.total()); }
  std::string type(std::string_view agent) const {
    std::map<std::string_view, Usage> sums =
        spending_.in_all_by([&](CallId id) { return std::string_view(graph_.agent_of(id).type); });
    return words(sums[agent]);
  }
  const Spending* operator->() const { return &spending_; }
  const Usage& in_all(std::string_view name) const { return spending_.in_all(find(name)); }

 private:
  CallId find(std::string_view name) const {
    for (CallId id : graph_.timeline().in_order())
      if (graph_.trace()[graph_.timeline()[id].id] == name) return id;
    throw std::invalid_argument(std::string(name));
  }
  const Graph& graph_;
  Selection selection_;
  Spending spending_;
};

Told& call(CallStory& story, const std::string& name, int64_t cost) {
  return story.call(name).model("priced").tokens(cost, 0);
}

}  // namespace

TEST_CASE("a call costs what it spawned as well, through all generations, each call once") {
  CallStory story;
  call(story, "p", 1).at(0).spawns("t1", "Explore", "look").spawns("t2", "Plan", "think");
  call(story, "a1", 10).at(2).says("look").spawns("t3", "Deep", "dig");
  call(story, "b", 20).at(2.5).says("think");
  call(story, "d", 100).at(4).says("dig");
  call(story, "a2", 40).at(6).after("a1").reads("t3");
  call(story, "p2", 2).at(9).after("p").reads("t1").reads("t2");
  Paid paid(story);
  CHECK(paid.own("p") == "1");
  CHECK(paid.all("p") == "171");
  CHECK(paid.all("a1") == "110");
  CHECK(paid.all("a2") == "40");
  CHECK(paid.all("p2") == "2");
  CHECK(paid.all({"p", "p2"}) == "173");
  CHECK(paid.all({"p", "a1", "d"}) == "171");  // what one of them spawned is not added again
  CHECK(paid.total() == "173");
  CHECK(paid.in_all("p").tokens.input == 171);
  CHECK(paid.type("Explore") == "150");
  CHECK(paid.type("Deep") == "100");
  CHECK(paid.type("main") == "173");
}

TEST_CASE("an agent that starts more of its own type is counted once") {
  CallStory story;
  call(story, "p", 1).at(0).spawns("t1", "Explore", "one");
  call(story, "a", 10).at(2).says("one").spawns("t2", "Explore", "two");
  call(story, "b", 100).at(4).says("two");
  Paid paid(story);
  CHECK(paid.type("Explore") == "110");
  CHECK(paid.all("p") == "111");
}

TEST_CASE("what a resumed agent does is its resumer's, not the first one's again") {
  CallStory story;
  call(story, "p", 1).at(0).spawns("t1", "Explore", "look");
  call(story, "a", 10).at(2).says("look").answers("found");
  call(story, "p2", 2)
      .at(5)
      .after("p")
      .reads("t1", "done. agentId: ab12cd")
      .resumes("t2", "ab12cd", "Explore", "look again");
  call(story, "a2", 20).at(7).after("a").says("look again");
  Paid paid(story);
  REQUIRE(story.link_into("a2", LinkKind::subagent_spawn).resumed);
  CHECK(paid.all("p") == "11");
  CHECK(paid.all("p2") == "22");
  CHECK(paid.all({"p", "p2"}) == "33");
}

TEST_CASE("a sum says how many calls it lacks") {
  CallStory story;
  call(story, "p", 1).at(0).spawns("t1", "Explore", "look");
  story.call("a").at(2).model("claude-test-1").says("look");
  Paid paid(story);
  CHECK(paid.own("a") == "none + 1 unknown");
  CHECK(paid.all("p") == "1 + 1 unknown");
  CHECK(paid.total() == "1 + 1 unknown");
  REQUIRE(paid->sources().unpriced_models.size() == 1);
  CHECK(paid->sources().unpriced_models.front() == "claude-test-1");
}

TEST_CASE("a call that failed and names no tokens costs nothing; one without an answer may") {
  CallStory story;
  story.call("a").model("priced").fails("overloaded_error");
  CHECK(Paid(story).own("a") == "none");
  CallStory other;
  other.call("b").model("priced").gets_no_answer();
  CHECK(Paid(other).own("b") == "none + 1 unknown");
}

TEST_CASE("what the log says a call cost stands before any price") {
  CallStory story;
  story.call("a").model("gpt-4").tokens(1000, 0);
  const Trace& trace = story.graph().trace();
  Call call = trace.calls.front();
  CallCosts costs(trace, list_prices());
  CHECK(costs.of(call).cost == 30'000'000);
  call.cost = 0;
  CHECK(costs.of(call).cost == 0);
  CHECK_FALSE(costs.of(call).is_partial);
}

TEST_CASE("a sum says which of what it lacks are agents whose calls are not in the input") {
  Transcript session;
  session.user("u1", "go").answer("a1", "m1", spawns("t1", "Explore", "look"));
  session.result("r1", "t1", R"("toolUseResult":{"agentId":"abc","totalTokens":5})");
  session.answer("a2", "m2", says("done"));
  const Graph graph = link(read_log(session.text()), {});
  Selection all;
  all.calls.assign(graph.trace().calls.size(), true);
  const Spending spending(graph, all);
  CHECK(spending.total().unrecorded == 1);
  CHECK(spending.total().unpriced >= 1);
  for (size_t i = 0; i < graph.trace().calls.size(); ++i)
    CHECK(spending.own(CallId(i)).unrecorded ==
          (graph.trace()[CallId(i)].outcome == Outcome::unrecorded ? 1 : 0));
}
