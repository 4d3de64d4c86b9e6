#include "live/shown_graph.h"

#include <catch2/catch.hpp>

#include "live/update_line.h"

using namespace xtrace;

namespace {

/// `told` in the words of one line.
std::string told(const GraphChange& change) {
  return update_line("s", change, {});
}

GraphRows graph(std::vector<std::string> nodes, std::vector<Ends> edges,
                const std::string& row = "{}") {
  GraphRows rows;
  for (std::string& id : nodes) rows.nodes.push_back({std::move(id), row, kNoTime});
  for (Ends& ends : edges) rows.edges.push_back({std::move(ends), "{}"});
  return rows;
}

}  // namespace

TEST_CASE("an update says what goes before what comes") {
  ShownGraph shown;
  shown.become(graph({"a", "b"}, {{"a", "b"}}));
  CHECK(
      told(shown.become(graph({"b"}, {}))) ==
      R"({"subscriptionId": "s", "removedEdgeIds": [{"from": "a", "to": "b"}], )"
      R"("removedNodeIds": ["a"], "addedNodes": [], "addedEdges": [], "timestamp": "1970-01-01T00:00:00Z"})"
      "\n");
}

TEST_CASE("nothing new is no change") {
  ShownGraph shown;
  shown.become(graph({"a", "b"}, {{"a", "b"}}));
  CHECK_FALSE(shown.become(graph({"a", "b"}, {{"a", "b"}})).any());
}

TEST_CASE("a node that changes takes its edges out and in again") {
  ShownGraph shown;
  shown.become(graph({"a", "b", "c"}, {{"a", "b"}, {"b", "c"}, {"a", "c"}}));
  GraphDelta delta;
  delta.nodes.push_back({"b", "{\"new\": 1}", kNoTime});
  GraphChange change = shown.apply(delta);
  CHECK(change.removed_nodes == std::vector<std::string>{"b"});
  CHECK(change.added_nodes.size() == 1);
  CHECK(change.removed_edges == std::vector<Ends>{{"a", "b"}, {"b", "c"}});
  CHECK(change.added_edges.size() == 2);
  CHECK(shown.edges() == 3);
}

TEST_CASE("a node that goes from one part and comes with another stays") {
  ShownGraph shown;
  shown.become(graph({"a", "b"}, {{"a", "b"}}));
  GraphDelta delta;
  delta.gone = {"a"};
  delta.nodes.push_back({"a", "{}", kNoTime});
  CHECK_FALSE(shown.apply(delta).any());
}

TEST_CASE("of summaries, members come and go") {
  ShownGraph shown;
  GraphRows rows;
  rows.summaries.push_back({"s", {"a", "b"}});
  shown.become(rows);
  rows.summaries.front().members = {"b", "c"};
  GraphChange change = shown.become(rows);
  REQUIRE(change.summaries.size() == 1);
  CHECK(change.summaries.front().added == std::vector<std::string>{"c"});
  CHECK(change.summaries.front().removed == std::vector<std::string>{"a"});
  CHECK(shown.become({}).summaries.front().removed == std::vector<std::string>{"b", "c"});
}

TEST_CASE("the newest nodes come last") {
  ShownGraph shown;
  GraphRows rows;
  for (int i = 0; i < 5; ++i)
    rows.nodes.push_back({std::string(1, static_cast<char>('e' - i)), "{}", Time(Duration(i))});
  shown.become(rows);
  std::vector<GraphRows::Node> newest = shown.newest(2);
  REQUIRE(newest.size() == 2);
  CHECK(newest[0].id == "b");
  CHECK(newest[1].id == "a");
}
