#include "link/activities/bill.h"

#include <catch2/catch.hpp>

#include "ledger_log.h"
#include "link/activities/cache_rebuild.h"
#include "link/activities/call_sizes.h"
#include "link/activities/carried.h"
#include "link/activities/prompt_cost.h"
#include "reread.h"

using namespace xtrace;

namespace {

/// "model_switch 1200 tokens, 4140000 more", a line each.
std::string rebuilds(const Graph& graph, const Payloads* payloads = nullptr) {
  std::string text;
  for (const CacheRebuild& one : find_cache_rebuilds(graph, payloads))
    text += fmt::format("{}{} {} tokens, {} more", text.empty() ? "" : "\n", word(one.cause),
                        one.tokens(), one.cost);
  return text;
}

/// Two calls, the second of which reads and writes so much of a cache that holds 2,000 tokens.
LedgerLog two_calls(int pause, int64_t read, int64_t written) {
  LedgerLog log;
  log.user("go").call("a", 0, 1, {10, 10, 0, 2000});
  return log.user("on").call("b", pause, pause + 1, {10, 10, read, written});
}

}  // namespace

TEST_CASE("what was paid for adds up to the cost of a call, to the billionth of a dollar") {
  LedgerLog log;
  log.user("go").call("a", 0, 1, {101, 13, 1003, 207});
  const Graph graph = log.graph();
  const Activity& call = activity(graph, "a");
  const Paid paid = Bill(graph).of(call);
  CHECK(paid[PaidKind::input] == 101 * 3000);
  CHECK(paid[PaidKind::output] == 13 * 15000);
  CHECK(paid[PaidKind::cache_read] == 1003 * 300);
  CHECK(paid[PaidKind::cache_write] == 207 * 3750);
  CHECK(paid.unsplit == 0);
  CHECK(paid.total() == call.cost);
  CHECK(paid.most() == PaidKind::cache_write);
}

TEST_CASE("of a model without a price nothing is paid for, and nothing is said to be") {
  LedgerLog log;
  log.model("model-of-nobody").user("go").call("a", 0, 1, {100, 10, 0, 0});
  const Graph graph = log.graph();
  CHECK(Bill(graph).of(activity(graph, "a")).total() == 0);
  CHECK(activity(graph, "a").cost == kNoCount);
}

TEST_CASE("a cache is rebuilt where what it held is written anew") {
  CHECK(rebuilds(two_calls(10, 2000, 100).graph()) == "");
  CHECK(rebuilds(two_calls(10, 0, 2000).graph()) == "unknown 2000 tokens, 6900000 more");
  // Written behind what was read is no rebuild, nor is less than a provider caches at all.
  CHECK(rebuilds(two_calls(10, 2000, 5000).graph()) == "");
  CHECK(rebuilds(two_calls(10, 1000, 1000).graph()) == "");
}

TEST_CASE("a little less found of a large cache is no rebuild") {
  LedgerLog log;
  log.user("go").call("a", 0, 1, {10, 10, 0, 40000});
  log.user("on").call("b", 10, 11, {10, 10, 37000, 3000});
  CHECK(rebuilds(log.graph()) == "");
  log.user("on").call("c", 20, 21, {10, 10, 30000, 12000});
  CHECK(rebuilds(log.graph()) == "unknown 10000 tokens, 34500000 more");
}

TEST_CASE("a pause beyond the cache's life rebuilds it, and so does another model") {
  CHECK(rebuilds(two_calls(299, 0, 2000).graph()) == "unknown 2000 tokens, 6900000 more");
  CHECK(rebuilds(two_calls(301, 0, 2000).graph()) == "pause 2000 tokens, 6900000 more");
  LedgerLog log;
  log.user("go").call("a", 0, 1, {10, 10, 0, 2000});
  log.model("claude-opus-4-5").user("on").call("b", 400, 401, {10, 10, 0, 2000});
  const Graph graph = log.graph();
  const std::vector<CacheRebuild> found = find_cache_rebuilds(graph, nullptr);
  REQUIRE(found.size() == 1);
  CHECK(found[0].cause == RebuildCause::model_switch);
  CHECK(found[0].causes == std::vector{RebuildCause::model_switch, RebuildCause::pause});
}

