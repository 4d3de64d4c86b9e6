#include <catch2/catch.hpp>

#include "facts/agent_type.h"
#include "story.h"

using namespace xtrace;

TEST_CASE("a type that is no name, and so is not shown, is compared all the same") {
  CallStory story;
  story.call("p").at(0).session("s").spawns("t1", "x\"]; evil [label=\"y", "look");
  story.call("c").at(3).session("s").agent("x\"]; evil [label=\"y").says("in other words");
  CHECK(story.links("subagent_spawn").starts_with("p->c subagent_spawn 0.9"));
  CHECK(story.link_into("c", LinkKind::subagent_spawn).rule == Rule::type_and_time);
  CallStory without_end;
  const std::string type(5000, 'M');  // a name so long is shortened
  without_end.call("p").at(0).session("s").spawns("t1", type, "look");
  without_end.call("c").at(3).session("s").agent(type).says("in other words");
  CHECK(without_end.links("subagent_spawn").starts_with("p->c subagent_spawn 0.9"));
  CallStory other;
  other.call("p").at(0).session("s").spawns("t1", "Look at it. Then decide!", "look");
  other.call("c").at(3).session("s").agent("Leave it. Go home!").says("in other words");
  CHECK(other.links("subagent_spawn") == "");
}

TEST_CASE("types compare without case and separators, and content is not in their keys") {
  CHECK(agent_type_key("general-purpose") == agent_type_key("General Purpose"));
  CHECK(agent_type_key("Explore") != agent_type_key("Explore2"));
  CHECK(agent_type_key("") == "");
  CHECK(agent_type_key("--") != agent_type_key(" "));
  CHECK(agent_type_key("Leave it. Go home!").size() == 16);
}
