#include <algorithm>
#include <unordered_map>

#include "link/blame/search.h"

namespace xtrace {

namespace {

/// Spans without a failure between two that failed; further away, one did not fail the other.
constexpr size_t kFurthestAround = 8;

/// Finds for each failed span the failed one around it, and where each failure began: a span that
/// failed fails what is around it, so the innermost one is the origin.
class FailedSpans {
 public:
  explicit FailedSpans(BlameSearch& search)
      : search_(search), hops_(search.graph.joined_hops()), has_inner_(search.size()) {
    for (uint32_t at = 0; at < search.size(); ++at) of_hop_[search.step(at).hop.index] = at;
  }

  void find() {
    for (uint32_t at = 0; at < search_.size(); ++at) {
      if (has_failed(at)) lead_outwards(at);
    }
    for (uint32_t at = 0; at < search_.size(); ++at) {
      search_.plain_spans += is_plain(at) && !has_failed(at);
      if (has_failed(at) && !has_inner_[at]) add_origin(at);
    }
  }

 private:
  const Hop& hop(uint32_t at) const { return hops_[search_.step(at).hop]; }
  bool has_failed(uint32_t at) const { return hop(at).outcome == Outcome::error; }

  const Activity* done_at(uint32_t at) const {
    const SpanId span = hop(at).span;
    return span ? &search_.graph.activities().of(span) : nullptr;
  }
  bool is_a(uint32_t at, Activity::Kind kind) const {
    const Activity* done = done_at(at);
    return done != nullptr && done->kind == kind;
  }
  /// Is it neither of a model nor of a tool?
  bool is_plain(uint32_t at) const {
    return !is_a(at, Activity::Kind::model_call) && !is_a(at, Activity::Kind::tool_run);
  }

  uint32_t step_around(uint32_t at) const {
    const HopId around = hop(at).parent ? hop(at).parent : hop(at).cause;
    const auto step = around ? of_hop_.find(around.index) : of_hop_.end();
    return step == of_hop_.end() ? kNoStep : step->second;
  }

  /// Up to the next failed span around it: spans between the two often have no status.
  void lead_outwards(uint32_t at) {
    std::vector<uint32_t> way{at};
    uint32_t around = step_around(at);
    for (; around != kNoStep && !has_failed(around) && way.size() <= kFurthestAround;
         around = step_around(around))
      way.push_back(around);
    if (around == kNoStep || !has_failed(around)) return;
    has_inner_[around] = true;
    for (size_t i = way.size(); i-- > 0; around = way[i]) search_.failed_with[way[i]] = around;
  }

  /// A model or a tool that failed alone is an oddity of its run (find_span_signals), and the end
  /// of it only if no model replied afterwards.
  void add_origin(uint32_t at) {
    const bool has_outer = search_.failed_with.contains(at);
    if (!has_outer && !is_plain(at) && goes_on(at)) return;
    std::erase_if(search_.found, [&](const FoundSignal& signal) {
      return signal.step == at && signal.signal == BlameSignal::error && signal.other == kNoStep;
    });
    search_.add({BlameSignal::error_unmended, at});
  }

  /// Does a model reply after the step, in the same run?
  bool goes_on(uint32_t at) const {
    for (uint32_t later = at + 1; later < search_.size() && hop(later).run == hop(at).run; ++later)
      if (is_a(later, Activity::Kind::model_call) && !has_failed(later)) return true;
    return false;
  }

  BlameSearch& search_;
  const Hops& hops_;
  std::unordered_map<uint32_t, uint32_t> of_hop_;
  std::vector<bool> has_inner_;  ///< a failed span within it
};

}  // namespace

void find_failed_spans(BlameSearch& search) {
  FailedSpans(search).find();
}

}  // namespace xtrace
