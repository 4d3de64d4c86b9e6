#include "serve/subscriptions.h"

#include <catch2/catch.hpp>

#include "serve/served_log.h"

using namespace xtrace;
using namespace xtrace::serve;

namespace {

/// A client of a WebSocket.
struct SocketClient : GraphClient {
  explicit SocketClient(ServedLog& its_log) : log(its_log) {}

  Answered<void> ask(std::string_view message) {
    Answered<void> taken = log.service().subscriptions().take(message, own);
    return taken;
  }
  void read() {
    while (const std::optional<Outgoing> out = own->next()) {
      take(std::string(out->event), nlohmann::json::parse(out->text));
      // As a client does that returns each ping.
      if (const std::string place = own->place(); !place.empty()) own->note_received(place);
    }
  }
  void go() { log.service().subscriptions().keep(std::move(own)); }

  ServedLog& log;
  std::unique_ptr<Subscription> own;
};

std::string story_but(size_t last) {
  const std::vector<std::string> lines = lines_of("story");
  std::string all;
  for (size_t i = 0; i + last < lines.size(); ++i) all += lines[i];
  return all;
}

constexpr std::string_view kCritic = R"({"filters": {"agentNames": ["CriticAgent"]}})";

}  // namespace

TEST_CASE("a subscription is answered by the graph, a change of its filter by the difference") {
  ServedLog log("story.jsonl", story_but(0));
  SocketClient client(log), critic(log);
  REQUIRE(client.ask("{}"));
  client.read();
  REQUIRE(critic.ask(kCritic));
  critic.read();
  CHECK(client.subscription == "sub-1");
  CHECK(critic.subscription == "sub-2");
  CHECK(client.graph.nodes.size() > critic.graph.nodes.size());
  const Graphed whole = client.graph;
  REQUIRE(client.ask(kCritic));
  client.read();
  CHECK(client.snapshots == 1);
  CHECK(client.updates == 1);
  CHECK(client.graph == critic.graph);
  REQUIRE(client.ask("{}"));
  client.read();
  CHECK(client.updates == 2);
  CHECK(client.graph == whole);
}

TEST_CASE("subscribers with different filters see the same log grow, each its part") {
  ServedLog log("story.jsonl", story_but(6));
  SocketClient all(log), critic(log);
  REQUIRE(all.ask("{}"));
  REQUIRE(critic.ask(kCritic));
  const std::vector<std::string> lines = lines_of("story");
  for (size_t i = lines.size() - 6; i < lines.size(); ++i) {
    log.grow(lines[i]);
    all.read();
    critic.read();
  }
  log.rest();
  all.read();
  critic.read();
  SocketClient new_all(log), new_critic(log);
  REQUIRE(new_all.ask("{}"));
  REQUIRE(new_critic.ask(kCritic));
  new_all.read();
  new_critic.read();
  CHECK(all.graph == new_all.graph);
  CHECK(critic.graph == new_critic.graph);
  CHECK(critic.graph.nodes.size() < all.graph.nodes.size());
}

TEST_CASE("a subscriber that asks again gets the whole graph again") {
  ServedLog log("story.jsonl", story_but(0));
  SocketClient client(log);
  REQUIRE(client.ask(R"({"subscriptionId": "mine"})"));
  client.read();
  REQUIRE(client.ask(R"({"subscriptionId": "mine"})"));
  client.read();
  CHECK(client.snapshots == 2);
  CHECK(client.lost == 0);
}

TEST_CASE("a subscriber that comes back gets what it missed, or starts anew") {
  ServedLog log("story.jsonl", story_but(4), {}, 100);
  SocketClient client(log), watcher(log);
  REQUIRE(watcher.ask(kCritic));
  watcher.read();
  REQUIRE(client.ask(kCritic));
  client.read();
  const std::string id = client.subscription;
  client.go();
  const std::vector<std::string> lines = lines_of("story");
  for (size_t i = lines.size() - 4; i < lines.size(); ++i) {
    log.grow(lines[i]);
    watcher.read();
  }
  REQUIRE(client.ask(R"({"subscriptionId": ")" + id + R"("})"));
  client.read();
  CHECK(client.subscription == id);
  CHECK(client.snapshots == 1);
  CHECK(client.lost == 0);
  CHECK(client.graph == watcher.graph);
  client.go();
  client.own.reset();
  ServedLog other("story.jsonl", story_but(0));  // a server that never heard of it
  SocketClient unknown(other);
  REQUIRE(unknown.ask(R"({"subscriptionId": "sub-77"})"));
  unknown.read();
  CHECK(unknown.snapshots == 1);
}

TEST_CASE("a request that makes no sense is refused and changes nothing") {
  ServedLog log("story.jsonl", story_but(0));
  SocketClient client(log);
  REQUIRE(client.ask(kCritic));
  client.read();
  const Graphed before = client.graph;
  CHECK(client.ask("{").error().status == 400);
  CHECK(client.ask(R"({"filter": {}})").error().what ==
        "unknown key 'filter'; did you mean 'filters'?");
  CHECK(client.ask(R"({"subscriptionId": ""})").error().status == 400);
  CHECK(client.ask("{\"subscriptionId\": \"" + std::string(101, 'a') + "\"}").error().status ==
        400);
  client.read();
  CHECK(client.graph == before);
}

TEST_CASE("there are so many different filters at once; those that nobody reads give way") {
  ServedLog log("story.jsonl", story_but(0));
  std::vector<std::unique_ptr<SocketClient>> clients;
  const auto ask = [&](size_t cost) {
    clients.push_back(std::make_unique<SocketClient>(log));
    return clients.back()->ask("{\"filters\": {\"minCostUsd\": " + std::to_string(cost) + "}}");
  };
  for (size_t i = 0; i < Feed::kMostGraphs; ++i) REQUIRE(ask(i + 1));
  const Answered<void> refused = ask(100);
  REQUIRE(!refused);
  CHECK(refused.error().status == 503);
  REQUIRE(ask(1));  // the same filter as another one
  clients.erase(clients.begin() + 1);
  CHECK(ask(101));
}
