#include "view/hops/select_hops.h"

#include <algorithm>
#include <set>

#include "view/common/field.h"
#include "view/common/wanted.h"
#include "view/hops/paths.h"

namespace xtrace {

/// Names that nothing has are errors, told before anything is left out: a typing mistake must not
/// look like an empty answer. In answers about chains a hop is as sure as all that led to it, and
/// one below --min-confidence goes with its calls; in others only the link goes.
Result<HopSelection> select_hops(const Filter& asked, const Trace& trace, const Hops& hops,
                                 HopLinks links, const Zone& zone) {
  bool of_chains = links == HopLinks::chains;
  if (of_chains && asked.chooses_edges())
    return fail(Exit::usage, "--edge: this graph has no link types; use dag --view calls");
  if (!asked.min_cost.empty())
    return fail(Exit::usage,
                "--min-cost: applies only to model calls, and the input contains spans");
  std::set<std::string> runs, actors, tools;
  std::set<std::string> sessions;
  for (const Run& run : hops.runs) {
    runs.insert(std::string(run.id));
    sessions.insert({std::string(run.id), std::string(run.session.empty() ? run.id : run.session)});
  }
  for (const Actor& actor : hops.actors) {
    actors.insert(std::string(actor.id));
    actors.insert(std::string(actor.label()));
  }
  for (const Hop& hop : hops.all)
    if (hop.tool) tools.insert(std::string(trace[hop.tool]));
  HopSelection selection;
  Filter filter = asked;
  struct {
    const char* what;
    std::vector<std::string>& wanted;
    const std::set<std::string>& names;
  } lists[] = {{"run", filter.runs, runs},
               {"session", filter.sessions, sessions},
               {"agent", filter.agents, actors},
               {"tool", filter.tools, tools}};
  for (auto& list : lists) {
    Result<std::vector<std::string>> meant =
        names_meant(list.what, list.wanted, list.names, {}, selection.hidden.parts);
    if (!meant) return tl::unexpected(meant.error());
    list.wanted = *std::move(meant);
  }
  for (Status checked :
       {check_edges(filter.edges, filter.no_edges, "edges between spans", kCauseWords),
        check_statuses(filter.statuses)})
    if (!checked) return tl::unexpected(checked.error());
  Time newest = kNoTime;
  for (const Hop& hop : hops.all) newest = std::max(newest, hop.start);
  Result<Period> period = read_period(filter.since, filter.until, newest, zone);
  if (!period) return tl::unexpected(period.error());
  selection.hidden.since = period->meant_since;
  selection.hidden.until = period->meant_until;

  selection.min_confidence = filter.min_confidence;
  std::vector<bool> wanted(hops.actors.size());
  for (size_t i = 0; i < wanted.size(); ++i)
    wanted[i] =
        any_of(filter.agents, hops.actors[i].id) || any_of(filter.agents, hops.actors[i].label());
  auto wants = [&](ActorId actor) { return actor && wanted[actor.index]; };
  for (const Hop& hop : hops.all) {
    const Run& of = hops.runs[hop.run];
    std::string_view run = of.id;  // of model calls, the session
    bool is_wanted = filter.sessions.empty() ||
                     std::any_of(filter.sessions.begin(), filter.sessions.end(),
                                 [&](const std::string& id) { return of.is_of_session(id); });
    selection.hops.push_back(
        any_of(filter.runs, run) && is_wanted &&
        (filter.agents.empty() || wants(hop.from) || wants(hop.to)) &&
        (filter.tools.empty() || (hop.tool && any_of(filter.tools, trace[hop.tool]))) &&
        any_of(filter.statuses, hop.outcome) && period->holds(hop.start));
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
    if (shown && !of_chains)
      shown =
          filter.shows_edge(cause_word(edge)) && reaches(edge.confidence, filter.min_confidence);
    selection.edges.push_back(shown);
    if (edge.from == hops[edge.to].cause) selection.causes[edge.to.index] = shown;
  }
  selection.narrow(hops,
                   [&](HopId id) { return !hops[id].span || !trace[hops[id].span].is_of_query; });
  if (const int64_t hidden = selection.hidden.nodes;
      hidden > 0 && static_cast<size_t>(hidden) == hops.all.size())
    selection.hidden.by = blame(asked, hidden, [&](const Filter& one) {
      const Result<HopSelection> alone = select_hops(one, trace, hops, links, zone);
      return alone ? alone->hidden.nodes : 0;
    });
  return selection;
}

}  // namespace xtrace
