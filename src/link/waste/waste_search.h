#pragma once

#include <unordered_map>
#include <vector>

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
  std::vector<Waste> found;

  bool shows(uint32_t step) const { return from.shown.shows(steps[step].call); }
  bool is_claimed(uint32_t step) const { return claimed_[step]; }
  const CarriedResult* carried(ToolUseId use) const;
  /// Adds steps that were taken in vain, behind `first`, which was not; claims them and reckons
  /// what they cost: what their results brought into requests, and calls that asked for nothing
  /// else.
  Waste& add_steps(WasteKind kind, double confidence, uint32_t first,
                   const std::vector<uint32_t>& again);
  /// What a result brought in, and cost, as part of a waste.
  static void add_carried(const CarriedResult& result, Waste& waste);

 private:
  void price(const std::vector<uint32_t>& again, Waste& waste) const;
  std::vector<CallId> calls_in_vain(const std::vector<uint32_t>& again) const;

  std::vector<bool> claimed_;  ///< by step
  std::unordered_map<uint32_t, const CarriedResult*> carried_;
  std::unordered_map<uint32_t, int64_t>
      rebuilt_;  ///< by call: what a rebuild cost, not less than 0
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
