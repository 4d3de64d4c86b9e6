#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/string_pool.h"
#include "facts/trace.h"
#include "link/calls/link.h"

namespace xtrace {

using ActorId = Id<struct Actor>;
using HopId = Id<struct Hop>;

// The words of the Trust DAG: a principal (`user:`) has agents act for it, which call other agents
// and resources. A hop is one such call, with a source, a target, a kind (`agent_to_resource`) and
// the run it belongs to; spans record them as `trust.*` tags.

/// Who takes part: `user:claude`, `agent:read-agent`, `resource:mock-database`.
struct Actor {
  enum class Type : uint8_t { principal, agent, resource };
  std::string_view id;
  Type type = Type::agent;
  std::string_view label() const { return id.substr(id.find(':') + 1); }
};
inline constexpr std::string_view kActorWords[] = {"principal", "agent", "resource"};
constexpr std::string_view word(Actor::Type type) {
  return kActorWords[static_cast<size_t>(type)];
}

/// The word for a call of one into another where no log gives one: `agent_to_resource`.
constexpr std::string_view kind_between(Actor::Type caller, Actor::Type called) {
  bool to_resource = called == Actor::Type::resource;
  if (caller == Actor::Type::principal)
    return to_resource ? "principal_to_resource" : "principal_to_agent";
  return to_resource ? "agent_to_resource" : "agent_to_agent";
}

/// One call of an actor into another, or a piece of work inside one, and what caused it. A hop that
/// was observed on both sides is one hop.
struct Hop {
  ActorId from, to;  ///< nowhere: work inside an actor
  StringId tool;     ///< in the trace's strings: by which an agent reached the other
  StringId kind;     ///< in Hops::words: `agent_to_agent`
  uint32_t run = 0;  ///< index into Hops::runs
  // The side that was called, or the only one there is; it is the hop's own time:
  Time start = kNoTime;
  Duration duration = kNoDuration;
  // The side that called, or the only one there is:
  Time sent = kNoTime;
  Duration waited = kNoDuration;
  SpanId span;  ///< the observation that represents the hop: the receiving side's; nowhere: a model
                ///< call records it
  StringId id;  ///< in the trace's strings: of the span, or of the tool use or call that records it
  uint32_t nth = 1;                                  ///< of the hops that bear the same id
  Extent at;                                         ///< where that stands
  uint32_t first_observation = 0, observations = 0;  ///< in Hops::observations
  HopId cause;  ///< the hop that led to this one; nowhere: none is known
  /// The hop whose span its own span names as its parent, which may not be the cause; nowhere:
  /// none.
  HopId parent;
  Rule rule = Rule::parent;
  double confidence = 1;  ///< that this is the cause; where none is, that its cause was not seen
  uint32_t first_alternative = 0, alternatives = 0;  ///< in Hops::alternatives
  uint32_t more_alternatives =
      0;              ///< that would have fitted as well, less likely, and are not named
  ActorId principal;  ///< on whose behalf its own spans say that it was made; nowhere: they do not
  StringId missing_parent;  ///< that a span of it names and the input does not hold
  Outcome outcome = Outcome::unknown;

  Time end() const { return after(start, duration); }
  bool is_call() const { return static_cast<bool>(to); }
};

struct Hops;
/// Does it start before its cause? Their clocks differ then.
bool starts_before_cause(const Hops& hops, const Hop& hop);

/// Hops that share a run id, or where there are none, a trace.
struct Run {
  std::string_view id;
  ActorId principal;                     ///< on whose behalf; nowhere: not on record, or of several
  std::vector<HopId> hops;               ///< in order of time
  std::vector<ActorId> principals = {};  ///< if there are several, in order of appearance
  std::string_view session = {};         ///< the conversation that its first span names that does

  /// By any name it has: its own, or that of the conversation it is part of.
  bool is_of_session(std::string_view name) const { return name == id || name == session; }
};

/// That one hop led to another: a row of the table of edges.
struct HopEdge : Edge<HopId> {
  double confidence = 1;

