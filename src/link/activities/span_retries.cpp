#include "link/activities/span_retries.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "link/graph/graph.h"

namespace xtrace {

namespace {

/// What was asked, as far as spans tell: cause, run, caller, called, name, tool, model, route.
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
  }

 private:
  void visit(HopId id) {
    const Hop& hop = graph_.hops()[id];
    ActivityId at = activities_.of_hop[id.index];
    Activity& again = activities_.all[at.index];
    if (hop.start == kNoTime) return;
    // What has no cause and is not sent to anybody has nobody who could have tried it again.
    if (hop.cause || hop.from) {
      static const Span kNone;
      const Span& span = hop.span ? graph_.trace()[hop.span] : kNone;
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
