#include "serve/service.h"

#include <catch2/catch.hpp>

#include "serve/served_log.h"

using namespace xtrace;
using namespace xtrace::serve;

namespace {

/// Returns the graph that `dag --view explanation` shows of the log now, with these options.
Graphed shown_by_dag(const ServedLog& log, std::vector<std::string> options = {}) {
  std::vector<std::string> words = {"dag", "--view=explanation", "--json", log.path()};
  words.insert(words.end(), options.begin(), options.end());
  GraphClient client;
  nlohmann::json answer = nlohmann::json::parse(printed(words));
  answer["subscriptionId"] = "";
  client.take("snapshot", answer);
  return client.graph;
}

std::string story() {
  std::string all;
  for (const std::string& line : lines_of("story")) all += line;
  return all;
}

}  // namespace

TEST_CASE("an answer is what the command prints, byte by byte") {
  ServedLog log("run.json", project_file("fixtures/trust.json"));
  const std::string& path = log.path();
  CHECK(log.text("/dag") == printed({"dag", "--json", path}));
  CHECK(log.text("/dag?format=dot") == printed({"dag", "-fdot", path}));
  CHECK(log.text("/lineage/dinner-1/dag") ==
        printed({"dag", "--view=actors", "--run=dinner-1", "--json", path}));
  CHECK(log.text("/trust") == printed({"trust", "--json", path}));
  CHECK(log.text("/lineage/dinner-1/trust?format=text") ==
        printed({"trust", "--run=dinner-1", "-ftext", path}));
  CHECK(log.text("/explain?node=booking") ==
        printed({"explain", "--node=booking", "--json", path}));
  CHECK(log.text("/lineage/all") == printed({"list", "--events", "--json", path}));
  CHECK(log.text("/lineage/dinner-1") ==
        printed({"list", "--events", "--run=dinner-1", "--json", path}));
}

TEST_CASE("what came of a node, what was reused and where it looks odd are answered too") {
  ServedLog log("calls.jsonl", project_file("fixtures/trip.jsonl"));
  const std::string& path = log.path();
  CHECK(log.text("/impact?node=toolu_see") ==
        printed({"impact", "--node=toolu_see", "--json", path}));
  CHECK(log.text("/impact?query=req_trip_17&format=text") ==
        printed({"impact", "--query=req_trip_17", "-ftext", path}));
  CHECK(log.text("/taint") == printed({"taint", "--json", path}));
  CHECK(log.text("/blame?query=req_trip_02") ==
        printed({"blame", "--query=req_trip_02", "--json", path}));
  CHECK(log.text("/whatif?remove=tool:Bash") ==
        printed({"whatif", "--remove=tool:Bash", "--json", path}));
  CHECK(log.status("/impact") == 400);
  CHECK(log.status("/blame?symptom=nothing-of-this-name") == 404);
}

TEST_CASE("a query's trace is what the command prints, and so is a picture of it") {
  ServedLog log("steps.jsonl", project_file("fixtures/steps.jsonl"));
  const std::string query = "Q-2024-09-01-001", path = "/v1/queries/" + query + "/trace";
  const auto traced = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"trace", "--query=" + query, log.path()};
    words.insert(words.end(), more.begin(), more.end());
    return printed(words);
  };
  CHECK(log.text(path) == traced({"--json"}));
  CHECK(log.text(path + "?format=mermaid&level=basic") == traced({"-fmermaid"}));
  CHECK(log.text(path + "?format=both&limit_nodes=1") == traced({"-fboth", "--limit-nodes=1"}));
  CHECK(log.status(path + "?level=full") == 403);
  CHECK(log.status("/v1/queries/none/trace") == 404);
}

TEST_CASE(
    "texts are shown where the server was started to show them, unless a request forbids it") {
  ServedLog log("steps.jsonl", project_file("fixtures/steps.jsonl"), {"--level=full"});
  const std::string path = "/v1/queries/Q-2024-09-01-001/trace";
  const std::vector<std::string> words = {"trace", "--query=Q-2024-09-01-001", "--json",
                                          log.path()};
  std::vector<std::string> full = words;
  full.emplace_back("--level=full");
  CHECK(log.text(path) == printed(full));
  CHECK(log.text(path + "?level=full") == printed(full));
  CHECK(log.text(path + "?level=basic") == printed(words));
}

TEST_CASE("answers and errors say what they are, and no other site may use them") {
  ServedLog log("run.json", project_file("fixtures/trust.json"));
  const Response page = log.get("/");
  CHECK(page.content_type == "text/html; charset=utf-8");
  CHECK(log.get("/page").content_type == "text/html; charset=utf-8");
  CHECK(log.get("/dag?format=svg").content_type == "image/svg+xml");
  CHECK(log.get("/dag", {.method = "POST"}).status == 405);
  CHECK(log.get("/dag", {.method = "HEAD"}).status == 200);
  CHECK(log.status("/explain?node=nothing-of-this-name") == 404);
  CHECK(log.status("/nothing") == 404);
  CHECK(log.status("/explain") == 400);
  CHECK(log.why("/lineage/dinner-9/trust").find("dinner-9") != std::string::npos);
  CHECK(log.get("/dag", {.is_upgrade = true}).status == 404);
  CHECK(log.get("/explain", {.is_upgrade = true}).is_socket);
  CHECK(log.get("/dag", {.origin = "http://evil.example"}).status == 403);
}

