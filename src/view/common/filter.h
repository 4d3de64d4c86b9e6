#pragma once

#include <functional>
#include <string>
#include <vector>

#include "view/story/story_options.h"

namespace xtrace {

/// How much filters hide.
struct Hidden {
  int64_t nodes = 0;
  int64_t edges = 0;  ///< filtered out themselves, or one of their ends is
};

/// What of a graph is shown. Everything is linked first, so a filter never changes a link.
struct Selection {
  std::vector<bool> events;     ///< by event
  std::vector<uint32_t> links;  ///< indices into Graph::links(); both ends are shown
  Hidden hidden;
  /// By event: the one that is shown of those that tell of the same call, see tell_once(); empty:
  /// each is shown itself.
  std::vector<EventId> stands_for;

  EventId standing(EventId event) const {
    return stands_for.empty() ? event : stands_for[event.index];
  }
  bool shows(EventId event) const { return events[event.index]; }
  /// Those of them that are.
  std::vector<EventId> shown(std::span<const EventId> of) const;
};

/// What the filters for links choose in an answer about hops.
enum class HopLinks : uint8_t {
  causes,  ///< the edge from a hop's cause to it
  chains,  ///< the hop: all that led to it
};

/// What of the hops is shown.
struct HopSelection {
  std::vector<bool> hops;     ///< by hop
  std::vector<bool> causes;   ///< by hop: the edge from its cause is shown
  double min_confidence = 0;  ///< less sure ones are not
  Hidden hidden;

  bool shows(HopId hop) const { return hops[hop.index]; }
  bool shows_cause_of(HopId hop) const { return causes[hop.index]; }
  /// Leaves out what nobody asked about: it is not shown, and not hidden by a filter either.
  void narrow(const Hops& of, const std::function<bool(HopId)>& is_asked);
};

/// The filters that mean the same in every view.
class Filter {
 public:
  /// Those that choose calls.
  void declare(Options& options);
  /// Those that choose hops.
  void declare_hops(Options& options);
  /// Those that choose links, for views that show any.
  void declare_links(Options& options);
  /// Was any of them given?
  bool any() const;
  /// Exit::no when a session, agent or tool of that name is not there, Exit::usage for a time that
  /// cannot be read and for links that such an answer never has.
  Result<Selection> select(const Graph& graph, const PriceTable& prices = list_prices()) const;
  /// What they ask of a story; Exit::usage for those that no story knows.
  Result<StoryFilter> of_story() const;
  /// The same as select(), of hops.
  Result<HopSelection> select_hops(const Trace& trace, const Hops& hops, HopLinks links) const;

 private:
  std::vector<std::string> runs_, sessions_, agents_, tools_, edges_, statuses_;
  std::string since_, until_, min_cost_;
  double min_confidence_ = 0;
};

/// How users name a session: its explicit id, or `s` and its number.
std::string session_name(const Graph& graph, const Session& session);
/// How users name an agent: its type, with `#n` where there are several.
std::string agent_name(const Agent& agent);

}  // namespace xtrace