  /// Does a span itself name the cause?
  bool is_recorded() const {
    return rule == Rule::parent || rule == Rule::follows_from ||
           (rule == Rule::linked && confidence == 1);
  }
};
/// Does a span itself name the hop's cause?
inline bool is_recorded(const Hop& hop) {
  return HopEdge{{hop.cause, {}, hop.rule}, hop.confidence}.is_recorded();
}

/// The types of edges between hops.
inline constexpr std::string_view kCauseWords[] = {"parent", "causal"};
inline std::string_view cause_word(const HopEdge& edge) {
  return kCauseWords[edge.is_recorded() ? 0 : 1];
}

/// What a log or a measurement records about a hop.
struct Detail {
  HopId hop;
  uint32_t at = 0;  ///< index into Trace::span_details
  auto operator<=>(const Detail&) const = default;
};

/// Everything that is known about who called whom, and why.
struct Hops {
  StringPool words;
  std::vector<Actor> actors;
  std::vector<Hop> all;  ///< by run, then by start
  std::vector<SpanId> observations;
  std::vector<Rival<HopId>> alternatives;
  /// Everything that led to a hop, by effect: first its Hop::cause, which its chain goes by. Until
  /// list_edges() only what spans record beside that, in any order.
  std::vector<HopEdge> edges;
  std::vector<Detail> details;  ///< by hop
  std::vector<Run> runs;
  size_t weighed = 0;                 ///< candidates looked at while causes were searched for
  bool has_trust = false;             ///< spans say who called whom on whose behalf
  std::vector<Complaint> complaints;  ///< the first ones of each kind

  const Hop& operator[](HopId id) const { return all[id.index]; }
  const Actor& operator[](ActorId id) const { return actors[id.index]; }
  std::span<const SpanId> observations_of(const Hop& hop) const {
    return std::span(observations).subspan(hop.first_observation, hop.observations);
  }
  std::span<const Rival<HopId>> alternatives_of(const Hop& hop) const {
    return std::span(alternatives).subspan(hop.first_alternative, hop.alternatives);
  }
  /// Of a hop, when causes are found: the rest are less likely than one in nine.
  static constexpr uint32_t kMostAlternatives = 8;
  /// Names fewer alternatives of each hop where most have many: else an output would grow faster
  /// than what is read. The likeliest come first.
  void bound_alternatives();
  std::span<const Detail> details_of(HopId hop) const;
  /// Completes `edges`. Requires that the causes of all hops are final.
  void list_edges();
  std::span<const HopEdge> edges_into(HopId hop) const;
  /// Those beside the one from its cause.
  std::span<const HopEdge> more_edges_into(HopId hop) const {
    return edges_into(hop).subspan((*this)[hop].cause ? 1 : 0);
  }
  /// Is it an agent's call, and not known what led the agent to it?
  bool lacks_cause(const Hop& hop) const {
    return hop.is_call() && !hop.cause && hop.from &&
           (*this)[hop.from].type != Actor::Type::principal;
  }
  ActorId actor(std::string_view id);
  /// The principal of that name, with its prefix or without.
  ActorId principal(std::string_view name);
  /// Unique among all hops: its id, with `~2` behind it for the second of that id.
  std::string name_of(const Trace& trace, HopId hop) const;
  /// The hop of that name; nowhere: there is none.
  HopId find(const Trace& trace, std::string_view name) const;

 private:
  std::vector<ActorId> actor_of_word_;
};

class Graph;

/// The same as model calls tell it; Graph::call_hops() has it.
Hops hops_of_calls(const Graph& graph);

/// These, and behind them the runs of spans that no model call records; Graph::joined_hops() has
/// them. Of a run with a span that is one of the calls, the calls tell.
Hops join_hops(const Graph& graph);

/// Puts observations of one hop together and finds what led to what.
Hops find_hops(const Trace& trace, const LinkOptions& linking);

}  // namespace xtrace
