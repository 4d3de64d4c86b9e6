#include "view/common/filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/nearest.h"
#include "base/text.h"
#include "view/calls/spending.h"
#include "view/common/field.h"
#include "view/common/wanted.h"
#include "view/hops/paths.h"

namespace xtrace {

std::string session_name(const Graph& graph, const Session& session) {
  return session.id ? std::string(graph.trace()[session.id]) : fmt::format("s{}", session.number);
}

std::string agent_name(const Agent& agent) {
  return agent.nth == 0 ? agent.type : fmt::format("{}#{}", agent.type, agent.nth);
}

std::vector<EventId> Selection::shown(std::span<const EventId> of) const {
  std::vector<EventId> shown;
  for (EventId event : of)
    if (shows(event)) shown.push_back(event);
  return shown;
}

void HopSelection::narrow(const Hops& of, const std::function<bool(HopId)>& is_asked) {
  hidden = {};
  for (size_t i = 0; i < hops.size(); ++i) {
    if (!is_asked(HopId(i))) {
      hops[i] = causes[i] = false;
      continue;
    }
    hidden.nodes += !hops[i];
    hidden.edges += of.all[i].cause && !causes[i];
  }
}

namespace {

using Words = std::vector<std::string_view>;

Words words_of(std::span<const std::string_view> words) {
  return {words.begin(), words.end()};
}

/// Of calls and hops, and what else a step of a story may come to.
Words status_words() {
  Words words = words_of(kOutcomeWords);
  words.insert(words.end(), {"warning", "skipped"});
  return words;
}

/// Calls and hops have fewer.
Status check_statuses(const std::vector<std::string>& wanted) {
  for (const std::string& word : wanted)
    if (std::find(std::begin(kOutcomeWords), std::end(kOutcomeWords), word) ==
        std::end(kOutcomeWords))
      return fail(Exit::usage, fmt::format("--status {}: only steps of dag --view explanation end "
                                           "so; calls and hops: {}",
                                           printable(word), fmt::join(kOutcomeWords, ", ")));
  return {};
}

/// Every type that a link or an edge of any answer has.
Words edge_words() {
  Words words = words_of(kLinkWords);
  words.insert(words.end(), std::begin(kCauseWords), std::end(kCauseWords));
  return words;
}

/// `links`: what has edges, in words; `known`: their types.
Status check_edges(const std::vector<std::string>& wanted, std::string_view links,
                   std::span<const std::string_view> known) {
  for (const std::string& word : wanted)
    if (std::find(known.begin(), known.end(), word) == known.end())
      return fail(Exit::usage, fmt::format("--edge {}: {} are of type {}", printable(word), links,
                                           fmt::join(known, ", ")));
  return {};
}

/// Compares what answers print.
bool reaches(double confidence, double least) {
  return thousandths(confidence) >= least;
}

}  // namespace

void Filter::declare(Options& options) {
  options.add("--run", runs_, "ID",
              "only this run of spans, or trace; of model calls a run is a session");
  options.add("--session", sessions_, "ID", "only this session; of spans a session is a run");
  options.add("--agent", agents_, "NAME",
              "only this agent, by type or as type#n; of hops those from or to it");
  options.add("--tool", tools_, "NAME", "only calls that use this tool; of hops those by it");
  options.add("--status", statuses_, "STATUS",
              "only calls that ended so; error: they failed, unanswered: no answer is on record, "
              "not_recorded: subagents of which only a report is there; warning and skipped are of "
              "--view explanation",
              status_words());
  options.add("--since", since_, "T",
              "only calls that start at T or later; T is 2026-01-10T12:00:00Z, 2026-01-10, or how "
              "long before the newest call: 90s, 5m, 2h, 1d");
  options.add("--until", until_, "T",
              "only calls that start at T or earlier; T is written as for --since");
  options.add("--min-cost", min_cost_, "USD",
              "only calls that cost at least so many dollars themselves: 0.05");
}

void Filter::declare_hops(Options& options) {
  options.add("--run", runs_, "ID",
              "only this run: its id, that of a trace, or of a session of calls");
  options.add("--session", sessions_, "ID", "only this session: the same as --run");
  options.add("--agent", agents_, "NAME", "only hops from or to this actor");
  options.add("--tool", tools_, "NAME", "only hops by this tool, of model calls");
  options.add("--status", statuses_, "STATUS", "only hops that ended so", words_of(kOutcomeWords));
  options.add("--since", since_, "T",
              "only hops that start at T or later; T is 2026-01-10T12:00:00Z, 2026-01-10, or how "
              "long before the newest hop: 90s, 5m, 2h, 1d");
  options.add("--until", until_, "T",
              "only hops that start at T or earlier; T is written as for --since");
  options.add("--min-confidence", min_confidence_, "P",
              "only hops whose whole chain of causes is at least this sure, 0 to 1");
}

void Filter::declare_links(Options& options) {
  options.add("--edge", edges_, "TYPE",
              "only links of this type; parent and causal are those of spans, the others those of "
              "model calls",
              edge_words());
  options.add("--min-confidence", min_confidence_, "P",
              "only links at least this sure, 0 to 1; of --view actors only calls whose whole "
              "chain of causes is");
}

bool Filter::any() const {
  for (const std::vector<std::string>* words :
       {&runs_, &sessions_, &agents_, &tools_, &edges_, &statuses_})
    if (!words->empty()) return true;
  return !since_.empty() || !until_.empty() || !min_cost_.empty() || min_confidence_ > 0;
}

Result<Selection> Filter::select(const Graph& graph, const PriceTable& prices) const {
  const Timeline& timeline = graph.timeline();
  std::set<std::string> sessions, agents, tools;
  for (const Session& session : graph.sessions()) sessions.insert(session_name(graph, session));
  for (const Agent& agent : graph.agents()) {
    agents.insert(agent.type);
    agents.insert(agent_name(agent));
  }
  for (const ToolUse& use : graph.trace().tool_uses)
    tools.insert(std::string(graph.trace()[use.name]));
  for (Status checked :
       {check_names("run", runs_, sessions), check_names("session", sessions_, sessions),
        check_names("agent", agents_, agents), check_names("tool", tools_, tools),
        check_edges(edges_, "links of model calls", kLinkWords), check_statuses(statuses_)})
    if (!checked) return tl::unexpected(checked.error());

  Time newest = kNoTime;
  for (const Event& event : graph.trace().events) newest = std::max(newest, event.start);
  Result<Period> period = read_period(since_, until_, newest);
  if (!period) return tl::unexpected(period.error());
  Result<int64_t> min_cost = read_min_cost(min_cost_);
  if (!min_cost) return tl::unexpected(min_cost.error());
  CallCosts costs(graph.trace(), prices);

  Selection selection;
  for (size_t i = 0; i < graph.trace().events.size(); ++i) {
    EventId id(i);
    const Event& event = timeline[id];
    const Agent& agent = graph.agent_of(id);
    bool uses = tools_.empty();
    if (!uses)
      for (const ToolUse* use : graph.tool_uses_of(id))
        uses |= any_of(tools_, graph.trace()[use->name]);
    std::string session = session_name(graph, graph.session_of(id));
    bool shown = uses && any_of(runs_, session) && any_of(sessions_, session) &&
                 (any_of(agents_, agent.type) || any_of(agents_, agent_name(agent))) &&
                 any_of(statuses_, word(event.outcome)) && period->holds(event.start) &&
                 (*min_cost < 0 || costs.of(timeline.call(id)) >= *min_cost);
    selection.events.push_back(shown);
    if (!shown) ++selection.hidden.nodes;
  }
  for (uint32_t i = 0; i < graph.links().size(); ++i) {
    const Link& link = graph.links()[i];
    bool shown = selection.shows(link.from) && selection.shows(link.to) &&
                 any_of(edges_, word(link.kind)) && reaches(confidence(link), min_confidence_);
    if (shown)
      selection.links.push_back(i);
    else
      ++selection.hidden.edges;
  }
  return selection;
}

Result<StoryFilter> Filter::of_story() const {
  if (!tools_.empty())
    return fail(Exit::usage, "--tool: a story names no tools; --focus finds what bears a name");
  if (!edges_.empty())
    return fail(Exit::usage, "--edge: the steps of a story have relations, not types of links");
  StoryFilter filter{runs_, agents_, {}, statuses_, min_cost_, since_, until_, min_confidence_};
  filter.runs.insert(filter.runs.end(), sessions_.begin(), sessions_.end());
  return filter;
}

Result<HopSelection> Filter::select_hops(const Trace& trace, const Hops& hops,
                                         HopLinks links) const {
  bool of_chains = links == HopLinks::chains;
  if (of_chains && !edges_.empty())
    return fail(Exit::usage,
                "--edge: here edges are calls, which have no type of link; --view calls has links");
  if (!min_cost_.empty())
    return fail(Exit::usage, "--min-cost: these are spans, and only model calls have a cost here");
  std::set<std::string> runs, actors, tools;
  for (const Run& run : hops.runs) runs.insert(std::string(run.id));
  for (const Actor& actor : hops.actors) {
    actors.insert(std::string(actor.id));
    actors.insert(std::string(actor.label()));
  }
  for (const Hop& hop : hops.all)
    if (hop.tool) tools.insert(std::string(trace[hop.tool]));
  for (Status checked :
       {check_names("run", runs_, runs), check_names("session", sessions_, runs),
        check_names("agent", agents_, actors), check_names("tool", tools_, tools),
        check_edges(edges_, "edges of spans", kCauseWords), check_statuses(statuses_)})
    if (!checked) return tl::unexpected(checked.error());
  Time newest = kNoTime;
  for (const Hop& hop : hops.all) newest = std::max(newest, hop.start);
  Result<Period> period = read_period(since_, until_, newest);
  if (!period) return tl::unexpected(period.error());

  HopSelection selection;
  selection.min_confidence = min_confidence_;
  std::vector<bool> wanted(hops.actors.size());
  for (size_t i = 0; i < wanted.size(); ++i)
    wanted[i] = any_of(agents_, hops.actors[i].id) || any_of(agents_, hops.actors[i].label());
  auto wants = [&](ActorId actor) { return actor && wanted[actor.index]; };
  for (const Hop& hop : hops.all) {
    std::string_view run = hops.runs[hop.run].id;  // of model calls, the session
    selection.hops.push_back(any_of(runs_, run) && any_of(sessions_, run) &&
                             (agents_.empty() || wants(hop.from) || wants(hop.to)) &&
                             (tools_.empty() || (hop.tool && any_of(tools_, trace[hop.tool]))) &&
                             any_of(statuses_, word(hop.outcome)) && period->holds(hop.start));
  }
  if (of_chains && min_confidence_ > 0) {
    Paths paths(hops);
    for (size_t i = 0; i < hops.all.size(); ++i)
      if (!reaches(paths.certainty(HopId(i)).confidence, min_confidence_))
        selection.hops[i] = false;
  }
  for (size_t i = 0; i < hops.all.size(); ++i) {
    const Hop& hop = hops.all[i];
    bool shown = hop.cause && selection.hops[i] && selection.shows(hop.cause);
    if (shown && !of_chains)
      shown = any_of(edges_, cause_word(hop)) &&
              reaches(static_cast<double>(hop.confidence), min_confidence_);
    selection.causes.push_back(shown);
  }
  selection.narrow(hops, [](HopId) { return true; });
  return selection;
}

}  // namespace xtrace
