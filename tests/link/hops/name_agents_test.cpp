#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "link/graph/graph.h"
#include "reading.h"
#include "view/hops/paths.h"

namespace xtrace {

namespace {

using Json = nlohmann::json;

/// Spans told one after another, each ten milliseconds after the one before.
class AgentStory {
 public:
  AgentStory& span(const std::string& id, const std::string& parent, const std::string& name,
                   const Json& attributes = Json::object(), const std::string& service = "app") {
    int64_t start = 1'790'000'000'000'000'000 + int64_t{10'000'000} * ++told_;
    Json span = {{"name", name},
                 {"span_id", id},
                 {"trace_id", "a1"},
                 {"start_time", start},
                 {"end_time", start + 5'000'000},
                 {"attributes", attributes}};
    span["attributes"]["service.name"] = service;
    if (!parent.empty()) span["parent_span_id"] = parent;
    log_ += span.dump() + "\n";
    return *this;
  }

  Graph graph() const { return link(read_log(log_), {}); }

  /// `? > agent:a`, a line for each call, and by which tool.
  std::string calls() const {
    Graph graph = this->graph();
    const Hops& hops = graph.hops();
    std::string text;
    for (const Hop& hop : hops.all) {
      if (!hop.is_call()) continue;
      text += fmt::format("{} > {} {}", hop.from ? hops[hop.from].id : "?", hops[hop.to].id,
                          hops.words[hop.kind]);
      if (hop.tool) text += fmt::format(" by {}", graph.trace()[hop.tool]);
      text += '\n';
    }
    return text;
  }

