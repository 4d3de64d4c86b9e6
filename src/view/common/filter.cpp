#include "view/common/filter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "base/nearest.h"
#include "base/text.h"
#include "view/common/field.h"
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

void declare_period(Options& options, Filter& filter, std::string_view newest) {
  options.add(
      "--since", filter.since, "T",
      fmt::format("start of the period: 2026-01-10T12:00:00Z, 21:37 (on the last day of the "
                  "log), 2026-01-10, yesterday, friday, 5m (before the newest {}), 7d "
                  "(before now); local time on a terminal, otherwise UTC",
                  newest));
  options.add("--until", filter.until, "T",
              "end of the period, in the same forms; a day is included whole");
}

}  // namespace

void Filter::declare(Options& options) {
  options.group(kFilters);
  options.add("--run", runs, "ID", "filter by run: run id or trace id; for calls, session id");
  options.add("--session", sessions, "ID", "filter by session; for spans, by run");
  options.add("--project", projects, "NAME",
              "filter by the working folder of the session: its name or whole path");
  options.add("--source", sources, "PRODUCT",
              "filter by the agent product that wrote the log, such as claude-code or codex");
  options.add("--agent", agents, "NAME",
              "filter by agent: Explore or Explore#3; for hops, either end");
  options.add("--tool", tools, "NAME", "filter by tool: calls that use it, or hops made with it");
  options.add("--status", statuses, "STATUS",
              "filter by outcome; error: the call failed, tool_error: a tool it used failed, "
              "unknown: no outcome, reply or end recorded",
              status_words());
  declare_period(options, *this, "call");
  options.add("--min-cost", min_cost, "USD",
              "filter by cost: calls that cost at least this much without subagents");
  options.group({});
}

void Filter::declare_hops(Options& options) {
  options.group(kFilters);
  options.add("--run", runs, "ID", "filter by run: id of a run, trace or session");
  options.add("--session", sessions, "ID", "same as --run");
  options.add("--agent", agents, "NAME", "filter by actor: hops from or to it");
  options.add("--tool", tools, "NAME",
              "filter by tool: hops made with it (logs of model calls only)");
  options.add("--status", statuses, "STATUS",
              "filter by outcome; unfinished: no end recorded, unknown: no outcome recorded",
              words_of(kOutcomeWords));
  declare_period(options, *this, "hop");
  options.add("--min-confidence", min_confidence, "P",
              "minimum confidence of the whole chain of causes, 0 to 1");
  options.group({});
}

void Filter::declare_links(Options& options) {
  options.group(kFilters);
  options.add("--edge", edges, "TYPE",
              "show only links of this type; parent and causal apply to spans", edge_words());
  options.add("--no-edge", no_edges, "TYPE", "hide links of this type", edge_words());
  options.add("--min-confidence", min_confidence, "P",
              "minimum confidence of a link, 0 to 1; with --view actors, minimum confidence of the "
              "whole chain of causes");
  options.group({});
}

bool Filter::shows_edge(std::string_view type, double confidence) const {
  return any_of(edges, type) && (no_edges.empty() || !any_of(no_edges, type)) &&
         reaches(confidence, min_confidence);
}

std::vector<std::pair<std::string, Filter>> Filter::each() const {
  std::vector<std::pair<std::string, Filter>> found;
  for (const auto& [name, list] : {std::pair{"--run", &Filter::runs},
                                   {"--session", &Filter::sessions},
                                   {"--project", &Filter::projects},
                                   {"--source", &Filter::sources},
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
       {&runs, &sessions, &projects, &sources, &agents, &tools, &edges, &no_edges, &statuses})
    if (!words->empty()) return true;
  return !since.empty() || !until.empty() || !min_cost.empty() || min_confidence > 0;
}

Result<ReadFilter> read_filter(const Filter& asked, const Filterable& known, const Zone& zone,
                               Hidden& hidden) {
  Filter filter = asked;
  const std::set<std::string> none;
  for (const auto& [what, wanted, names, whole] :
       {std::tuple{"run", &filter.runs, &known.runs, &none},
        {"session", &filter.sessions, &known.sessions, &none},
        {"project", &filter.projects, &known.projects, &known.whole_projects},
        {"source", &filter.sources, &known.sources, &none},
        {"agent", &filter.agents, &known.agents, &known.whole_agents},
        {"tool", &filter.tools, &known.tools, &none}}) {
    Result<std::vector<std::string>> meant =
        names_meant(what, *wanted, *names, *whole, hidden.parts);
    if (!meant) return tl::unexpected(meant.error());
    *wanted = *std::move(meant);
  }
  for (Status checked : {check_edges(filter.edges, filter.no_edges, known.links, known.edges),
                         check_statuses(filter.statuses, known.more_statuses)})
    if (!checked) return tl::unexpected(checked.error());
  const Result<Period> period = read_period(filter.since, filter.until, known.newest, zone);
  if (!period) return tl::unexpected(period.error());
  const Result<int64_t> least_cost = read_min_cost(filter.min_cost);
  if (!least_cost) return tl::unexpected(least_cost.error());
  hidden.since = period->meant_since;
  hidden.until = period->meant_until;
  return ReadFilter{filter, *period, *least_cost};
}

}  // namespace xtrace
