#include "view/common/selector.h"

#include <catch2/catch.hpp>

#include "reading.h"
#include "story.h"

using namespace xtrace;

namespace {

/// Two turns of a user, in the first of which a subagent works.
CallStory two_turns() {
  CallStory story;
  story.call("p").session("day").says("go").spawns("t1", "Explore", "look");
  story.call("c").session("day").says("look").uses("r1", "Grep");
  story.call("c2").session("day").after("c").reads("r1");
  story.call("p2").session("day").after("p").reads("t1");
  story.call("p3").session("day").after("p2").says("and now?");
  return story;
}

std::string named(CallStory& story, std::string_view name) {
  const Graph& graph = story.graph();
  std::vector<CallId> calls = find_calls(graph, name, NameOf::calls);
  if (calls.empty()) calls = find_calls(graph, name, NameOf::other_calls);
  std::string text;
  for (CallId id : calls)
    text += (text.empty() ? "" : " ") + std::string(graph.trace()[graph.trace()[id].id]);
  return text;
}

}  // namespace

TEST_CASE("every name that an answer prints leads to its call") {
  CallStory story = two_turns();
  CHECK(named(story, "c2") == "c2");
  CHECK(named(story, "t1") == "p");
  CHECK(named(story, "r1") == "c");
  CHECK(named(story, "Explore") == "c");
  CHECK(named(story, "day") == "p");
  CHECK(named(story, "2") == "p3");
  CHECK(named(story, "turn 2") == "p3");
  CHECK(named(story, "day/Explore") == "c");
  CHECK(named(story, "day/turn 1") == "p");
  CHECK(named(story, "night/turn 1").empty());
  CHECK(named(story, "9").empty());
}

TEST_CASE("where several agents talk to users, a turn is named behind its agent") {
  CallStory story;
  story.call("a").session("day").agent("main").says("plan the trip");
  story.call("b").session("day").agent("title").says("name this");
  story.call("a2").session("day").agent("main").after("a").says("cheaper");
  CHECK(named(story, "main turn 1") == "a");
  CHECK(named(story, "main turn 2") == "a2");
  CHECK(named(story, "title turn 1") == "b");
  CHECK(named(story, "day/title turn 1") == "b");
  CHECK(named(story, "title turn 2").empty());
  CHECK(named(story, "nobody turn 1").empty());
  CHECK(named(story, "turn 1") == "a b");
}

TEST_CASE("a bare 1 is the first turn of what has more, else that of what has one") {
  CallStory story;
  story.call("a").session("day").says("hi");
  CHECK(named(story, "1") == "a");
  story = two_turns();
  story.call("b").session("night").says("hi");
  CHECK(named(story, "1") == "p");
}

TEST_CASE("a line that no call stands on means the next one") {
  CallStory story;
  story.garbage("{}");
  story.call("a");
  const Source& source = story.graph().trace().sources.front();
  CHECK(named(story, source.path + ":1") == "a");
  CHECK(named(story, source.path + ":2") == "a");
  CHECK(named(story, source.path + ":3").empty());
}

TEST_CASE(
    "a subagent is found by the id that its result names, even if its calls are not on record") {
  CallStory story;
  story.call("p").spawns("t1", "Explore", "look");
  story.call("p2").after("p").reads("t1", "all seen\nagentId: a1f8104 (for resuming to continue)");
  CHECK(named(story, "a1f8104") == "p");
}

TEST_CASE("a subagent is called by its type where its session has one of it") {
  CallStory story = two_turns();
  const auto named_subagents = [&](std::string_view name) {
    return find_calls(story.graph(), name, NameOf::subagents).size();
  };
  CHECK(named_subagents("Explore") == 1);
  CHECK(named_subagents("day/Explore") == 1);
  CHECK(named_subagents("main") == 0);
}

TEST_CASE("a name that no call has is answered with what there is of its kind") {
  CallStory story = two_turns();
  const Graph& graph = story.graph();
  const std::string path = graph.trace().sources.front().path;
  CHECK(other_calls(graph, "turn 9") == "; turns are numbered from 1 to 2");
  CHECK(other_calls(graph, "9") == "; turns are numbered from 1 to 2, and ':9' means a line");
  CHECK(other_calls(graph, "Explor#2") == "; did you mean 'Explore'?");
  CHECK(other_calls(graph, ":99") == "; the last call in that file is at :5");
  CHECK(other_calls(graph, path + ":99") == "; the last call in that file is at :5");
  CHECK(other_calls(graph, "elsewhere:1").starts_with("; no call in a file 'elsewhere'"));
  CHECK(other_calls(graph, "a.cpp").empty());
}

TEST_CASE("a line of two files of one name may mean the next call of either") {
  Folder folder;
  CallStory one, other;
  one.call("a");
  other.call("b");
  folder.write("one/log.jsonl", "\n" + one.log());
  folder.write("other/log.jsonl", "\n" + other.log());
  Progress progress;
  const Graph graph = link(load({folder.path()}, {}, progress).value(), {});
  CHECK(find_calls(graph, "log.jsonl:2", NameOf::calls).size() == 2);
  CHECK(find_calls(graph, "log.jsonl:1", NameOf::other_calls).size() == 2);
  CHECK(find_calls(graph, "other/log.jsonl:1", NameOf::other_calls).size() == 1);
}

TEST_CASE("the whole path of a file means that file, though others end like it") {
  Folder folder;
  CallStory one, other;
  one.call("a");
  other.call("b");
  const std::string log = folder.write("log.jsonl", one.log());
  folder.write("x" + log, other.log());
  Progress progress;
  const Graph graph = link(load({folder.path()}, {}, progress).value(), {});
  CHECK(find_calls(graph, log + ":1", NameOf::calls).size() == 1);
}

TEST_CASE("who writes a turn together is told how it is written") {
  CallStory story = two_turns();
  CHECK(other_calls(story.graph(), "turn2") == "; did you mean 'turn 2'?");
  CHECK(other_calls(story.graph(), "Turn-2") == "; did you mean 'turn 2'?");
  CHECK(other_calls(story.graph(), "turn9").empty());
  CHECK(other_calls(story.graph(), "turnip").empty());
}
