#include "view/hop_target.h"

#include <fmt/format.h>

#include "base/nearest.h"
#include "base/text.h"

namespace xtrace {

namespace {

std::string place_of(const Graph& graph, const Extent& at, bool is_span) {
  const Source& source = graph.trace().sources[at.file];
  return is_span && source.is_document ? fmt::format("{}@{}", source.path, at.offset)
                                       : fmt::format("{}:{}", source.path, at.line);
}

/// All hops one of whose observations stands there.
std::vector<HopTarget> at_place(const Graph& graph, const Hops& hops, const std::string& place) {
  std::vector<HopTarget> found;
  if (place.find_first_of("@:") == std::string::npos) return found;
  for (size_t i = 0; i < hops.all.size(); ++i) {
    const Hop& hop = hops.all[i];
    bool there = place_of(graph, hop.at, static_cast<bool>(hop.span)) == place;
    for (SpanId id : hops.observations_of(hop))
      there |= place_of(graph, graph.trace()[id].source, true) == place;
    if (there) found.push_back({{}, HopId(i)});
  }
  return found;
}

std::vector<HopTarget> matching(const Trace& trace, const Hops& hops, std::string_view part) {
  std::vector<HopTarget> found;
  for (size_t i = 0; i < hops.actors.size(); ++i)
    if (hops.actors[i].id.find(part) != std::string_view::npos) found.push_back({ActorId(i), {}});
  if (!found.empty()) return found;
  for (size_t i = 0; i < hops.all.size(); ++i)
    if (trace[hops.all[i].id].starts_with(part)) found.push_back({{}, HopId(i)});
  return found;
}

}  // namespace

Result<HopTarget> find_target(const Graph& graph, const Hops& hops, const std::string& name) {
  for (size_t i = 0; i < hops.actors.size(); ++i)
    if (hops.actors[i].id == name) return HopTarget{ActorId(i), {}};
  if (HopId hop = hops.find(graph.trace(), name)) return HopTarget{{}, hop};
  std::vector<HopTarget> found = at_place(graph, hops, name);
  if (found.empty() && !name.empty()) found = matching(graph.trace(), hops, name);
  if (found.size() == 1) return found.front();

  if (found.empty()) {
    std::vector<std::string_view> names;
    for (const Actor& actor : hops.actors) names.push_back(actor.id);
    return fail(Exit::no, fmt::format("there is no actor or span '{}'{}", printable(name),
                                      did_you_mean(name, names)));
  }
  constexpr size_t kNamed = 10;
  std::string list;
  for (size_t i = 0; i < std::min(found.size(), kNamed); ++i) {
    const HopTarget& target = found[i];
    list +=
        fmt::format("\n  {}", printable(target.actor ? std::string(hops[target.actor].id)
                                                     : hops.name_of(graph.trace(), target.hop)));
  }
  return fail(Exit::no, fmt::format("'{}' fits {} names; which one?{}{}", printable(name),
                                    found.size(), list, found.size() > kNamed ? "\n  …" : ""));
}

}  // namespace xtrace
