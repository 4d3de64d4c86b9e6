#include "view/calls/adjusted_links.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "story.h"

using namespace xtrace;

namespace {

/// "a->c continuation 1.00" for each link over the calls that are hidden.
std::string adjusted(CallStory& story, std::initializer_list<std::string_view> hidden) {
  const Graph& graph = story.graph();
  auto name = [&](CallId id) { return graph.trace()[graph.trace()[id].id]; };
  Selection selection;
  for (size_t i = 0; i < graph.trace().calls.size(); ++i) {
    bool shown = std::find(hidden.begin(), hidden.end(), name(CallId(i))) == hidden.end();
    selection.calls.push_back(shown);
    if (!shown) ++selection.hidden.nodes;
  }
  for (uint32_t i = 0; i < graph.links().size(); ++i)
    if (selection.shows(graph.links()[i].from) && selection.shows(graph.links()[i].to))
      selection.links.push_back(i);
  std::string text;
  for (const Link& link : adjusted_links(graph, selection, [](const Link&) { return true; }))
    text += fmt::format("{}->{} {} {:.2f}\n", name(link.from), name(link.to), word(link.kind),
                        confidence(link));
  return text;
}

}  // namespace

TEST_CASE("what goes on over a hidden call is linked with what it goes on from") {
  CallStory story;
  story.call("a").uses("t1", "Read");
  story.call("b").after("a").reads("t1").fails("overloaded_error");
  story.call("c").again("b");
  CHECK(adjusted(story, {"b"}) == "a->c continuation 1.00\n");
  CHECK(adjusted(story, {}) == "");
  CHECK(adjusted(story, {"a", "b"}) == "");
}

TEST_CASE("a way into a hidden subagent and one out of it keep their kinds") {
  CallStory story;
  story.call("p").spawns("t1", "Explore", "look");
  story.call("c").says("look").uses("r1", "Read");
  story.call("c2").after("c").reads("r1").answers("found it");
  story.call("p2").after("p").reads("t1", "found it");
  CHECK(adjusted(story, {"c"}) == "p->c2 subagent_spawn 0.99\n");
  CHECK(adjusted(story, {"c2"}) == "c->p2 subagent_report 0.99\n");
  CHECK(adjusted(story, {"c", "c2"}) == "");  // p2 goes on from p in any case
}
