#include "live/live_graph.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "cli/command.h"
#include "input/growing/growing.h"
#include "reading.h"
#include "render/json_cells.h"
#include "run/answer.h"
#include "run/load_runs.h"

using namespace xtrace;

namespace {

Request request_for(const std::string& path) {
  const char* words[] = {"xtrace", "follow", path.c_str(), "-q", "-j1"};
  Result<Command> command = read_command_line(5, words);
  REQUIRE(command);
  return std::get<Request>(std::move(*command));
}

/// A graph by its ids.
struct Graphed {
  std::map<std::string, std::string> nodes;
  std::map<Ends, std::string> edges;
  std::map<std::string, std::set<std::string>> summaries;
  bool operator==(const Graphed&) const = default;
};

Graphed graphed(const GraphRows& rows) {
  Graphed graph;
  for (const GraphRows::Node& node : rows.nodes) graph.nodes[node.id] = node.row;
  for (const GraphRows::Edge& edge : rows.edges) graph.edges[edge.ends] = edge.row;
  for (const GraphRows::Summary& summary : rows.summaries)
    graph.summaries[summary.id] = {summary.members.begin(), summary.members.end()};
  return graph;
}

/// Whoever reads the updates and believes them. Strict: nothing goes that is not there, nothing
/// comes that is there already, and the edges of a node go before it.
class Client {
 public:
  void apply(const GraphChange& change) {
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
      for (const std::string& id : summary.added) CHECK(members.insert(id).second);
      for (const std::string& id : summary.removed) CHECK(members.erase(id) == 1);
      if (members.empty()) graph_.summaries.erase(summary.id);
    }
  }
  const Graphed& graph() const { return graph_; }

 private:
  Graphed graph_;
};

/// What the view says of the file as it is, without following anything.
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

/// A file that is followed as it grows.
class Fed {
 public:
  explicit Fed(const std::string& path)
      : path_(path),
        request_(request_for(path)),
        growing_({path}),
        records_(request_.loading),
        graph_(request_, {}, append_json_row, growing_.generations()) {}

  void write(std::string_view bytes) {
    std::ofstream(path_, std::ios::binary | std::ios::app) << bytes;
    look([&](Growth& growth) { return growing_.read(growth); });
    follow(graph_.update());
  }
  void end() {
    look([&](Growth& growth) { return growing_.end(growth); });
    follow(graph_.update());
  }
  void reread() { follow(graph_.reread()); }
  const Graphed& shown() const { return client_.graph(); }
  const Request& request() const { return request_; }
  size_t parts() const { return graph_.parts(); }

 private:
  template <class Look>
  void look(Look look) {
    Growth growth;
    REQUIRE(look(growth));
    for (uint32_t generation : growth.over) graph_.take_out(generation);
    std::sort(
        growth.records.begin(), growth.records.end(),
        [&](const RecordAt& a, const RecordAt& b) { return growing_.generations().before(a, b); });
    Result<SomeRecords> some = records_.read(growth.records, growing_.generations());
    REQUIRE(some);
    std::vector<RecordIds> ids = ids_of(*some, growth.records);
    for (size_t i = 0; i < ids.size(); ++i) graph_.add(growth.records[i], ids[i]);
    if (!growth.over.empty()) reread();
  }
  void follow(const Result<GraphChange>& change) {
    REQUIRE(change);
    client_.apply(*change);
  }

  std::string path_;
  Request request_;
  GrowingInputs growing_;
  Records records_;
  LiveGraph graph_;
  Client client_;
};

/// Of a fixture; `story` are its three logs in one.
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

/// A span in OTLP, a line each.
std::string span(int trace, int id, int parent) {
  return R"({"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":)"
         R"({"stringValue":"coder"}}]},"scopeSpans":[{"spans":[{"traceId":"0000000000000000000000000000000)" +
         std::to_string(trace) + R"(","spanId":"000000000000000)" + std::to_string(id) +
         (parent > 0 ? R"(","parentSpanId":"000000000000000)" + std::to_string(parent) : "") +
         R"(","name":"step","startTimeUnixNano":"17000000000000)" + std::to_string(trace) +
         std::to_string(id) + R"(0000","endTimeUnixNano":"1700000001000000000"}]}]}]})" + '\n';
}

}  // namespace

TEST_CASE("whatever comes in whatever order and pieces, updates add up to what the whole says") {
  std::string fixture = GENERATE(as<std::string>{}, "agents.jsonl", "costs.jsonl", "damaged.jsonl",
                                 "guess.jsonl", "handed.jsonl", "hostile.jsonl", "openai.jsonl",
                                 "pi.jsonl", "sessions.jsonl", "steps.jsonl", "trip.jsonl",
                                 "twins.jsonl", "codex-main.jsonl", "streamed.jsonl", "story");
  unsigned seed = GENERATE(1u, 2u, 3u);
  CAPTURE(fixture, seed);
  std::mt19937 random(seed);
  std::vector<std::string> lines = lines_of(fixture);
  std::vector<std::string> again(lines.begin(),
                                 lines.begin() + static_cast<std::ptrdiff_t>(lines.size() / 3));
  lines.insert(lines.end(), again.begin(), again.end());  // records that are written twice
  if (seed > 1) std::shuffle(lines.begin(), lines.end(), random);
  std::string log;
  for (const std::string& line : lines) log += line;
  Folder folder;
  Fed fed(folder.path() + "/log.jsonl");
  for (size_t at = 0; at < log.size();) {
    size_t count =
        std::min<size_t>(1 + random() % (2 * log.size() / lines.size()), log.size() - at);
    fed.write(std::string_view(log).substr(at, count));
    at += count;
    if (random() % 8 == 0) fed.reread();
  }
  fed.end();
  fed.reread();
  CHECK(fed.shown() == whole(fed.request()));
}

TEST_CASE("records with ids of their own need no reading of everything") {
  Folder folder;
  Fed fed(folder.path() + "/spans.jsonl");
  // The parents come last, and two traces by turns.
  for (int id : {4, 3, 2, 1})
    for (int trace : {1, 2})
      fed.write(span(trace, id + 4 * (trace - 1), id > 1 ? id - 1 + 4 * (trace - 1) : 0));
  CHECK(fed.parts() == 2);
  CHECK(fed.shown().nodes.size() == 8);
  CHECK(fed.shown().edges.size() == 6);
  CHECK(fed.shown() == whole(fed.request()));
}

TEST_CASE("a document that is written anew takes what it held with it") {
  Folder folder;
  std::string path = folder.write("run.json", project_file("fixtures/trust.json"));
  Fed fed(path);
  fed.write("\n");
  CHECK_FALSE(fed.shown().nodes.empty());
  CHECK(fed.shown() == whole(fed.request()));
  folder.write("run.json", project_file("fixtures/services.json"));
  fed.write("\n");
  CHECK(fed.shown() == whole(fed.request()));
}
