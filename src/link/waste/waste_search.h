#pragma once

#include <unordered_map>
#include <vector>

#include "link/waste/claims.h"
#include "link/waste/tool_steps.h"
#include "link/waste/waste.h"

namespace xtrace {

/// Where kinds of waste are looked for, one after another: what one of them claims is in no other.
class WasteSearch {
 public:
  explicit WasteSearch(const WasteSources& sources);

  const WasteSources& from;
  const Graph& graph;
  const ToolSteps steps;
  Claims claims;
  std::vector<Waste> found;

  bool shows(uint32_t step) const { return from.shown.shows(steps[step].call()); }
  bool is_claimed(uint32_t step) const { return claimed_[step]; }
  const CarriedResult* carried(ToolUseId use) const;
  /// Adds wasted steps after `first`, which was not wasted; claims them, and the calls
  /// that asked for nothing else. What they cost is what their results brought into requests, and
  /// these calls.
  Waste& add_steps(WasteKind kind, double confidence, uint32_t first,
                   const std::vector<uint32_t>& again);
  /// Adds a waste that cost what a result brought in.
  void add_result(Waste waste, const CarriedResult& result);
  /// Reckons what all that was found cost, once all is claimed.
  void reckon();

 private:
  /// What a waste cost: that of these.
  struct Costs {
    size_t waste = 0;  ///< index into found
    std::vector<CallId> calls;
    std::vector<const CarriedResult*> results;
  };
  void reckon(const Costs& costs);
  std::vector<Worked> worked(const std::vector<uint32_t>& again,
                             const std::vector<CallId>& calls) const;
  std::vector<CallId> wasted_calls(const std::vector<uint32_t>& again) const;

  std::vector<bool> claimed_;  ///< by step
  std::unordered_map<uint32_t, const CarriedResult*> carried_;
  std::vector<Costs> costs_;
};

// A file each. A kind finds nothing that one before it claimed.
void find_loops(WasteSearch& search);
void find_failing_retries(WasteSearch& search);
void find_rereads(WasteSearch& search);
void find_repeated_calls(WasteSearch& search);
void find_redone_work(WasteSearch& search);
void find_unused_results(WasteSearch& search);
void find_rebuilt_caches(WasteSearch& search);
void find_full_contexts(WasteSearch& search);
void find_unused_tools(WasteSearch& search);

}  // namespace xtrace
