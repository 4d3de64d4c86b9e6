#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "link/graph/graph.h"
#include "view/common/wanted.h"

namespace xtrace {

/// A filter, and how many it hides, whatever the others do.
struct HiddenBy {
  std::string filter;  ///< as it was given: `--status error`
  int64_t nodes = 0;
};

/// How much filters hide.
struct Hidden {
  int64_t nodes = 0;
  int64_t edges = 0;                    ///< filtered out themselves, or one of their ends is
  std::vector<PartOfNames> parts = {};  ///< that filters gave in place of names
  /// How an incomplete time, such as `21:37`, was completed.
  std::optional<Time> since = {}, until = {};
  std::vector<HiddenBy> by = {};  ///< if nothing is left, those that hide any

  /// Of another kind of nodes that the same filters hide.
  void add(const Hidden& other);
};

/// What of a graph is shown. Everything is linked first, so a filter never changes a link.
struct Selection {
  std::vector<bool> calls;      ///< by call
  std::vector<uint32_t> links;  ///< indices into Graph::links(); both ends are shown
  std::vector<Link> adjusted;   ///< over calls that are not shown, see adjusted_links()
  Hidden hidden;

  bool shows(CallId call) const { return calls[call.index]; }
  /// Those of them that are.
  std::vector<CallId> shown(std::span<const CallId> of) const;
};

/// What the filters for links choose in an answer about hops.
enum class HopLinks : uint8_t {
  causes,  ///< the edge from a hop's cause to it
  chains,  ///< the hop: all that led to it
};

/// What of the hops is shown.
struct HopSelection {
  std::vector<bool> hops;     ///< by hop
  std::vector<bool> edges;    ///< by edge (Hops::edges)
  std::vector<bool> causes;   ///< by hop: the edge from its cause is shown
  double min_confidence = 0;  ///< less sure ones are not
  Hidden hidden;

  bool shows(HopId hop) const { return hops[hop.index]; }
  bool shows_cause_of(HopId hop) const { return causes[hop.index]; }
  /// Leaves out what nobody asked about: it is not shown, and not hidden by a filter either.
  void narrow(const Hops& of, const std::function<bool(HopId)>& is_asked);
};

}  // namespace xtrace
