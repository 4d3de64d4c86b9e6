#include "following.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>

#include "cli/command.h"
#include "reading.h"
#include "render/json_cells.h"
#include "run/answer.h"
#include "run/load_runs.h"

namespace xtrace {

Request following(const std::string& path, const std::vector<std::string>& more) {
  std::vector<std::string> words = {"follow", path, "-q", "-j1"};
  words.insert(words.end(), more.begin(), more.end());
  Result<Command> command = read_command_line(std::move(words));
  REQUIRE(command);
  return std::get<Request>(std::move(*command));
}

Graphed graphed(const GraphRows& rows) {
  Graphed graph;
  for (const GraphRows::Node& node : rows.nodes) graph.nodes[node.id] = node.row;
  for (const GraphRows::Edge& edge : rows.edges) graph.edges[edge.ends] = edge.row;
  for (const GraphRows::Summary& summary : rows.summaries)
    graph.summaries[summary.id] = {summary.members.begin(), summary.members.end()};
  return graph;
}

void Client::apply(const GraphChange& change) {
  for (const Ends& ends : change.removed_edges) CHECK(graph_.edges.erase(ends) == 1);
  for (const std::string& id : change.removed_nodes) {
    CHECK(graph_.nodes.erase(id) == 1);
    for (const auto& [ends, row] : graph_.edges) {
      CHECK(ends.first != id);
      CHECK(ends.second != id);
    }
  }
  for (const GraphRows::Node& node : change.added_nodes)
    CHECK(graph_.nodes.emplace(node.id, node.row).second);
  for (const GraphRows::Edge& edge : change.added_edges) {
    CHECK(graph_.edges.emplace(edge.ends, edge.row).second);
    CHECK(graph_.nodes.contains(edge.ends.first));
    CHECK(graph_.nodes.contains(edge.ends.second));
  }
  for (const GraphChange::Regrouped& summary : change.summaries) {
    std::set<std::string>& members = graph_.summaries[summary.id];
    for (const std::string& id : summary.added) CHECK(!members.contains(id));
    for (const std::string& id : summary.removed) CHECK(members.contains(id));
  }
  regroup(change);
}

void Client::apply_again(const GraphChange& change, bool drops_edges) {
  for (const Ends& ends : change.removed_edges) graph_.edges.erase(ends);
  for (const std::string& id : change.removed_nodes) {
    graph_.nodes.erase(id);
    if (drops_edges)
      std::erase_if(graph_.edges, [&](const auto& edge) {
        return edge.first.first == id || edge.first.second == id;
      });
  }
  for (const GraphRows::Node& node : change.added_nodes) graph_.nodes[node.id] = node.row;
  for (const GraphRows::Edge& edge : change.added_edges) graph_.edges[edge.ends] = edge.row;
  regroup(change);
}

void Client::regroup(const GraphChange& change) {
  for (const GraphChange::Regrouped& summary : change.summaries) {
    std::set<std::string>& members = graph_.summaries[summary.id];
    members.insert(summary.added.begin(), summary.added.end());
    for (const std::string& id : summary.removed) members.erase(id);
    if (members.empty()) graph_.summaries.erase(summary.id);
  }
}

Graphed whole(const Request& request) {
  Result<std::vector<Trace>> traces = load_runs(request);
  if (!traces) return {};  // nothing usable in it
  const LinkedRuns runs = link_runs(*std::move(traces), request.linking);
  Result<std::unique_ptr<Door>> door = open_door(request, runs);
  REQUIRE(door);
  Result<Document> document = answer(request, runs, **door);
  REQUIRE(document);
  return graphed(rows_of(*document, append_json_row));
}

std::vector<std::string> lines_of(const std::string& fixture) {
  std::vector<std::string> lines;
  std::string text;
  if (fixture == "story")
    for (const char* log : {"events", "spans", "thoughts"})
      text += project_file("fixtures/story/" + std::string(log) + ".jsonl");
  else
    text = project_file("fixtures/" + fixture);
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at) + '\n');
    at = end + 1;
  }
  return lines;
}

std::vector<Arrival> arrivals(Growth growth, Records& records, const Generations& generations) {
  std::sort(growth.records.begin(), growth.records.end(),
            [&](const RecordAt& a, const RecordAt& b) { return generations.before(a, b); });
  Result<SomeRecords> some = records.read(growth.records, generations);
  REQUIRE(some);
  std::vector<RecordIds> ids = ids_of(*some, growth.records);
  std::vector<Arrival> arrivals;
  arrivals.reserve(ids.size());
  for (size_t i = 0; i < ids.size(); ++i)
    arrivals.push_back({growth.records[i], std::move(ids[i])});
  return arrivals;
}

Fed::Fed(const std::string& path, const std::vector<std::string>& words)
    : path_(path),
      request_(following(path, words)),
      growing_({path}),
      records_(request_.loading),
      graph_(request_, request_.view->follow_options()->story, append_json_row,
             growing_.generations()) {}

void Fed::write(std::string_view bytes) {
  std::ofstream(path_, std::ios::binary | std::ios::app) << bytes;
  Growth growth;
  REQUIRE(growing_.read(growth));
  take(growth);
}

void Fed::end() {
  Growth growth;
  REQUIRE(growing_.end(growth));
  take(growth);
}

void Fed::expand(std::vector<std::string> summaries) {
  StoryOptions story = graph_.story();
  story.expand = std::move(summaries);
  follow(graph_.choose(std::move(story)));
}

void Fed::take(const Growth& growth) {
  for (uint32_t generation : growth.over) graph_.take_out(generation);
  for (const Arrival& arrival : arrivals(growth, records_, growing_.generations()))
    graph_.add(arrival.record, arrival.ids);
  if (!growth.over.empty()) reread();
  follow(graph_.update());
}

void Fed::follow(const Result<GraphChange>& change) {
  REQUIRE(change);
  client_.apply(*change);
}

}  // namespace xtrace
