#pragma once

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "facts/payloads.h"
#include "link/activities/call_sizes.h"
#include "link/activities/output_estimate.h"
#include "link/claims/reply_claims.h"
#include "view/common/view.h"

namespace xtrace {

/// What all scenarios of an evaluation share: records of the input, each read again once, and the
/// hops by their records. References remain valid.
class Readings {
 public:
  explicit Readings(const Question& question)
      : graph_(question.graph),
        trace_(question.graph.trace()),
        payloads_(question.payloads),
        sizes_(trace_, payloads_) {}

  const std::vector<Quote>& quotes(CallId call) {
    return once(of_calls_, call, [&] { return payloads_->quotes(trace_[call]); });
  }
  const std::vector<Quote>& quotes(SpanId span) {
    return once(of_spans_, span, [&] { return payloads_->quotes(trace_[span]); });
  }
  const std::vector<DeclaredTool>& declared(CallId call) {
    return once(declared_, call, [&] { return payloads_->instructions(trace_[call]).tools; });
  }
  const StepRecord& step(SpanId span) {
    return once(steps_, span, [&] { return payloads_->step(trace_[span]); });
  }
  /// What a call put out of which the log kept only the first count.
  const OutputEstimate& output(CallId call) {
    return once(outputs_, call, [&] { return estimate_output(graph_, sizes_, call); });
  }
  /// The claims of all replies, found once.
  const std::vector<ReplyClaim>& claims() {
    if (!claims_) claims_ = find_reply_claims(graph_, payloads_);
    return *claims_;
  }
  /// The hops that the record of a call states, or that a span is.
  std::span<const HopId> hops_of(CallId call) {
    return hops_at(by_place_, {trace_[call].source.file, trace_[call].source.offset});
  }
  std::span<const HopId> hops_of(SpanId span) { return hops_at(by_span_, span); }

 private:
  using Place = std::pair<uint32_t, uint64_t>;  ///< file and offset

  template <class Key>
  std::span<const HopId> hops_at(const std::map<Key, std::vector<HopId>>& known, const Key& key) {
    if (by_place_.empty() && by_span_.empty()) {
      const Hops& hops = graph_.joined_hops();
      for (size_t i = 0; i < hops.all.size(); ++i) {
        const Hop& hop = hops.all[i];
        (hop.span ? by_span_[hop.span] : by_place_[{hop.at.file, hop.at.offset}]).emplace_back(i);
      }
    }
    const auto found = known.find(key);
    return found == known.end() ? std::span<const HopId>() : std::span(found->second);
  }

  template <class Known, class Id, class Read>
  const typename Known::mapped_type& once(Known& known, Id id, Read read) {
    auto [at, is_new] = known.try_emplace(id);
    if (is_new && payloads_ != nullptr) at->second = read();
    return at->second;
  }

  const Graph& graph_;
  const Trace& trace_;
  const Payloads* payloads_;
  CallSizeMeter sizes_;
  std::map<CallId, std::vector<Quote>> of_calls_;
  std::map<SpanId, std::vector<Quote>> of_spans_;
  std::map<CallId, std::vector<DeclaredTool>> declared_;
  std::map<SpanId, StepRecord> steps_;
  std::map<CallId, OutputEstimate> outputs_;
  std::optional<std::vector<ReplyClaim>> claims_;
  std::map<Place, std::vector<HopId>> by_place_;
  std::map<SpanId, std::vector<HopId>> by_span_;
};

}  // namespace xtrace
