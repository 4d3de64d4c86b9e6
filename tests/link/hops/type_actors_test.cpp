#include <catch2/catch.hpp>

#include "hop_story.h"
#include "link/graph/graph.h"

namespace xtrace {

namespace {

std::string type_of(const HopStory& story, std::string_view id) {
  Graph graph = story.graph();
  for (const Actor& actor : graph.hops().actors)
    if (actor.id == id) return std::string(word(actor.type));
  return "none";
}

}  // namespace

TEST_CASE("what an actor is, is told by the kinds of its hops where its name does not tell") {
  HopStory story;
  story.hop("1", "ann", "desk", 0, 10).tag("trust.hop_kind", "principal_to_agent");
  story.hop("2", "desk", "db", 5, 3).tag("trust.hop_kind", "agent_to_resource");
  CHECK(type_of(story, "ann") == "principal");
  CHECK(type_of(story, "desk") == "agent");
  CHECK(type_of(story, "db") == "resource");
  CHECK(story.path("2") == "ann desk db");
}

TEST_CASE("a name that tells what an actor is goes before the kinds of hops") {
  HopStory story;
  story.hop("1", "user:ann", "resource:db", 0, 10).tag("trust.hop_kind", "agent_to_agent");
  CHECK(type_of(story, "user:ann") == "principal");
  CHECK(type_of(story, "resource:db") == "resource");
}

TEST_CASE("of kinds that contradict each other the more frequent one tells") {
  HopStory story;
  story.hop("1", "ann", "desk", 0, 10).tag("trust.hop_kind", "principal_to_agent");
  story.hop("2", "ann", "desk", 20, 10).tag("trust.hop_kind", "principal_to_resource");
  story.hop("3", "desk", "db", 25, 3).tag("trust.hop_kind", "agent_to_resource");
  CHECK(type_of(story, "desk") == "agent");
}

}  // namespace xtrace
