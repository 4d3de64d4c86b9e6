#include "view/common/filter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/nearest.h"
#include "base/text.h"
#include "view/common/wanted.h"

namespace xtrace {

namespace {

using Words = std::vector<std::string_view>;

Words words_of(std::span<const std::string_view> words) {
  return {words.begin(), words.end()};
}

/// Of calls and hops, and what else a step of a story may come to.
Words status_words() {
  Words words = words_of(kOutcomeWords);
  words.insert(words.end(), {kToolErrorStatus, "warning", "skipped"});
  return words;
}

/// Every type that a link or an edge of any answer has.
Words edge_words() {
  Words words = words_of(kLinkWords);
  words.insert(words.end(), std::begin(kCauseWords), std::end(kCauseWords));
  return words;
}

}  // namespace

void Filter::declare(Options& options) {
  options.group(kFilters);
  options.add("--run", runs, "ID",
              "only this run of spans, or trace; of model calls a run is a session");
  options.add("--session", sessions, "ID", "only this session; of spans a session is a run");
  options.add("--agent", agents, "NAME",
              "only this agent, by type or as type#n; of hops those from or to it");
  options.add("--tool", tools, "NAME", "only calls that use this tool; of hops those by it");
  options.add(
      "--status", statuses, "STATUS",
      "only calls that ended so; error: they failed, tool_error: a tool that they asked for "
      "did, unanswered: no answer is on record, unfinished: no end is on record, unknown: any of "
      "these, not_recorded: subagents of which only a report is there; warning and skipped are of "
      "--view explanation",
      status_words());
  options.add("--since", since, "T",
              "only calls that start at T or later: 2026-01-10T12:00:00Z; 21:37; a day, such as "
              "2026-01-10, today, yesterday or friday; 5m or 2h before the newest call; 7d before "
              "now. Days and times without Z are in the zone of the answer: UTC, except on a "
              "terminal");
  options.add("--until", until, "T",
              "only calls that start at T or earlier; a day is included whole");
  options.add("--min-cost", min_cost, "USD",
              "only calls that cost at least so many dollars themselves: 0.05");
  options.group({});
}

void Filter::declare_hops(Options& options) {
  options.group(kFilters);
  options.add("--run", runs, "ID",
              "only this run: its id, that of a trace, or of a session of calls");
  options.add("--session", sessions, "ID", "only this session: the same as --run");
  options.add("--agent", agents, "NAME", "only hops from or to this actor");
  options.add("--tool", tools, "NAME", "only hops by this tool, of model calls");
  options.add(
      "--status", statuses, "STATUS",
      "only hops that ended so; unfinished: no end is on record, unknown: that or none known",
      words_of(kOutcomeWords));
  options.add("--since", since, "T",
              "only hops that start at T or later: 2026-01-10T12:00:00Z; 21:37; a day, such as "
              "2026-01-10, today, yesterday or friday; 5m or 2h before the newest hop; 7d before "
              "now. Days and times without Z are in the zone of the answer: UTC, except on a "
              "terminal");
  options.add("--until", until, "T",
              "only hops that start at T or earlier; a day is included whole");
  options.add("--min-confidence", min_confidence, "P",
              "only hops whose whole chain of causes is at least this sure, 0 to 1");
  options.group({});
}

void Filter::declare_links(Options& options) {
  options.group(kFilters);
  options.add("--edge", edges, "TYPE",
              "only links of this type; parent and causal are those of spans, the others those of "
              "model calls",
              edge_words());
  options.add("--no-edge", no_edges, "TYPE", "no links of this type", edge_words());
  options.add("--min-confidence", min_confidence, "P",
              "only links at least this sure, 0 to 1; of --view actors only calls whose whole "
              "chain of causes is");
  options.group({});
}

bool Filter::shows_edge(std::string_view type) const {
  return any_of(edges, type) && (no_edges.empty() || !any_of(no_edges, type));
}

std::vector<std::pair<std::string, Filter>> Filter::each() const {
  std::vector<std::pair<std::string, Filter>> found;
  for (const auto& [name, list] : {std::pair{"--run", &Filter::runs},
                                   {"--session", &Filter::sessions},
                                   {"--agent", &Filter::agents},
                                   {"--tool", &Filter::tools},
                                   {"--status", &Filter::statuses}})
    if (!(this->*list).empty()) {
      Filter one;
      one.*list = this->*list;
      found.emplace_back(fmt::format("{} {}", name, fmt::join(this->*list, ",")), std::move(one));
    }
  for (const auto& [name, word] : {std::pair{"--since", &Filter::since},
                                   {"--until", &Filter::until},
                                   {"--min-cost", &Filter::min_cost}})
    if (!(this->*word).empty()) {
      Filter one;
      one.*word = this->*word;
      found.emplace_back(fmt::format("{} {}", name, this->*word), std::move(one));
    }
  if (min_confidence > 0) {
    Filter one;
    one.min_confidence = min_confidence;
    found.emplace_back(fmt::format("--min-confidence {}", min_confidence), std::move(one));
  }
  return found;
}

bool Filter::any() const {
  for (const std::vector<std::string>* words :
       {&runs, &sessions, &agents, &tools, &edges, &no_edges, &statuses})
    if (!words->empty()) return true;
  return !since.empty() || !until.empty() || !min_cost.empty() || min_confidence > 0;
}

}  // namespace xtrace
