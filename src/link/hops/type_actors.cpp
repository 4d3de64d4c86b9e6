#include <array>

#include "base/one_of.h"
#include "link/hops/span_linkers.h"

namespace xtrace {

namespace {

constexpr size_t kTypes = std::size(kActorWords);
using Votes = std::array<uint32_t, kTypes>;

bool tells_its_type(std::string_view id) {
  constexpr std::string_view kPrefixes[] = {"user", "principal", "agent", "resource"};
  size_t colon = id.find(':');
  return colon != std::string_view::npos && is_one_of(id.substr(0, colon), kPrefixes);
}

void vote(std::string_view said, Votes& votes) {
  if (said == "user") said = word(Actor::Type::principal);
  for (size_t i = 0; i < kTypes; ++i) votes[i] += said == kActorWords[i];
}

}  // namespace

void type_actors(Hops& hops) {
  std::vector<Votes> votes(hops.actors.size());
  for (const Hop& hop : hops.all) {
    constexpr std::string_view kBetween = "_to_";
    std::string_view kind = hops.words[hop.kind];
    size_t at = kind.find(kBetween);
    if (at == std::string_view::npos) continue;
    if (hop.from) vote(kind.substr(0, at), votes[hop.from.index]);
    if (hop.to) vote(kind.substr(at + kBetween.size()), votes[hop.to.index]);
  }
  for (size_t i = 0; i < votes.size(); ++i) {
    Actor& actor = hops.actors[i];
    if (tells_its_type(actor.id)) continue;
    auto most = std::max_element(votes[i].begin(), votes[i].end());
    if (*most > 0) actor.type = static_cast<Actor::Type>(most - votes[i].begin());
  }
}

}  // namespace xtrace
