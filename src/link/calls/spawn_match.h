#pragma once

#include <functional>
#include <set>
#include <span>
#include <vector>

#include "base/union_find.h"
#include "link/calls/spawn.h"

namespace xtrace {

/// Tool uses of which each may have started the same subagents: they give the same prompt, or ask
/// for the same type.
struct SpawnGroup {
  std::vector<size_t> spawns;  ///< indices into SpawnMatch::spawns, in order of time
  size_t first_open = 0;       ///< the ones before it are taken
};

/// Tells which tool use started which subagent where several fit: every tool use starts one, and
/// every subagent was started once. The words decide, where the result of a tool use is what a
/// subagent said; then time: who asks first is served first, and whose subagent is not on record
/// leaves it to the nearer one. What is distinguished by neither is named as a rival on both sides.
class SpawnMatch {
 public:
  /// Could the tool use have started the subagent whose first call this is? Asked again by
  /// settle().
  using Fits = std::function<bool(const Spawn&, CallId)>;

  SpawnMatch(const Timeline& timeline, std::vector<Spawn> spawns, const Findings& findings);

  const Spawn& operator[](size_t i) const { return spawns_[i]; }
  size_t size() const { return spawns_.size(); }
  bool is_taken(size_t i) const { return taken_[i] != Taken::no; }
  /// What is known by an id, or was told before.
  void take(size_t i) { taken_[i] = Taken::surely; }

  /// Did the conversation that begins with the call say this?
  bool says(CallId head, uint64_t said) {
    return said != 0 && said_.contains({conversations_.find(head.index), said});
  }

  /// Takes a tool use of the group for the subagent, if one fits; which one is settled later.
  /// `by_text`: only if its result is what the subagent said; who is served by that should be
  /// before all others. The group has to outlive the match.
  bool take(SpawnGroup& group, CallId head, bool by_text, const Fits& fits);

  /// Links for all that was taken since, their rivals named. Twins of one answer leave no doubt
  /// about the call that the subagent came from, only about the tool use.
  struct Settled {
    Link link;
    size_t spawn;
  };
  std::vector<Settled> settle(Rule rule, Findings& out);

 private:
  enum class Taken : uint8_t { no, by_time, surely };
  struct Match {
    SpawnGroup* group;
    CallId head;
    size_t spawn;
    bool by_text;
    Fits fits;
  };

  bool may(const Match& match, size_t i) {
    return match.fits(spawns_[i], match.head) &&
           (!match.by_text || says(match.head, spawns_[i].said));
  }
  /// Those of the group that came before the call, the nearest ones.
  std::span<const size_t> before(const Match& match) const;
  void bring_nearer(Match& match);
  bool is_rival(const Match& match, size_t i);
  Link link(const Match& match, Rule rule, Findings& out);

  const Timeline& timeline_;
  std::vector<Spawn> spawns_;
  std::vector<const Match*> by_spawn_;  ///< what is settled now
  std::vector<Taken> taken_;
  UnionFind conversations_;
  std::set<std::pair<uint32_t, uint64_t>> said_;  ///< by conversation, of what results say
  std::vector<Match> open_;                       ///< not settled yet
};

}  // namespace xtrace
