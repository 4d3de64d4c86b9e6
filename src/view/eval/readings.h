#pragma once

#include <map>
#include <vector>

#include "facts/payloads.h"
#include "link/activities/call_sizes.h"
#include "link/activities/output_estimate.h"
#include "view/common/view.h"

namespace xtrace {

/// What an evaluation reads again from the input, each record once for all scenarios. References
/// stay good.
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

 private:
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
};

}  // namespace xtrace
