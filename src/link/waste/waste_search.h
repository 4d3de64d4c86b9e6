#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "link/waste/claims.h"
#include "link/waste/tool_steps.h"
#include "link/waste/waste.h"

namespace xtrace {

class StepSearch;

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
  bool is_claimed(uint32_t step) const { return claimed_[step] != 0; }
  const CarriedResult* carried(ToolUseId use) const;
  /// Finds wasted steps with each of these, on all threads.
  void find_steps(std::span<void (*const)(StepSearch&)> finders);
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

  friend class StepSearch;
  std::vector<char> claimed_;  ///< by step, truth values; several threads write them
  std::unordered_map<uint32_t, const CarriedResult*> carried_;
  std::vector<Costs> costs_;
};

/// The same for conversations whose sessions no other conversation shares. Their steps know nothing
/// of those of others: any thread may look at them.
class StepSearch {
 public:
  StepSearch(WasteSearch& all, std::span<const uint32_t> given)
      : graph(all.graph), steps(all.steps), conversations(given), all_(all) {}

  const Graph& graph;
  const ToolSteps& steps;
  const std::span<const uint32_t> conversations;  ///< indices into those of the graph, ascending
  std::vector<Waste> found;

  bool shows(uint32_t step) const { return all_.shows(step); }
  bool is_claimed(uint32_t step) const { return all_.is_claimed(step); }
  /// Adds wasted steps after `first`, which was not wasted; claims them, and the calls
  /// that asked for nothing else. What they cost is what their results brought into requests, and
  /// these calls.
  Waste& add_steps(WasteKind kind, double confidence, uint32_t first,
                   const std::vector<uint32_t>& again);

 private:
  std::vector<Worked> worked(const std::vector<uint32_t>& again,
                             const std::vector<CallId>& calls) const;
  std::vector<CallId> wasted_calls(const std::vector<uint32_t>& again) const;

  friend class WasteSearch;
  WasteSearch& all_;
  std::vector<WasteSearch::Costs> costs_;
};

// A file each. A kind finds nothing that one before it claimed.
void find_loops(StepSearch& search);
void find_failing_retries(StepSearch& search);
void find_rereads(StepSearch& search);
void find_repeated_calls(StepSearch& search);
void find_redone_work(StepSearch& search);
void find_unused_results(WasteSearch& search);
void find_rebuilt_caches(WasteSearch& search);
void find_full_contexts(WasteSearch& search);
void find_unused_tools(WasteSearch& search);

}  // namespace xtrace
