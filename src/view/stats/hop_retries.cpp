#include <map>
#include <tuple>

#include "facts/row_or_empty.h"
#include "view/stats/repeats.h"

namespace xtrace {

namespace {

/// What was asked, as far as spans tell: cause, run, caller, called, name, tool, model, route.
using AskedKey =
    std::tuple<HopId, uint32_t, ActorId, ActorId, StringId, StringId, StringId, StringId>;

AskedKey asked_by(const HopScene& scene, HopId id) {
  const Hop& hop = scene.hops[id];
  const Span& span = scene.span(hop);
  const GenAi& told = row_or_empty(scene.question.graph.trace(), span.gen_ai);
  return {hop.cause, hop.run, hop.from, hop.to, span.operation, told.tool, told.model, span.route};
}

std::string_view name_of(const HopScene& scene, HopId id) {
  const Trace& trace = scene.question.graph.trace();
  const Span& span = scene.span(scene.hops[id]);
  const GenAi& told = row_or_empty(trace, span.gen_ai);
  if (told.model) return trace[told.model];
  return trace[told.tool ? told.tool : span.operation];
}

}  // namespace

std::vector<RetryChain> retry_chains(const HopScene& scene) {
  const Trace& trace = scene.question.graph.trace();
  std::vector<RetryChain> chains;
  for (const Run& run : scene.hops.runs) {
    struct Last {
      HopId hop;
      size_t chain = SIZE_MAX;  ///< of `chains`, where it is an attempt of one
    };
    std::map<AskedKey, Last> last;
    for (HopId id : run.hops) {
      const Hop& hop = scene.hops[id];
      // What has no cause and is not sent to anybody has nobody who could have tried it again.
      if (!scene.selection.shows(id) || hop.start == kNoTime || (!hop.cause && !hop.from)) continue;
      auto attempt = [&](HopId of, Duration waited) {
        const Span& span = scene.span(scene.hops[of]);
        return RetryChain::Attempt{{{}, of},
                                   scene.hops[of].outcome,
                                   trace[row_or_empty(trace, span.gen_ai).error],
                                   waited,
                                   kNoDuration};
      };
      Last& before = last[asked_by(scene, id)];
      Last now{id, SIZE_MAX};
      if (before.hop) {
        const Hop& failed = scene.hops[before.hop];
        Duration waited = elapsed(failed.end(), hop.start);
        bool again = failed.outcome == Outcome::error && failed.duration != kNoDuration &&
                     waited >= Duration{0};
        if (again && before.chain == SIZE_MAX) {
          before.chain = chains.size();
          chains.push_back({name_of(scene, id), {attempt(before.hop, kNoDuration)}});
        }
        if (again) {
          now.chain = before.chain;
          chains[now.chain].attempts.push_back(attempt(id, waited));
        }
      }
      before = now;
    }
  }
  return chains;
}

}  // namespace xtrace
