#pragma once

#include <vector>

#include "link/calls/timeline.h"

namespace xtrace {

/// What each call goes on from, by continuations and retries: a tree, in which each fork begins a
/// branch of its own.
///
///     main    a ── b ── c ── d
///     fork         └─── e ── f      a and b lead to f, c does not
class Lineage {
 public:
  Lineage(const Timeline& timeline, const Findings& findings);

  /// Nowhere: it begins a conversation.
  CallId previous(CallId call) const { return at_[call.index].previous; }
  /// Is `earlier` among the calls that `call` goes on from? A call goes on from itself. Behind very
  /// many forks it is taken to be.
  bool leads_to(CallId earlier, CallId call) const;

  uint32_t branch_of(CallId call) const { return at_[call.index].branch; }
  uint32_t depth_of(CallId call) const { return at_[call.index].depth; }
  /// Calls `each(branch, depth)` for the branches that led to the call, its own first: the calls on
  /// it up to that depth are those that did. Ends where `each` returns false; true: there are too
  /// many forks to look behind.
  template <class Each>
  bool go_back(CallId call, Each each) const {
    uint32_t branch = branch_of(call), depth = depth_of(call);
    constexpr int kForks = 256;  // people go back a few times; a hostile log, at every call
    for (int i = 0; i < kForks; ++i) {
      if (!each(branch, depth) || branches_[branch].from == UINT32_MAX) return false;
      depth = branches_[branch].depth;
      branch = branches_[branch].from;
    }
    return true;
  }

 private:
  struct Place {
    CallId previous;
    uint32_t branch = 0;
    uint32_t depth = 0;  ///< calls before it
  };
  struct Branch {
    uint32_t from = UINT32_MAX;  ///< the branch that it forks from; UINT32_MAX: none
    uint32_t depth = 0;          ///< of the last call that both share
  };
  std::vector<Place> at_;  ///< by call
  std::vector<Branch> branches_;
};

}  // namespace xtrace
