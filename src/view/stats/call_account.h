#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "link/activities/cache_rebuild.h"
#include "link/activities/carried.h"
#include "link/activities/output_estimate.h"
#include "link/activities/time_account.h"
#include "view/calls/call_fields.h"
#include "view/calls/call_sum.h"

namespace xtrace {

class CallSizeMeter;

/// A turn of a user with all that it set off, and the wait for the user before it.
struct TurnSum {
  CallTurn turn;
  CallId first;  ///< of the shown calls
  CallSum sum;
  Duration took = kNoDuration;  ///< from the start of its first call to the end of its last
  PartTimes parts{};            ///< with the wait before it
  Duration total{0};            ///< what they add up to
};

/// An instance of an agent that somebody started.
struct SubagentSum {
  uint32_t agent = 0;  ///< index into Graph::agents()
  CallId first;
  CallTurn turn;
  CallSum sum;
};

/// What the results of a tool brought into conversations. What is estimated is added up apart.
struct BroughtSum {
  std::string_view tool;
  int64_t results = 0, estimated = 0;  ///< of these
  int64_t left_out = 0;                ///< results without a token count
  struct Of {
    int64_t tokens = 0, again = 0;  ///< again: tokens times the later calls that sent them too
    int64_t cost = 0, again_cost = 0;
    int64_t unpriced = 0;  ///< results whose costs are not known
    void add(const CarriedResult& one);
  };
  Of exact, about;
};

/// Why a call is among the most expensive: what most was paid for.
enum class CostReason : uint8_t {
  cache_rebuilt,  ///< what a cache had held was paid anew (CacheRebuild)
  new_context,    ///< input that came in new
  long_context,   ///< all that was said before, read from a cache
  long_output,
  unknown,  ///< the log states the cost, and nothing says what for
};
inline constexpr std::string_view kCostReasonWords[] = {"cache_rebuilt", "new_context",
                                                        "long_context", "long_output", "unknown"};

/// A call that cost much.
struct ExpensiveCall {
  CallId call;
  CostReason reason = CostReason::unknown;
};

/// What the shown calls cost, what for, and what their time was.
class CallAccount {
 public:
  explicit CallAccount(const CallScene& scene);
  CallAccount(const CallAccount&) = delete;
  CallAccount& operator=(const CallAccount&) = delete;

  CallSum of(CallId id) const;
  /// How users name the turn: `turn 9`, behind its session or agent where there are several.
  std::string name(const CallTurn& turn) const;

  const std::vector<CallTurn>& turn_of;  ///< by call
  std::vector<TurnSum> turns;            ///< in order of time
  std::vector<SubagentSum> subagents;    ///< likewise
  std::vector<BroughtSum> brought;       ///< by tool, what brought in most first
  std::vector<ExpensiveCall> expensive;  ///< the ten most expensive ones
  std::vector<CacheRebuild> rebuilds;
  std::vector<CarriedResult> carried;
  TimeAccount time;
  std::vector<const TimeAccount::Stretch*> waits;  ///< the ten longest

 private:
  void estimate(CallSizeMeter& said);
  void add_up();
  void add_up_brought();
  void find_expensive();
  CostReason reason_of(CallId id) const;
  void find_waits();

  const CallScene& scene_;
  Bill bill_;
  std::unordered_map<uint32_t, OutputEstimate> estimates_;  ///< by call
  std::vector<uint32_t> users_;  ///< by session: its conversations that nobody spawned
};

}  // namespace xtrace
