#include "serve/served_log.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "cli/question_line.h"
#include "run/answer.h"
#include "run/load_runs.h"

namespace xtrace::serve {

namespace {

constexpr const char* kToken = "secret-token";

/// Options that a test names as `follow` takes them.
std::vector<std::string> with_limit(std::vector<std::string> words, size_t most_updates) {
  words.push_back("--max-queued=" + std::to_string(most_updates));
  words.emplace_back("--window=0");
  words.emplace_back("--json");
  return words;
}

FollowSettings settings_for(const Request& request) {
  Result<FollowSettings> settings = settings_of(*request.view->follow_options());
  REQUIRE(settings);
  return *settings;
}

}  // namespace

ServedLog::ServedLog(const std::string& name, std::string_view begin,
                     const std::vector<std::string>& words, size_t most_updates)
    : path_(folder_.write(name, begin)),
      request_(following(path_, with_limit(words, most_updates))),
      service_(request_, settings_for(request_), read_question, "run") {
  service_.set_access(AccessCheck(kToken, 80));
  REQUIRE(service_.begin());
}

void ServedLog::grow(std::string_view bytes) {
  std::ofstream(path_, std::ios::binary | std::ios::app) << bytes;
  REQUIRE(service_.feed().look());
  REQUIRE(service_.feed().settle());
}

void ServedLog::rest() {
  REQUIRE(service_.feed().reread());
}

Response ServedLog::get(const std::string& target, HttpRequest more) {
  more.method = more.method.empty() ? "GET" : more.method;
  more.target = target;
  more.host = "127.0.0.1:80";
  more.authorization = std::string("Bearer ") + kToken;
  return service_.reply(more);
}

std::string ServedLog::text(const std::string& target) {
  const Response response = get(target);
  REQUIRE(response.body != nullptr);
  INFO(*response.body);
  REQUIRE(response.status == 200);
  return *response.body;
}

std::string ServedLog::why(const std::string& target) {
  const Response response = get(target);
  REQUIRE(response.body != nullptr);
  const nlohmann::json error = nlohmann::json::parse(*response.body).at("error");
  CHECK(error.at("status") == response.status);
  return error.at("message");
}

std::string printed(const std::vector<std::string>& words) {
  Result<Request> request = read_question(words);
  REQUIRE(request);
  request->quiet = true;
  Result<std::vector<Trace>> traces = load_runs(*request);
  REQUIRE(traces);
  const LinkedRuns runs = link_runs(*std::move(traces), request->link_options());
  Result<std::unique_ptr<Door>> door = open_door(*request, runs);
  REQUIRE(door);
  Result<Document> document = answer(*request, runs, **door);
  REQUIRE(document);
  std::ostringstream out;
  write_document(*request, *document, out);
  return std::move(out).str();
}

void GraphClient::take_event(const std::string& event) {
  std::string name, data;
  std::istringstream lines(event);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("event: ")) name = line.substr(7);
    if (line.starts_with("data: ")) data = line.substr(6);
    if (line.starts_with("id: ")) last_id = line.substr(4);
  }
  CHECK(event.ends_with("\n\n"));
  take(name, nlohmann::json::parse(data));
}

void GraphClient::take(const std::string& event, const nlohmann::json& message) {
  subscription = message.at("subscriptionId");
  if (event == "snapshotNeeded") {
    CHECK(message.at("event") == event);
    ++lost;
    return;
  }
  if (event == "snapshot") {
    ++snapshots;
    graph = {};
    for (const auto& node : message.at("nodes")) graph.nodes[node.at("id")] = node.dump();
    for (const auto& edge : message.at("edges"))
      graph.edges[{edge.at("from"), edge.at("to")}] = edge.dump();
    return;
  }
  REQUIRE(event == "update");
  ++updates;
  for (const auto& ends : message.at("removedEdgeIds"))
    graph.edges.erase({ends.at("from"), ends.at("to")});
  for (const auto& id : message.at("removedNodeIds")) graph.nodes.erase(id);
  for (const auto& node : message.at("addedNodes")) graph.nodes[node.at("id")] = node.dump();
  for (const auto& edge : message.at("addedEdges"))
    graph.edges[{edge.at("from"), edge.at("to")}] = edge.dump();
}

void read_all(EventSource& events, GraphClient& client) {
  for (std::string event = events.next(); !event.empty(); event = events.next())
    client.take_event(event);
}

}  // namespace xtrace::serve