TEST_CASE("the page is that of the log by now") {
  const std::vector<std::string> lines = lines_of("trip.jsonl");
  ServedLog log("calls.jsonl", "");
  CHECK(log.status("/page") == 503);
  std::string all;
  for (const std::string& line : lines) {
    log.grow(line);
    all += line;
  }
  CHECK(log.text("/page?at=3") ==
        printed({"dag", "-fhtml", "--all-panes", "-oserved", log.path()}));
}

TEST_CASE("events are the graph, then its updates, and end in what dag shows") {
  const std::vector<std::string> lines = lines_of("story");
  ServedLog log("story.jsonl", lines.front());
  const Response response = log.get("/events");
  REQUIRE(response.events != nullptr);
  CHECK(response.content_type == "text/event-stream");
  GraphClient client;
  read_all(*response.events, client);
  CHECK(client.snapshots == 1);
  for (size_t i = 1; i < lines.size(); ++i) {
    log.grow(lines[i]);
    read_all(*response.events, client);
  }
  log.rest();
  read_all(*response.events, client);
  CHECK(client.snapshots == 1);
  CHECK(client.updates > 3);
  CHECK(client.lost == 0);
  CHECK(client.graph == shown_by_dag(log));
}

TEST_CASE("a reader that comes back with the id of its last event gets what it missed") {
  const std::vector<std::string> lines = lines_of("story");
  ServedLog log("story.jsonl", lines[0] + lines[1]);
  GraphClient client;
  {
    const Response response = log.get("/events");
    read_all(*response.events, client);
  }
  const Response other = log.get("/events");  // as long as somebody reads, updates are made
  GraphClient watcher;
  for (size_t i = 2; i < lines.size(); ++i) {
    log.grow(lines[i]);
    read_all(*other.events, watcher);
  }
  const Response again = log.get("/events", {.last_event_id = client.last_id});
  read_all(*again.events, client);
  read_all(*other.events, watcher);
  CHECK(client.snapshots == 1);
  CHECK(client.lost == 0);
  CHECK(client.graph == watcher.graph);
  GraphClient lost;
  const Response unknown = log.get("/events", {.last_event_id = "other.1.5"});
  read_all(*unknown.events, lost);
  CHECK(lost.lost == 1);
  CHECK(lost.snapshots == 1);
  CHECK(lost.graph.nodes == watcher.graph.nodes);
}

TEST_CASE("a reader that is too slow starts anew, and costs no memory meanwhile") {
  const std::vector<std::string> lines = lines_of("story");
  ServedLog log("story.jsonl", lines.front(), {}, 2);
  const Response slow = log.get("/events"), quick = log.get("/events");
  GraphClient client, watcher;
  read_all(*slow.events, client);
  for (size_t i = 1; i < lines.size(); ++i) {
    log.grow(lines[i]);
    read_all(*quick.events, watcher);
  }
  read_all(*slow.events, client);
  CHECK(watcher.lost == 0);
  CHECK(client.lost == 1);
  CHECK(client.snapshots == 2);
  CHECK(client.updates == 0);
  CHECK(client.graph == watcher.graph);
}

TEST_CASE("events are filtered as a SubscriptionRequest says") {
  ServedLog log("story.jsonl", story());
  const Response response = log.get(
      "/events?request=%7B%22subscriptionId%22:%22mine%22,%22filters%22:%7B%22agentNames%22:%5B%"
      "22CriticAgent%22%5D%7D%7D");
  REQUIRE(response.events != nullptr);
  GraphClient client;
  read_all(*response.events, client);
  CHECK(client.subscription == "mine");
  CHECK(client.graph == shown_by_dag(log, {"--agent=CriticAgent"}));
  CHECK(log.status("/events?request=%7B%22filter%22:1%7D") == 400);
}

TEST_CASE("the steps of a query come one by one") {
  const std::vector<std::string> lines = lines_of("steps.jsonl");
  ServedLog log("steps.jsonl", lines[0]);
  const Response response = log.get("/v1/queries/Q-2024-09-01-001/events");
  REQUIRE(response.events != nullptr);
  std::string event = response.events->next();
  CHECK(event.starts_with("id: 1\nevent: step\ndata: {\"order\": 1, \"node\": \"DetectIntent\""));
  CHECK(response.events->next().empty());
  CHECK(log.status("/v1/queries/none/events") == 404);
}

TEST_CASE("who waits for changes learns of each look at a log that grew, and of no other") {
  ServedLog log("calls.jsonl", "");
  const Response response = log.get("/changes");
  REQUIRE(response.events != nullptr);
  CHECK(response.events->next() == "event: change\ndata: {\"version\": 0}\n\n");
  CHECK(response.events->next().empty());
  log.grow(lines_of("trip.jsonl").front());
  CHECK(response.events->next() == "event: change\ndata: {\"version\": 1}\n\n");
  CHECK(response.events->next().empty());
}