TEST_CASE("tools offered otherwise rebuild the cache, as they stand before all that is said") {
  constexpr std::string_view kRead = R"({"name":"Read","description":"reads"})";
  constexpr std::string_view kEdit = R"({"name":"Edit"})";
  constexpr std::string_view kOtherRead = R"({"name":"Read","description":"reads a file"})";
  auto with = [](std::string first, std::string then) {
    LedgerLog log;
    log.tools(std::move(first)).user("go").call("a", 0, 1, {10, 10, 0, 2000});
    log.tools(std::move(then)).user("on").call("b", 10, 11, {10, 10, 0, 2000});
    const Folder folder;
    const Graph graph = log.graph(folder);
    const Reread payloads(graph.trace());
    return rebuilds(graph, &payloads);
  };
  const std::string changed = "changed_tools 2000 tokens, 6900000 more";
  const std::string unknown = "unknown 2000 tokens, 6900000 more";
  CHECK(with(fmt::format("{},{}", kRead, kEdit), fmt::format("{},{}", kRead, kEdit)) == unknown);
  CHECK(with(std::string(kRead), fmt::format("{},{}", kRead, kEdit)) == changed);
  CHECK(with(fmt::format("{},{}", kRead, kEdit), fmt::format("{},{}", kEdit, kRead)) == changed);
  CHECK(with(std::string(kRead), std::string(kOtherRead)) == changed);
}

TEST_CASE("a tool's result brings in what the next call sent more, and is paid for again later") {
  LedgerLog log;
  log.user("go").call("a", 0, 1, {1000, 20, 0, 0}, "t1");
  log.result("t1").call("b", 2, 3, {1520, 20, 0, 0}, "t2");
  log.result("t2").call("c", 4, 5, {600, 20, 1000, 0});
  const Graph graph = log.graph();
  CallSizeMeter nothing(graph.trace(), nullptr);
  const std::vector<CarriedResult> carried = find_carried(graph, nothing);
  REQUIRE(carried.size() == 2);
  CHECK(carried[0].tokens == 1520 - 1000 - 20);
  CHECK(carried[0].again == 1);
  CHECK(carried[0].first_cost == 500 * 3000);
  CHECK_FALSE(carried[0].is_estimated);
  CHECK(carried[1].tokens == 1600 - 1520 - 20);
  CHECK(carried[1].again == 0);
  CHECK(carried[1].again_cost == 0);
}

TEST_CASE("what a filter hides is paid for by nobody") {
  LedgerLog log;
  log.user("go").call("a", 0, 1, {1000, 20, 0, 0}, "t1");
  log.result("t1").call("b", 2, 3, {1520, 20, 0, 0}).user("on").call("c", 4, 5, {600, 20, 1000, 0});
  const Graph graph = log.graph();
  CallSizeMeter nothing(graph.trace(), nullptr);
  const CallId last = graph.timeline().in_order().back();
  const ShownCalls shown{[&](CallId id) { return id != last; }, {}};
  const std::vector<CarriedResult> carried = find_carried(graph, nothing, shown);
  REQUIRE(carried.size() == 1);
  CHECK(carried[0].again == 0);
  CHECK(carried[0].again_cost == 0);
}

TEST_CASE("what a cache keeps for an hour stands before what it keeps for five minutes") {
  Tokens tokens{.input = 10, .cache_read = 100, .cache_creation = 50};
  tokens.cache_creation_1h = 20;
  const Price price{.input = 3000,
                    .output = 15000,
                    .cache_read = 300,
                    .cache_creation = 3750,
                    .cache_creation_1h = 6000};
  CHECK(prompt_cost({0, 100}, tokens, price) == 100 * 300 / 1000);
  CHECK(prompt_cost({100, 120}, tokens, price) == 20 * 6000 / 1000);
  CHECK(prompt_cost({110, 130}, tokens, price) == (10 * 6000 + 10 * 3750 + 500) / 1000);
  CHECK(prompt_cost({140, 152}, tokens, price) == (10 * 3750 + 2 * 3000 + 500) / 1000);
}
