#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "link/waste/found_waste.h"
#include "link/waste/wasteful_log.h"

using namespace xtrace;

namespace {

int64_t paid_for_all(const Graph& graph) {
  int64_t paid = 0;
  for (CallId id : graph.timeline().in_order()) paid += graph.activities().of(id).cost;
  return paid;
}

const Waste& only(WasteKind kind, const std::vector<Waste>& found) {
  const auto is_it = [&](const Waste& one) { return one.kind == kind; };
  REQUIRE(std::count_if(found.begin(), found.end(), is_it) == 1);
  return *std::find_if(found.begin(), found.end(), is_it);
}

/// In billionths of a dollar, of the model of WastefulLog: $3 for a million of input.
constexpr int64_t kRead = 300, kWritten = 3750;

}  // namespace

TEST_CASE("what is found costs what had not been needed, and nothing counts twice") {
  WastefulLog log;
  log.user("do it").reads("src/first.cpp");
  for (int times = 0; times < 5; ++times) log.runs("make", "as before");
  log.reads("src/last.cpp").says("that is all");
  find_waste_in(log.text(), [&](const Graph& graph, const std::vector<Waste>& found) {
    REQUIRE(found.size() == 1);
    int64_t calls = 0;
    for (const WasteEvidence& one : found[0].evidence)
      calls += graph.activities().of(one.call).cost;
    calls -= graph.activities().of(found[0].at()).cost;
    CHECK(found[0].cost >= calls);
    CHECK(found[0].cost < paid_for_all(graph));
    CHECK(sum_of(found).cost == found[0].cost);
    CHECK(sum_of(found).time == found[0].time);
    CHECK(found[0].evidence.size() == 5);
  });
}

TEST_CASE("a result that a lost cache had held costs there what it would have cost if read") {
  WastefulLog log;
  log.user("do it").reads("a.txt", many_words("unheard", 3000));
  for (int i = 0; i < 5; ++i) log.says("so far").user("more").waits(400).loses_cache();
  log.says("done").user("and?").says("nothing");
  find_waste_in(log.text(), [](const Graph& graph, const std::vector<Waste>& found) {
    const Waste& unused = only(WasteKind::unused_result, found);
    const Waste& rebuilt = only(WasteKind::cache_rebuild, found);
    CHECK(rebuilt.times == 5);
    // Written once, read six times; what was sent anew is told of the cache.
    const int64_t tokens = unused.tokens / 2;
    CHECK(unused.cost == Approx(tokens * (kWritten + 6 * kRead)).epsilon(0.01));
    CHECK(sum_of(found).cost <= paid_for_all(graph));
  });
}

TEST_CASE("what calls in vain were sent counts with them alone") {
  WastefulLog log;
  log.user("do it").reads("a.txt", many_words("unheard", 3000));
  for (int i = 0; i < 12; ++i) log.runs("grep -n foo src", "src/a.c:1: foo");
  log.says("done").user("and?").says("nothing");
  find_waste_in(log.text(), [](const Graph& graph, const std::vector<Waste>& found) {
    CHECK(only(WasteKind::loop, found).times == 11);
    const Waste& unused = only(WasteKind::unused_result, found);
    // The first round writes it, the last two calls are sent it again.
    const int64_t tokens = unused.tokens / 3;
    CHECK(unused.cost == Approx(tokens * (kWritten + 2 * kRead)).epsilon(0.01));
    CHECK(sum_of(found).cost <= paid_for_all(graph));
  });
}

TEST_CASE("tools that nobody used cost in a rebuilt cache what they would have cost if read") {
  std::string tools;
  for (int i = 0; i < 20; ++i)
    tools += fmt::format(R"({}{{"name":"tool{}","description":"{}","input_schema":{{}}}})",
                         i > 0 ? "," : "", i, many_words("word", 120));
  WastefulLog log;
  log.begins_with(20000).offers("[" + tools + "]").user("do it");
  for (int i = 0; i < 6; ++i) log.runs(fmt::format("cat {}.txt", i)).waits(400).loses_cache();
  find_waste_in(log.says("done").text(), [](const Graph& graph, const std::vector<Waste>& found) {
    const Waste& unused = only(WasteKind::unused_tools, found);
    CHECK(only(WasteKind::cache_rebuild, found).times == 6);
    CHECK(unused.times == 7);
    CHECK(unused.cost == Approx(unused.tokens * (kWritten + 6 * kRead)).epsilon(0.01));
    CHECK(sum_of(found).cost <= paid_for_all(graph));
  });
}

TEST_CASE("time that passes for several things at once could have been saved once") {
  std::vector<WastefulLog::Use> together;
  for (int i = 0; i < 6; ++i)
    together.push_back({"Bash", fmt::format(R"({{"command":"du -sh part{}"}})", i), "4k"});
  WastefulLog log;
  log.user("do it").uses(together).waits(60).uses(together).waits(58).says("done");
  find_waste_in(log.text(), [](const Graph&, const std::vector<Waste>& found) {
    REQUIRE(found.size() == 6);
    for (const Waste& one : found) CHECK(one.time >= std::chrono::seconds(58));
    CHECK(sum_of(found).time < std::chrono::seconds(70));
  });
}
