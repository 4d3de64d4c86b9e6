#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "link/activities/bill.h"
#include "link/activities/cache_rebuild.h"
#include "link/activities/carried.h"
#include "link/activities/prompt_cost.h"

namespace xtrace {

/// What findings claim of the costs of calls, so that none of it is in two of them: calls as a
/// whole, and what the rebuild of a cache cost. What part of a prompt cost is without that, and so
/// is what a result cost in later calls.
///
///     reader   the result is written to the cache    its first cost
///     later    read from the cache                   the result pays its part of that
///     rebuilt  written anew                          ... as if it had been read: the rest is told
///     looped   wasted as a whole                     ... nothing
class Claims {
 public:
  explicit Claims(const Graph& graph);

  /// All of a call, but what the rebuild of its cache cost.
  void claim(CallId whole) { is_whole_[whole.index] = true; }
  void claim(const CacheRebuild& rebuild);
  bool has(CallId whole) const { return is_whole_[whole.index]; }

  // Of what is claimed by then:
  struct Left {
    int64_t tokens = kNoCount, cost = kNoCount;
  };
  /// Of a call, without a rebuild.
  Left left_of(CallId call) const;
  /// Of a part of a call's prompt.
  Left left_of(PromptStretch part, CallId call) const;
  /// Of results, by call that reads them: counts what claims took. No more is claimed behind it.
  void settle();
  CarriedResult left_of(CarriedResult result) const;

 private:
  /// What a claim takes off each token of results that were sent once more.
  struct Taken {
    int64_t times = 0;
    int64_t price = 0;  ///< in the unit of prices; below 0 between two stretches of a prompt
  };
  /// The rest of a prompt from some token on.
  struct TakenFrom {
    int64_t from = 0;
    Taken taken;
  };
  const Tokens& tokens_of(CallId call) const;
  std::vector<TakenFrom> taken_by(CallId call) const;
  void settle(const std::vector<CallId>& conversation);

  const Graph& graph_;
  Bill bill_;
  std::vector<bool> is_whole_;                          ///< by call
  std::unordered_map<uint32_t, CacheRebuild> rebuilt_;  ///< by call
  std::vector<Taken> taken_;                            ///< by call, of the results that it reads
};

}  // namespace xtrace
