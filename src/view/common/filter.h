#pragma once

#include <string>
#include <vector>

#include "view/common/view.h"

namespace xtrace {

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

  std::vector<std::string> runs, sessions, agents, tools, edges, no_edges, statuses;
  std::string since, until, min_cost;
  double min_confidence = 0;
};

}  // namespace xtrace
