#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reading.h"
#include "render/renderer.h"
#include "view/common/view.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

/// Nodes and edges of the graph of a log, without where its records stand.
Json json_graph_of(const std::string& log) {
  Graph graph = link(read_log(log), {});
  Door door(Redaction::all, Door::Level::basic, 200);
  Result<Document> document = find_view("dag")->make()->answer({graph, door, Face::tables});
  std::ostringstream out;
  write_json(document.value(), Paper{}, out);
  Json answer = Json::parse(out.str());
  for (Json& node : answer["nodes"])
    for (const char* key : {"at", "observed_at"}) node.erase(key);
  for (Json& edge : answer["edges"]) edge["evidence"].erase("at");
  return {{"nodes", answer["nodes"]}, {"edges", answer["edges"]}, {"metrics", answer["metrics"]}};
}

}  // namespace

TEST_CASE("a trace is the same graph as OTLP and as Jaeger exports it") {
  Json otlp = json_graph_of(project_file("fixtures/tickets-otlp.json"));
  REQUIRE(otlp["nodes"].size() == 6);
  REQUIRE(otlp["edges"].size() == 5);
  CHECK(otlp == json_graph_of(project_file("fixtures/tickets-jaeger.json")));
}

TEST_CASE("spans of OTLP in another order, by lines or shuffled, are the same graph") {
  std::string log = project_file("fixtures/agents.jsonl");
  std::vector<std::string> lines;
  std::istringstream in(log);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  Json expected = json_graph_of(log);
  REQUIRE(expected["nodes"].size() == 10);
  std::string backwards;
  for (size_t i = lines.size(); i-- > 0;) backwards += lines[i] + "\n";
  CHECK(json_graph_of(backwards) == expected);
}
