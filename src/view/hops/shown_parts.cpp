#include "view/hops/shown_parts.h"

#include <algorithm>

#include "link/graph/subject.h"
#include "view/calls/select_calls.h"
#include "view/hops/select_hops.h"

namespace xtrace {

namespace {

Selection all_calls_hidden(const Trace& trace) {
  Selection selection;
  selection.calls.resize(trace.calls.size());
  selection.hidden.nodes = std::ranges::count_if(
      trace.calls, [](const Call& call) { return call.outcome != Outcome::unrecorded; });
  return selection;
}

HopSelection all_hops_hidden(const Hops& hops) {
  HopSelection selection;
  selection.hops.resize(hops.all.size());
  selection.causes.resize(hops.all.size());
  selection.edges.resize(hops.edges.size());
  return selection;
}

}  // namespace

Result<ShownParts> select_parts(const Filter& filter, const Question& question,
                                CoveredRuns covered) {
  const Graph& graph = question.graph;
  const Trace& trace = graph.trace();
  const Zone& zone = question.door.zone();
  ShownParts parts;
  if (subject_of(trace) == Subject::spans) {
    Result<std::shared_ptr<HopScene>> scene = hop_scene(question, filter, HopLinks::causes);
    if (!scene) return tl::unexpected(scene.error());
    parts.spans = *std::move(scene);
    return parts;
  }
  Result<Selection> calls = select_calls(filter, graph, zone);
  const Hops& hops = graph.hops();
  const std::vector<bool>& is_covered = graph.partners().covers_run;
  const bool has_spans =
      covered == CoveredRuns::include ? !hops.runs.empty() : !graph.partners().cover_all_runs();
  if (!has_spans) {
    if (!calls) return tl::unexpected(calls.error());
    parts.calls = *std::move(calls);
    return parts;
  }
  Result<HopSelection> spans = select_hops(filter, trace, hops, HopLinks::causes, zone);
  // Names that one part does not have may be those of the other.
  if (!calls && (!spans || calls.error().exit != Exit::no)) return tl::unexpected(calls.error());
  if (!spans) spans = all_hops_hidden(hops);
  if (covered == CoveredRuns::leave_out)
    spans->narrow(hops, [&](HopId id) {
      return !is_covered[hops[id].run] && !row_or_empty(trace, hops[id].span).is_of_query;
    });
  parts.calls = calls ? *std::move(calls) : all_calls_hidden(trace);
  parts.spans = std::make_shared<HopScene>(question, hops, *std::move(spans));
  return parts;
}

}  // namespace xtrace
