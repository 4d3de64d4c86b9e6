#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "link/graph/graph.h"

namespace xtrace {

class Names;

/// What a name means: one of these.
struct Meant {
  CallId call{};
  ActorId actor{};  ///< of Graph::joined_hops(), as the hop
  HopId hop{};
  SpanId span{};

  bool is(const Hops& hops, HopId id) const { return actor ? hops[id].to == actor : id == hop; }
  std::string_view type(const Hops& hops) const {
    if (actor) return word(hops[actor].type);
    return hops[hop].is_call() ? "hop" : "span";
  }
};

/// As what names are looked up; selector.cpp has a row for each way, with the sets it is in.
struct NameOf {
  enum Set : unsigned {
    calls = 1 << 0,        ///< the id of a call, or a place with records of calls
    turns = 1 << 1,        ///< a turn: `9`, `turn 9`; of several who talk to users `main turn 9`
    subagents = 1 << 2,    ///< one that somebody started: `Explore#3`, `subagent 3`
    other_calls = 1 << 3,  ///< what else leads to a call: a tool use, an agent, the line before it
    targets = 1 << 4,      ///< the whole id of an actor, a span or a trace, or the place of a span
    parts = 1 << 5,        ///< a part of that or of an operation, also as answers show them
    spans = 1 << 6,        ///< the id or place of spans, or a trace: all of them
    records = 1 << 7,      ///< what can be revealed: calls, actors, spans
    hidden_records = 1 << 8,  ///< the same by names in which something is hidden
  };
};

/// All that the name may mean, by the first way of those `meanings` that finds anything. A call is
/// meant that begins what is called so. `names`: by which answers show calls and actors; without
/// them what is shown means nothing.
std::vector<Meant> find_meant(const Graph& graph, std::string_view name, unsigned meanings,
                              const Names* names = nullptr);
/// The same of meanings that are calls.
std::vector<CallId> find_calls(const Graph& graph, std::string_view name, unsigned meanings,
                               const Names* names = nullptr);

/// Where a name is of the form of a turn, a place or an agent's instance, and none is called so:
/// what there is of that kind, as the end of a sentence. Else empty.
std::string other_calls(const Graph& graph, std::string_view name);

}  // namespace xtrace
