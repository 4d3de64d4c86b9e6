#include "link/calls/spawn_match.h"

#include <algorithm>
#include <unordered_set>

#include "link/calls/agents.h"

namespace xtrace {

namespace {

/// Nearer ones are enough to choose from; twins come in thousands.
constexpr size_t kMostLooked = 64;

}  // namespace

SpawnMatch::SpawnMatch(const Timeline& timeline, std::vector<Spawn> spawns,
                       const Findings& findings)
    : timeline_(timeline),
      spawns_(std::move(spawns)),
      taken_(spawns_.size()),
      conversations_(join_conversations(timeline, findings)) {
  std::unordered_set<uint64_t> results;
  for (const Spawn& spawn : spawns_) results.insert(spawn.said);
  for (CallId id : timeline.in_order())
    if (MessageId answer = timeline[id].answer; answer && results.contains(timeline[answer].said))
      said_.insert({conversations_.find(id.index), timeline[answer].said});
}

bool SpawnMatch::take(SpawnGroup& group, CallId head, bool by_text, const Fits& fits) {
  std::vector<size_t>& all = group.spawns;
  while (group.first_open < all.size() && is_taken(all[group.first_open])) ++group.first_open;
  // Who was already heard out by then is the less likely one, though one that works in the
  // background is answered for at once: of such the nearest.
  auto cost = [&](size_t i) {
    bool is_open = in_time(timeline_, spawns_[i], head);
    uint32_t rank = timeline_.rank(spawns_[i].call);
    return std::pair(!is_open, is_open ? rank : UINT32_MAX - rank);
  };
  Match match{&group, head, 0, by_text, fits};
  bool any = false;
  size_t at = group.first_open;
  for (size_t looked = 0; at < all.size() && looked < kMostLooked; ++at) {
    if (!timeline_.before(spawns_[all[at]].call, head)) break;
    if (is_taken(all[at])) continue;
    ++looked;
    if (!may(match, all[at]) || (any && cost(all[at]) >= cost(match.spawn))) continue;
    match.spawn = all[at];
    any = true;
  }
  if (!any) return false;
  taken_[match.spawn] = by_text ? Taken::surely : Taken::by_time;
  open_.push_back(std::move(match));
  return true;
}

std::span<const size_t> SpawnMatch::before(const Match& match) const {
  std::span<const size_t> all = match.group->spawns;
  size_t end = static_cast<size_t>(
      std::partition_point(
          all.begin(), all.end(),
          [&](size_t i) { return timeline_.before(spawns_[i].call, match.head); }) -
      all.begin());
  return all.subspan(end - std::min(end, kMostLooked), std::min(end, kMostLooked));
}

/// To a tool use that nobody else took, if one fits that is nearer.
void SpawnMatch::bring_nearer(Match& match) {
  std::span<const size_t> all = before(match);
  for (size_t k = all.size(); k-- > 0 && all[k] != match.spawn;) {
    const Spawn& nearer = spawns_[all[k]];
    if (nearer.call == spawns_[match.spawn].call) break;  // in the order they are there
    bool fits = !is_taken(all[k]) && in_time(timeline_, nearer, match.head) && may(match, all[k]);
    if (!fits) continue;
    std::swap(taken_[all[k]], taken_[match.spawn]);
    match.spawn = all[k];
    return;
  }
}

/// Who took the other one needs this one then: where that does not
/// fit, there is but one way.
bool SpawnMatch::is_rival(const Match& match, size_t i) {
  if (i == match.spawn || !in_time(timeline_, spawns_[i], match.head) || !may(match, i))
    return false;
  if (const Match* other = by_spawn_[i];
      other != nullptr &&
      (!timeline_.before(spawns_[match.spawn].call, other->head) || !may(*other, match.spawn)))
    return false;
  if (match.by_text) return spawns_[i].said == spawns_[match.spawn].said;
  return taken_[i] != Taken::surely;
}

std::vector<SpawnMatch::Settled> SpawnMatch::settle(Rule rule, Findings& out) {
  for (size_t i = open_.size(); i-- > 0;) bring_nearer(open_[i]);
  by_spawn_.resize(spawns_.size());
  for (const Match& match : open_) by_spawn_[match.spawn] = &match;
  std::vector<Settled> settled;
  settled.reserve(open_.size());
  for (const Match& match : open_) settled.push_back({link(match, rule, out), match.spawn});
  for (const Match& match : open_) by_spawn_[match.spawn] = nullptr;
  open_.clear();
  return settled;
}

Link SpawnMatch::link(const Match& match, Rule rule, Findings& out) {
  const Spawn& spawn = spawns_[match.spawn];
  Link link = spawn_link(timeline_, spawn, match.head, rule);
  link.resumed = static_cast<bool>(timeline_.trace().tool_uses[spawn.use.index].resume);
  std::vector<size_t> rivals;
  for (size_t i : before(match))
    if (is_rival(match, i)) rivals.push_back(i);
  for (size_t i : rivals) {
    ++(spawns_[i].call == link.from ? link.twins : link.rivals);
    out.name_rival(link, spawns_[i].call, spawns_[i].use, rivals.size() + 1);
  }
  return link;
}

}  // namespace xtrace
