#include <catch2/catch.hpp>
#include <sstream>

#include "hop_story.h"
#include "render/renderer.h"
#include "view/common/view.h"
#include "view/hops/hop_graph.h"

using namespace xtrace;

namespace {

/// The DOT of what happened.
std::string drawn(const HopStory& story, bool unfold = false,
                  Direction direction = Direction::automatic) {
  Graph graph = story.graph();
  Door door(Redaction::all, Door::Level::basic, 200);
  Question question{graph, door, Face::drawing};
  question.direction = direction;
  Result<Document> document = graph_of_hops(question, Filter(), unfold);
  std::ostringstream out;
  write_dot(document.value(), Paper{.direction = direction}, out);
  return out.str();
}

size_t count(const std::string& text, std::string_view part) {
  size_t times = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// A service that works for `root`: `steps` times three kinds of work.
HopStory worked(int steps) {
  HopStory story;
  story.span("root", "shop", "", 0, 10'000);
  for (int i = 0; i < steps; ++i)
    for (const char* kind : {"parse", "price", "print"}) {
      std::string id = std::string(kind) + std::to_string(i);
      story.span(id, "shop", "root", 1 + i, 1).called(kind, "shop");
    }
  return story;
}

}  // namespace

TEST_CASE("what fits a page is drawn whole") {
  std::string dot = drawn(worked(3));
  CHECK(count(dot, "tooltip=") >= 10);
  CHECK_FALSE(contains(dot, "×"));
  CHECK_FALSE(contains(dot, "--unfold"));
}

TEST_CASE("what does not fit a page folds: equal spans side by side share a box") {
  std::string dot = drawn(worked(60));
  CHECK(contains(dot, "parse ×60"));
  CHECK(contains(dot, "print ×60"));
  CHECK(contains(dot, "181 spans in 4 boxes; --unfold shows each"));
  CHECK(count(drawn(worked(60), true), "->") == 180);
}

TEST_CASE("an error does not fold into what went well") {
  HopStory story = worked(60);
  story.span("bad", "shop", "root", 70, 1).called("parse", "shop").tag("error", "true");
  std::string dot = drawn(story);
  CHECK(contains(dot, "parse ×60"));
  CHECK(contains(dot, "tooltip=\"bad\\n"));
  CHECK(contains(dot, "#D32F2F"));
}

namespace {

/// The DOT of `trust`.
std::string trusted(const HopStory& story, bool in_order = false) {
  Graph graph = story.graph();
  Door door(Redaction::all, Door::Level::basic, 200);
  Question question{graph, door, Face::drawing};
  question.in_order = in_order;
  Result<Document> document = find_view("trust")->make()->answer(question);
  std::ostringstream out;
  write_dot(document.value(), Paper{}, out);
  return out.str();
}

}  // namespace

TEST_CASE("runs that look the same are one picture, which says of how many") {
  HopStory story;
  for (int run = 0; run < 30; ++run) {
    std::string name = "r" + std::to_string(run);
    story.hop(name + "a", "user:u", "agent:chat", run * 1000, 100, name);
    story.hop(name + "b", "agent:chat", "resource:db", run * 1000 + 10, 50, name);
  }
  std::string dot = trusted(story);
  CHECK(count(dot, "->") == 2);
  CHECK(contains(dot, "run r0 and 29 like it"));
}

TEST_CASE("what one actor alone calls is a list where there is no room, but not in a sequence") {
  HopStory story;
  story.hop("a", "user:u", "agent:chat", 0, 10'000);
  for (int i = 0; i < 90; ++i)
    story.hop("r" + std::to_string(i), "agent:chat", "resource:file" + std::to_string(i),
              10 + 20 * i, 10);
  CHECK(count(trusted(story), "->") == 2);
  CHECK(contains(trusted(story), "⋯ 83 more"));
  CHECK(count(trusted(story, true), "->") == 91);
}
