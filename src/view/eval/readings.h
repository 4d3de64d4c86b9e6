#pragma once

#include <map>
#include <vector>

#include "facts/payloads.h"
#include "view/common/view.h"

namespace xtrace {

/// What an evaluation reads again from the input, each record once for all scenarios. References
/// stay good.
class Readings {
 public:
  explicit Readings(const Question& question)
      : trace_(question.graph.trace()), payloads_(question.payloads) {}

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

 private:
  template <class Known, class Id, class Read>
  const typename Known::mapped_type& once(Known& known, Id id, Read read) {
    auto [at, is_new] = known.try_emplace(id);
    if (is_new && payloads_ != nullptr) at->second = read();
    return at->second;
  }

  const Trace& trace_;
  const Payloads* payloads_;
  std::map<CallId, std::vector<Quote>> of_calls_;
  std::map<SpanId, std::vector<Quote>> of_spans_;
  std::map<CallId, std::vector<DeclaredTool>> declared_;
  std::map<SpanId, StepRecord> steps_;
};

}  // namespace xtrace
