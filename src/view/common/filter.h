#pragma once

#include <string>
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
  bool shows_edge(std::string_view type) const;
  /// Each of those that were given and choose nodes, by itself: `--status error`.
  std::vector<std::pair<std::string, Filter>> each() const;

  std::vector<std::string> runs, sessions, agents, tools, edges, no_edges, statuses;
  std::string since, until, min_cost;
  double min_confidence = 0;
};

/// Of filters that leave nothing, those that hide anything by themselves; `hidden_by(filter)`
/// counts what one of them does.
template <class Count>
std::vector<HiddenBy> blame(const Filter& filters, int64_t hidden, Count hidden_by) {
  const std::vector<std::pair<std::string, Filter>> each = filters.each();
  if (each.size() == 1) return {{each.front().first, hidden}};
  std::vector<HiddenBy> by;
  for (const auto& [name, filter] : each)
    if (const int64_t nodes = hidden_by(filter); nodes > 0) by.push_back({name, nodes});
  return by;
}

}  // namespace xtrace