 private:
  std::string log_;
  int told_ = 0;
};

Json agent(const std::string& name) {
  return {{"gen_ai.operation.name", "invoke_agent"}, {"gen_ai.agent.name", name}};
}
Json tool(const std::string& name) {
  return {{"gen_ai.operation.name", "execute_tool"}, {"gen_ai.tool.name", name}};
}

}  // namespace

TEST_CASE(
    "who delegated to whom is read from agents and tools, whatever words spans use for them") {
  Json first = GENERATE(Json{{"gen_ai.operation.name", "invoke_agent"}, {"gen_ai.agent.name", "a"}},
                        Json{{"openinference.span.kind", "AGENT"}, {"agent.name", "a"}},
                        Json{{"traceloop.span.kind", "agent"}, {"traceloop.entity.name", "a"}},
                        Json{{"span.type", "agentic.invocation"},
                             {"entity.1.type", "agent.x"},
                             {"entity.1.name", "a"}});
  Json last = GENERATE(Json{{"gen_ai.operation.name", "execute_tool"}, {"gen_ai.tool.name", "t"}},
                       Json{{"openinference.span.kind", "TOOL"}, {"tool.name", "t"}},
                       Json{{"traceloop.span.kind", "tool"}, {"traceloop.entity.name", "t"}},
                       Json{{"span.type", "agentic.tool.invocation"},
                            {"entity.1.type", "tool.x"},
                            {"entity.1.name", "t"}});
  CHECK(AgentStory()
            .span("1", "", "turn")
            .span("2", "1", "first", first)
            .span("3", "2", "chat m", {{"gen_ai.operation.name", "chat"}, {"span.kind", "client"}})
            .span("4", "2", "second", agent("b"))
            .span("5", "4", "third", last)
            .calls() ==
        "? > agent:a principal_to_agent\n"
        "agent:a > agent:b agent_to_agent\n"
        "agent:b > resource:tool:t agent_to_resource by t\n");
}

TEST_CASE("names of spans tell of agents and tools where nothing else does") {
  CHECK(AgentStory()
            .span("1", "", "agent_run [planner]", {{"user.id", "ida"}})
            .span("2", "1", "execute_tool search")
            .calls() ==
        "user:ida > agent:planner principal_to_agent\n"
        "agent:planner > resource:tool:search agent_to_resource by search\n");
}

TEST_CASE("an agent that is a tool of another one is reached by that tool") {
  CHECK(AgentStory()
            .span("1", "", "run", agent("a"))
            .span("2", "1", "tool", tool("ask_b"))
            .span("3", "2", "POST", {{"span.kind", "client"}})
            .span("4", "3", "POST /b", {{"span.kind", "server"}}, "b-app")
            .span("5", "4", "run", agent("b"), "b-app")
            .calls() ==
        "? > agent:a principal_to_agent\n"
        "agent:a > agent:b agent_to_agent by ask_b\n");
}

TEST_CASE("a tool that two libraries tell of is used once, and so is an agent called once") {
  CHECK(AgentStory()
            .span("1", "", "run", agent("a"))
            .span("2", "1", "run again", agent("a"))
            .span("3", "2", "tool", tool("t"))
            .span("4", "3", "mcp", tool("t"), "server")
            .calls() ==
        "? > agent:a principal_to_agent\n"
        "agent:a > resource:tool:t agent_to_resource by t\n");
}

TEST_CASE("an agent that was handed over to by another was called by that one") {
  Json handed = agent("b");
  handed["entity.1.type"] = "agent.x";
  handed["entity.1.name"] = "b";
  handed["entity.1.from_agent"] = "a";
  CHECK(AgentStory()
            .span("1", "", "turn")
            .span("2", "1", "run", agent("a"))
            .span("3", "1", "run", handed)
            .calls() ==
        "? > agent:a principal_to_agent\n"
        "agent:a > agent:b agent_to_agent\n");
}

TEST_CASE(
    "an agent that a conversation is handed to was called by who had it, whatever wraps both") {
  const Json handover = {{"from_agent", "a"}, {"to_agent", "b"}};
  const std::string wrapper = GENERATE("", "task", "custom", "one that is not told of yet");
  AgentStory story;
  if (wrapper == "task" || wrapper == "custom") story.span("w", "", wrapper);
  if (wrapper == "custom") story.span("w2", "w", "task");
  const std::string around = wrapper.empty() ? "" : wrapper == "custom" ? "w2" : "w";
  const std::string calls = story.span("1", around, "run", agent("a"))
                                .span("2", "1", "turn")
                                .span("3", "2", "handoff", handover)
                                .span("4", around, "run", agent("b"))
                                .span("5", "4", "tool", tool("t"))
                                .calls();
  CHECK(calls.substr(calls.find('\n') + 1) ==
        "agent:a > agent:b agent_to_agent\n"
        "agent:b > resource:tool:t agent_to_resource by t\n");
}

TEST_CASE("what an agent hands over within itself, or within another task, leads nowhere else") {
  const Json handover = {{"from_agent", "a"}, {"to_agent", "b"}};
  CHECK(AgentStory()
            .span("w", "", "task")
            .span("w1", "w", "task")
            .span("1", "w1", "run", agent("a"))
            .span("2", "1", "handoff", handover)
            .span("w2", "w", "task")
            .span("3", "w2", "run", agent("b"))
            .calls() ==
        "? > agent:a principal_to_agent\n"
        "? > agent:b principal_to_agent\n");
}

TEST_CASE("services that an agent calls are called by the agent") {
  CHECK(AgentStory()
            .span("1", "", "run", agent("a"))
            .span("2", "1", "GET", {{"span.kind", "client"}, {"server.address", "far.example"}})
            .span("3", "1", "GET", {{"span.kind", "client"}})
            .span("4", "3", "GET /x", {{"span.kind", "server"}}, "stock")
            .span("5", "4", "SELECT", {{"span.kind", "client"}, {"db.system", "sqlite"}}, "stock")
            .calls() ==
        "? > agent:a principal_to_agent\n"
        "agent:a > resource:far.example agent_to_resource\n"
        "agent:a > agent:stock agent_to_agent\n"
        "agent:stock > resource:sqlite agent_to_resource\n");
}

TEST_CASE("what the house of an agent does by itself is done by the service") {
  CHECK(AgentStory()
            .span("1", "", "POST /ask", {{"span.kind", "server"}})
            .span("2", "1", "GET", {{"span.kind", "client"}})
            .span("3", "2", "GET /x", {{"span.kind", "server"}}, "stock")
            .span("4", "1", "run", agent("a"))
            .calls() ==
        "agent:app > agent:stock agent_to_agent\n"
        "? > agent:a principal_to_agent\n");
}

TEST_CASE("what is called while a tool runs is called by the agent that uses it") {
  Graph graph = AgentStory()
                    .span("1", "", "run", agent("a"))
                    .span("2", "1", "tool", tool("t"))
                    .span("3", "2", "GET /x", {{"span.kind", "server"}}, "stock")
                    .graph();
  const Hops& hops = graph.hops();
  REQUIRE(hops.all.size() == 3);
  CHECK(graph.trace()[hops.all[2].tool] == "t");
  std::string path;
  Paths paths(hops);
  for (ActorId actor : paths.actors(paths.of(HopId(2)))) path += std::string(hops[actor].id) + ' ';
  CHECK(path == "agent:a agent:stock ");
}

TEST_CASE("where a parent is missing nobody is made up in its place") {
  CHECK(AgentStory().span("1", "99", "run", agent("a")).calls() == "? > agent:a agent_to_agent\n");
}

}  // namespace xtrace
