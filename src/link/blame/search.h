#pragma once

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "link/blame/blame.h"

namespace xtrace {

/// What the finders of signals share, and what they found.
class BlameSearch {
 public:
  explicit BlameSearch(const BlameSources& sources);

  const BlameSources& from;
  const Graph& graph;
  std::vector<FoundSignal> found;
  std::vector<CauseLink> reuse;  ///< from the step that gave a value to one that uses it
  /// By step: the first one of the repetitions that it is one of.
  std::unordered_map<uint32_t, uint32_t> repeats;
  /// By the step of a failed span, or of one around it and within another failed one: the step of
  /// the span around it.
  std::unordered_map<uint32_t, uint32_t> failed_with;
  size_t missing_results = 0, unread_calls = 0, plain_spans = 0;

  size_t size() const { return from.steps.steps.size(); }
  const GraphStep& step(uint32_t at) const { return from.steps.steps[at]; }
  /// The step of a call; kNoStep: it is not among them.
  uint32_t of(CallId call) const;
  uint32_t of(const Activity& tool) const;
  /// The steps of spans from this one to the outermost one that failed with it.
  std::vector<uint32_t> failed_from(uint32_t step) const;
  /// The tool uses that bear this id, in order.
  const std::vector<uint32_t>& uses_named(std::string_view id) const;
  void add(FoundSignal signal) { found.push_back(std::move(signal)); }

 private:
  std::vector<uint32_t> of_call_;
  std::unordered_map<const Activity*, uint32_t> of_tool_;
  std::unordered_map<std::string_view, std::vector<uint32_t>> named_;
};

// A file each.
void find_text_signals(BlameSearch& search);   ///< of calls: what arguments and reports contain
void find_tool_signals(BlameSearch& search);   ///< of calls: failures and repetitions
void find_span_signals(BlameSearch& search);   ///< of spans
void find_failed_spans(BlameSearch& search);   ///< likewise, whatever a span is about
void find_known_signals(BlameSearch& search);  ///< against known runs

}  // namespace xtrace
