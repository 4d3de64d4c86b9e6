#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "view/common/selection.h"
#include "view/common/view.h"

namespace xtrace {

/// The title of filters among options.
inline constexpr std::string_view kFilters = "Filters";

/// The filters that mean the same in every view.
struct Filter {
  /// Those that choose calls.
  void declare(Options& options);
  /// Those that choose hops.
  void declare_hops(Options& options);
  /// Those that choose links, for views that show any.
  void declare_links(Options& options);
  /// Was any of them given?
  bool any() const;
  /// Was any of those that choose links by their type?
  bool chooses_edges() const { return !edges.empty() || !no_edges.empty(); }
  bool shows_edge(std::string_view type, double confidence) const;
  /// Each of those that were given and choose nodes, by itself: `--status error`.
  std::vector<std::pair<std::string, Filter>> each() const;

  std::vector<std::string> runs, sessions, agents, tools, edges, no_edges, statuses;
  std::vector<std::string> projects, sources;
  std::string since, until, min_cost;
  double min_confidence = 0;
};

/// What filters may name in a graph: the types of its edges, which are called `links`, and the
/// rest.
struct Filterable {
  std::string_view links;
  std::span<const std::string_view> edges, more_statuses = {};
  std::set<std::string> runs = {}, sessions = {}, agents = {}, tools = {}, sources = {};
  std::set<std::string> projects = {}, whole_projects = {};
  std::set<std::string> whole_agents = {};  ///< meant only if written in full
  Time newest = kNoTime;
};

/// Filters with the names that were meant.
struct ReadFilter : Filter {
  Period period;
  int64_t least_cost;
};

/// Names that nothing has are errors (Exit::no): a typing mistake must not look like an empty
/// answer. Exit::usage for other words that mean nothing. `hidden` gets what words were taken for.
Result<ReadFilter> read_filter(const Filter& asked, const Filterable& known, const Zone& zone,
                               Hidden& hidden);

/// Of filters that leave nothing, those that hide anything by themselves; `select(filter)` is what
/// one of them chooses.
template <class Select>
std::vector<HiddenBy> blame(const Filter& filters, int64_t hidden, Select select) {
  const std::vector<std::pair<std::string, Filter>> each = filters.each();
  if (each.size() == 1) return {{each.front().first, hidden}};
  std::vector<HiddenBy> by;
  for (const auto& [name, filter] : each)
    if (const auto alone = select(filter); alone && alone->hidden.nodes > 0)
      by.push_back({name, alone->hidden.nodes});
  return by;
}

}  // namespace xtrace
