#include <fmt/format.h>

#include <algorithm>

#include "link/hops/span_linkers.h"

namespace xtrace {

namespace {

/// Whoever a span names as its parent is a service; without one it was a user, unless tags say who.
Actor::Type caller_of(const Hops& hops, const Hop& hop, const Span& span) {
  if (span.parents > 0) return Actor::Type::agent;
  return hop.from ? hops[hop.from].type : Actor::Type::principal;
}

/// What a client and a server span record about one call are two observations of it. The client's
/// span stays what it is beside that: work of the caller.
void add_clients(const Trace& trace, Hops& hops) {
  auto calls_out = [&](const Hop& hop) {
    SpanKind kind = trace[hop.span].kind;
    return !hop.to && (kind == SpanKind::client || kind == SpanKind::producer);
  };
  std::vector<uint32_t> effects(hops.all.size());
  for (const Hop& hop : hops.all)
    if (hop.cause) ++effects[hop.cause.index];
  std::vector<SpanId> observations;
  observations.reserve(hops.observations.size() * 2);
  for (Hop& hop : hops.all) {
    std::span<const SpanId> seen = hops.observations_of(hop);
    uint32_t first = static_cast<uint32_t>(observations.size());
    observations.insert(observations.end(), seen.begin(), seen.end());
    bool answers = hop.to && hop.from && trace[hop.span].inbound;
    if (answers && hop.cause && effects[hop.cause.index] == 1 && calls_out(hops[hop.cause])) {
      const Hop& client = hops[hop.cause];
      observations.push_back(client.span);
      hop.sent = client.start;
      hop.waited = client.duration;
    }
    hop.first_observation = first;
    hop.observations = static_cast<uint32_t>(observations.size()) - first;
  }
  hops.observations = std::move(observations);
}

/// Of a run of services in which nobody calls anybody, such as a health check, it is not known
/// either that anybody called there: what its spans record is work.
void take_for_work(const Run& run, const Trace& trace, Hops& hops) {
  auto tells_of_call = [&](HopId id) {
    const Hop& hop = hops[id];
    const Span& span = trace[hop.span];
    return (hop.from && hop.to) || hop.missing_parent || span.run || span.from || span.to ||
           span.principal || span.converted || span.gen_ai;
  };
  if (std::any_of(run.hops.begin(), run.hops.end(), tells_of_call)) return;
  for (HopId id : run.hops) {
    Hop& hop = hops.all[id.index];
    if (!hop.to) continue;
    hop.from = hop.to;
    hop.to = {};
    hop.kind = {};
  }
}

}  // namespace

void name_services(const Trace& trace, const std::vector<bool>& named, Hops& hops) {
  std::vector<bool> leads_on(hops.all.size());
  for (const Hop& hop : hops.all)
    if (hop.cause) leads_on[hop.cause.index] = true;
  auto agent = [&](StringId service) {
    return hops.actor(fmt::format("agent:{}", service ? trace[service] : "unknown"));
  };
  for (size_t i = 0; i < hops.all.size(); ++i) {
    Hop& hop = hops.all[i];
    const Span& span = trace[hop.span];
    if (!hop.from && !hop.to && !span.run && !named[i] && !span.converted) {
      StringId caller = hop.cause ? trace[hops[hop.cause].span].service : StringId{};
      if (!hop.cause || caller != span.service) {
        if (hop.cause) hop.from = agent(caller);
        hop.to = agent(span.service);
      } else {
        hop.from = agent(span.service);
        bool calls_out = span.kind == SpanKind::client || span.kind == SpanKind::producer;
        if (calls_out && !leads_on[i])
          hop.to =
              hops.actor(fmt::format("resource:{}", trace[span.peer ? span.peer : span.operation]));
      }
    }
    if (hop.to && !hop.kind && !span.converted)
      hop.kind = hops.words.intern(kind_between(caller_of(hops, hop, span), hops[hop.to].type));
  }
  for (const Run& run : hops.runs) take_for_work(run, trace, hops);
  add_clients(trace, hops);
}

}  // namespace xtrace
