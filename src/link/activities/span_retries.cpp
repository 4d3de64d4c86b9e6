#include "link/activities/span_retries.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "facts/row_or_empty.h"
#include "link/graph/graph.h"

namespace xtrace {

namespace {

/// What was asked, as far as spans record: cause, run, caller, called, name, tool, model, route.
using AskedKey = std::tuple<HopId, uint32_t, ActorId, ActorId, StringId, std::string_view,
                            std::string_view, StringId>;
/// Who asks a model what: run, agent, model.
using AskerKey = std::tuple<uint32_t, std::string_view, std::string_view>;

class SpanRetryFinder {
 public:
  SpanRetryFinder(const Graph& graph, Activities& activities)
      : graph_(graph), activities_(activities) {}

  void find() {
    for (size_t i = 0; i < graph_.hops().all.size(); ++i) visit(HopId(i));
    for (const Activity& again : activities_.all)
      if (again.retry_of && again.hop) tell_attempt(again);
  }

 private:
  void visit(HopId id) {
    const Hop& hop = graph_.hops()[id];
    ActivityId at = activities_.of_hop[id.index];
    Activity& again = activities_.all[at.index];
    if (hop.start == kNoTime) return;
    // What has no cause and is not sent to anybody has nobody who could have tried it again.
    if (hop.cause || hop.from) {
      const Span& span = row_or_empty(graph_.trace(), hop.span);
      ActivityId& before = asked_[{hop.cause, hop.run, hop.from, hop.to, span.operation, again.tool,
                                   again.model, span.route}];
      mark(before, again);
      before = at;
    }
    if (again.kind != Activity::Kind::model_call || again.same_as) return;
    ActivityId& before = requests_[{hop.run, again.agent.name, again.model}];
    mark(before, again);
    before = at;
  }

  void mark(ActivityId before, Activity& again) {
    if (!before || again.retry_of) return;
    const Activity& failed = activities_[before];
    Duration waited = elapsed(failed.end(), again.start);
    if (failed.outcome != Outcome::error || failed.duration == kNoDuration || waited < Duration{0})
      return;
    again.retry_of = before;
    again.attempt = static_cast<uint16_t>(std::min<int>(failed.attempt + 1, UINT16_MAX));
    again.waited = waited;
  }

  /// Both the retry and the attempt before it are attempts at what the nearest span with a role
  /// around them tells.
  void tell_attempt(const Activity& again) {
    constexpr int kFurthest = 8;  // a client's own spans may be between
    if (again.kind != Activity::Kind::other) return;
    HopId at = again.hop;
    for (int step = 0; step < kFurthest && graph_.hops()[at].cause; ++step) {
      at = graph_.hops()[at].cause;
      ActivityId around = activities_.of_hop[at.index];
      Activity& whole = activities_.all[around.index];
      if (whole.kind == Activity::Kind::other) continue;
      if (whole.kind != Activity::Kind::model_call && whole.kind != Activity::Kind::tool_run)
        return;
      ++whole.retries_inside;
      activities_.all[activities_.of_hop[again.hop.index].index].attempt_at = around;
      activities_.all[again.retry_of.index].attempt_at = around;
      return;
    }
  }

  const Graph& graph_;
  Activities& activities_;
  std::map<AskedKey, ActivityId> asked_;
  std::map<AskerKey, ActivityId> requests_;
};

}  // namespace

void find_span_retries(const Graph& graph, Activities& activities) {
  SpanRetryFinder(graph, activities).find();
}

}  // namespace xtrace
