#include "link/calls/agents.h"

#include <catch2/catch.hpp>

#include "story.h"

using namespace xtrace;

namespace {

std::string sources_of(CallStory& story) {
  std::string text;
  for (const Agent& agent : story.graph().agents())
    text += (text.empty() ? "" : " ") + std::string(word(agent.type_from));
  return text;
}

}  // namespace

TEST_CASE("the log's own word for an agent wins") {
  CallStory story;
  story.call("p").agent("Boss").spawns("t1", "Explore", "look");
  story.call("c").agent("Scout").says("look");
  CHECK(story.agents() ==
        "Boss: p\n"
        "Scout: c");
  CHECK(sources_of(story) == "log log");
}

TEST_CASE("else the type that the tool use asked for") {
  CallStory story;
  story.call("p").spawns("t1", "Explore", "look");
  story.call("c").says("look");
  CHECK(story.agents() ==
        "main: p\n"
        "Explore: c");
  CHECK(sources_of(story) == "main spawn");
}

TEST_CASE("a subagent of no type is a subagent") {
  CallStory story;
  story.call("p").spawns("t1", "", "look");
  story.call("c").says("look");
  CHECK(story.agents() ==
        "main: p\n"
        "subagent: c");
}

TEST_CASE("else the type of those with the same system prompt") {
  CallStory story;
  story.call("p").system("You lead.").offers_tools().spawns("t1", "Explore", "look");
  story.call("c").system("You explore.").says("look");
  story.call("d").system("You explore.").says("look elsewhere");
  CHECK(story.agents() ==
        "main: p\n"
        "Explore#1: c\n"
        "Explore#2: d");
  CHECK(sources_of(story) == "main spawn system_prompt");
}

TEST_CASE("main is the conversation with the tools, not the longest one") {
  CallStory story;
  story.call("title1").system("Name this talk.");
  story.call("title2").after("title1").system("Name this talk.");
  story.call("m").system("You lead.").offers_tools();
  CHECK(story.agents().find("main: m") != std::string::npos);
  CHECK(story.agents().find("prompt-") == 0);  // named by the hash of its system prompt
}

TEST_CASE("conversations without tools or a system prompt are told apart from main") {
  CallStory story;
  story.call("m").offers_tools();
  story.call("x");
  CHECK(story.agents() ==
        "main: m\n"
        "no-prompt: x");
}

TEST_CASE("instances of a type are numbered in order of time") {
  CallStory story;
  story.call("p").at(0).spawns("t1", "Explore", "one").spawns("t2", "Explore", "two");
  story.call("b").at(10).says("two");
  story.call("a").at(11).says("one");
  CHECK(story.agents() ==
        "main: p\n"
        "Explore#1: b\n"
        "Explore#2: a");
}

TEST_CASE("each session has a main agent of its own") {
  CallStory story;
  story.call("a").session("one").offers_tools();
  story.call("b").session("two").offers_tools();
  CHECK(story.agents() ==
        "main: a\n"
        "main: b");
}

TEST_CASE("instances are numbered in their session, so a session beside it changes no name") {
  const auto helpers = [](CallStory& story, const char* session, const char* one, const char* two) {
    story.call(one).session(session).agent("Explore");
    story.call(two).session(session).agent("Explore");
  };
  CallStory story;
  helpers(story, "one", "a", "b");
  helpers(story, "two", "c", "d");
  CHECK(story.agents() ==
        "Explore#1: a\n"
        "Explore#2: b\n"
        "Explore#1: c\n"
        "Explore#2: d");
}

TEST_CASE("an agent's own id is that of its calls, else what its result names") {
  CallStory story;
  story.call("p").spawns("t1", "Explore", "look");
  story.call("c").says("look").answers("seen");
  story.call("p2").after("p").reads("t1", "seen\nagentId: a1f8104 (for resuming to continue)");
  const Graph& graph = story.graph();
  REQUIRE(graph.agents().size() == 2);
  CHECK(!graph.agents()[0].id);
  CHECK(graph.trace()[graph.agents()[1].id] == "a1f8104");
}

TEST_CASE("a conversation that is handed over has the agents that the log names, one by one") {
  CallStory story;
  story.call("a").agent("triage").says("refund me").uses("t1", "transfer_to_billing");
  story.call("b").agent("billing").after("a").reads("t1");
  story.call("c").agent("billing").after("b").says("thanks");
  CHECK(story.agents() ==
        "triage: a\n"
        "billing: b c");
  CHECK(story.graph().conversations().size() == 1);
  CHECK(story.links("continuation") ==
        "a->b continuation 1.00\n"
        "b->c continuation 1.00");
}

TEST_CASE("who is handed a conversation back is the agent that had it before") {
  CallStory story;
  story.call("a").agent("triage").says("refund me");
  story.call("b").agent("billing").after("a");
  story.call("c").agent("triage").after("b");
  story.call("d").after("c");  // of which the log does not say who made it
  story.call("e").agent("billing").after("d");
  CHECK(story.agents() ==
        "triage: a c d\n"
        "billing: b e");
}

TEST_CASE("branches that another agent takes over have one each") {
  CallStory story;
  story.call("a").agent("lead").says("hi");
  story.call("b").agent("scout").after("a").says("look here");
  story.call("c").agent("scout").after("a").says("look there");
  CHECK(story.agents() ==
        "lead: a\n"
        "scout#1: b\n"
        "scout#2: c");
}

TEST_CASE("who takes over from a subagent is one too") {
  CallStory story;
  story.call("p").spawns("t1", "triage", "look");
  story.call("a").agent("triage").says("look");
  story.call("b").agent("billing").after("a");
  CHECK(story.agents() ==
        "main: p\n"
        "triage: a\n"
        "billing: b");
  CHECK(story.graph().agents()[2].spawned);
  const Hops& hops = story.graph().call_hops();
  REQUIRE(hops.all.size() == 3);
  CHECK(hops[hops.all[2].from].id == "agent:triage");
  CHECK(hops[hops.all[2].to].id == "agent:billing");
}
