#include <algorithm>
#include <catch2/catch.hpp>

#include "hop_story.h"
#include "story.h"
#include "view/why/call_effects.h"
#include "view/why/hop_effects.h"

using namespace xtrace;

namespace {

/// `c c2 (1)`: the effect, the way to what ended last, how many calls followed; a line for each.
std::string effects(CallStory& story, std::initializer_list<std::string_view> names) {
  const Graph& graph = story.graph();
  auto id_of = [&](CallId id) { return std::string(graph.trace()[graph.trace()[id].id]); };
  std::vector<CallId> from;
  for (CallId id : graph.timeline().in_order())
    if (std::ranges::find(names, id_of(id)) != names.end()) from.push_back(id);
  std::string text;
  for (const CallEffect& effect : effects_of(graph, from)) {
    text += text.empty() ? "" : "\n";
    for (CallId id : effect.chain) text += id_of(id) + ' ';
    text += '(' + std::to_string(effect.descendants) + ')';
  }
  return text;
}

/// What an actor led to in the first run: `agent:b resource:db x2`, a line for each chain.
std::string effects(const HopStory& story, std::string_view actor) {
  const Graph graph = story.graph();
  const Hops& hops = graph.hops();
  Meant target;
  for (size_t i = 0; i < hops.actors.size(); ++i)
    if (hops.actors[i].id == actor) target.actor = ActorId(i);
  std::string text;
  std::vector<bool> shown(hops.all.size(), true);
  const EffectGroups effects = effects_of(hops, shown, target, hops.runs.front(), SIZE_MAX);
  for (const HopEffect& effect : effects.all) {
    text += text.empty() ? "" : "\n";
    for (ActorId id : effect.chain) text += std::string(hops[id].id) + ' ';
    text += 'x' + std::to_string(effect.hops.size());
  }
  return text;
}

}  // namespace

TEST_CASE("a call led to its subagents and to who read their results, with all that followed") {
  CallStory story;
  story.call("p").spawns("t1", "Explore", "look").spawns("t2", "Explore", "listen");
  story.call("c").says("look").uses("r1", "Grep");
  story.call("d").says("listen").answers("nothing to hear");
  story.call("c2").after("c").reads("r1").answers("seen");
  story.call("p2").after("p").reads("t1").reads("t2").uses("r2", "Bash");
  story.call("p3").after("p2").reads("r2");
  CHECK(effects(story, {"p"}) ==
        "c c2 (1)\n"
        "d (0)\n"
        "p2 p3 (1)");
  CHECK(effects(story, {"p3"}).empty());
  // A subagent as a whole led to what goes on with its report.
  CHECK(effects(story, {"c", "c2"}) == "p2 p3 (1)");
}

TEST_CASE("a branch is led to by the call that it goes back to") {
  CallStory story;
  story.call("a").says("one");
  story.call("b").after("a").says("two");
  story.call("b2").after("b").says("three");
  story.call("c").after("a").says("or rather");
  CHECK(effects(story, {"a"}) ==
        "b b2 (1)\n"
        "c (0)");
}

TEST_CASE("an actor led to what was called on its behalf, chain by chain") {
  HopStory story;
  story.hop("1", "user:u", "agent:a", 0, 900)
      .hop("2", "agent:a", "agent:b", 10, 400)
      .hop("3", "agent:b", "resource:db", 20, 50)
      .hop("4", "agent:b", "resource:db", 100, 50)
      .hop("5", "agent:a", "resource:mail", 500, 50);
  CHECK(effects(story, "agent:a") ==
        "agent:b x1\n"
        "agent:b resource:db x2\n"
        "resource:mail x1");
  CHECK(effects(story, "agent:b") == "resource:db x2");
  CHECK(effects(story, "resource:db").empty());
}
