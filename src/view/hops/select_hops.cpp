#include "view/hops/select_hops.h"

#include <algorithm>

#include "link/calls/session_names.h"
#include "view/common/field.h"
#include "view/hops/paths.h"

namespace xtrace {

namespace {

Filterable filterable_in(const Trace& trace, const Hops& hops) {
  Filterable known{"edges between spans", kCauseWords};
  for (const Run& run : hops.runs) {
    known.runs.emplace(run.id);
    known.sessions.emplace(run.id);
    if (!run.session.empty()) known.sessions.emplace(run.session);
  }
  for (const Actor& actor : hops.actors) {
    known.agents.emplace(actor.id);
    known.agents.emplace(actor.label());
  }
  for (const Hop& hop : hops.all) {
    if (hop.span) known.sources.emplace(source_of(trace, trace[hop.span].source));
    if (hop.tool) known.tools.emplace(trace[hop.tool]);
    known.newest = std::max(known.newest, hop.start);
  }
  for (const Call& call : trace.calls) known.newest = std::max(known.newest, call.start);
  return known;
}

}  // namespace

/// In answers about chains a hop is as sure as all that led to it, and one below --min-confidence
/// goes with its calls; in others only the link goes.
Result<HopSelection> select_hops(const Filter& asked, const Trace& trace, const Hops& hops,
                                 HopLinks links, const Zone& zone) {
  bool of_chains = links == HopLinks::chains;
  if (of_chains && asked.chooses_edges())
    return fail(Exit::usage, "--edge: this graph has no link types; use dag --view calls");
  if (!asked.min_cost.empty())
    return fail(Exit::usage,
                "--min-cost: applies only to model calls, and the input contains spans");
  if (!asked.projects.empty())
    return fail(Exit::usage,
                "--project: applies only to model calls, and the input contains spans");
  HopSelection selection;
  selection.min_confidence = asked.min_confidence;
  const Result<ReadFilter> read =
      read_filter(asked, filterable_in(trace, hops), zone, selection.hidden);
  if (!read) return tl::unexpected(read.error());
  const ReadFilter& filter = *read;

  std::vector<bool> wanted;
  for (const Actor& actor : hops.actors)
    wanted.push_back(any_of(filter.agents, actor.id) || any_of(filter.agents, actor.label()));
  auto wants = [&](ActorId actor) { return actor && wanted[actor.index]; };
  for (const Hop& hop : hops.all) {
    const Run& run = hops.runs[hop.run];
    const auto is_in = [&](const std::string& session) { return run.is_of_session(session); };
    selection.hops.push_back(
        any_of(filter.runs, run.id) &&
        (filter.sources.empty() ||
         (hop.span && any_of(filter.sources, source_of(trace, trace[hop.span].source)))) &&
        (filter.sessions.empty() || std::ranges::any_of(filter.sessions, is_in)) &&
        (filter.agents.empty() || wants(hop.from) || wants(hop.to)) &&
        (filter.tools.empty() || (hop.tool && any_of(filter.tools, trace[hop.tool]))) &&
        any_of(filter.statuses, hop.outcome) && filter.period.holds(hop.start));
  }
  if (of_chains && filter.min_confidence > 0) {
    Paths paths(hops);
    for (size_t i = 0; i < hops.all.size(); ++i)
      if (!reaches(paths.certainty(HopId(i)).confidence, filter.min_confidence))
        selection.hops[i] = false;
  }
  selection.causes.resize(hops.all.size());
  for (const HopEdge& edge : hops.edges) {
    bool shown = selection.shows(edge.from) && selection.shows(edge.to);
    if (shown && !of_chains) shown = filter.shows_edge(cause_word(edge), edge.confidence);
    selection.edges.push_back(shown);
    if (edge.from == hops[edge.to].cause) selection.causes[edge.to.index] = shown;
  }
  selection.narrow(hops,
                   [&](HopId id) { return !hops[id].span || !trace[hops[id].span].is_of_query; });
  if (const int64_t hidden = selection.hidden.nodes;
      hidden > 0 && static_cast<size_t>(hidden) == hops.all.size())
    selection.hidden.by = blame(asked, hidden, [&](const Filter& one) {
      return select_hops(one, trace, hops, links, zone);
    });
  return selection;
}

}  // namespace xtrace
