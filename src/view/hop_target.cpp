#include "view/hop_target.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "base/nearest.h"
#include "base/text.h"

namespace xtrace {

namespace {

/// A place as answers print it, or as an editor counts: `file@offset`, `file:line`.
class Place {
 public:
  static std::optional<Place> read(std::string_view text) {
    size_t sign = text.find_last_of("@:");
    if (sign == std::string_view::npos) return std::nullopt;
    Place place(text.substr(0, sign), text[sign] == '@');
    const char* end = text.data() + text.size();
    auto [rest, error] = std::from_chars(text.data() + sign + 1, end, place.number_);
    if (error != std::errc() || rest != end) return std::nullopt;
    return place;
  }

  bool is(const Trace& trace, const Extent& at) const {
    return number_ == (is_offset_ ? at.offset : at.line) && path_ == trace.sources[at.file].path;
  }

 private:
  Place(std::string_view path, bool is_offset) : path_(path), is_offset_(is_offset) {}

  std::string_view path_;
  bool is_offset_;
  uint64_t number_ = 0;
};

/// All hops one of whose observations stands there.
std::vector<HopTarget> at_place(const Trace& trace, const Hops& hops, const Place& place) {
  std::vector<HopTarget> found;
  for (size_t i = 0; i < hops.all.size(); ++i) {
    const Hop& hop = hops.all[i];
    bool there = place.is(trace, hop.at);
    for (SpanId id : hops.observations_of(hop)) there |= place.is(trace, trace[id].source);
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
  std::vector<HopTarget> found;
  if (std::optional<Place> place = Place::read(name)) found = at_place(graph.trace(), hops, *place);
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
