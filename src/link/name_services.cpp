#include <fmt/format.h>

#include "link/span_linkers.h"

namespace xtrace {

namespace {

/// Whoever a span names as its parent is a service; without one it was a user, unless tags say who.
Actor::Type caller_of(const Hops& hops, const Hop& hop, const Span& span) {
  if (span.parents > 0) return Actor::Type::agent;
  return hop.from ? hops[hop.from].type : Actor::Type::principal;
}

}  // namespace

void name_services(const Trace& trace, Hops& hops) {
  std::vector<bool> leads_on(hops.all.size());
  for (const Hop& hop : hops.all)
    if (hop.cause) leads_on[hop.cause.index] = true;
  auto agent = [&](StringId service) {
    return hops.actor(fmt::format("agent:{}", service ? trace[service] : "unknown"));
  };
  for (size_t i = 0; i < hops.all.size(); ++i) {
    Hop& hop = hops.all[i];
    const Span& span = trace[hop.span];
    if (!hop.from && !hop.to && !span.run) {
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
    if (hop.to && !hop.kind)
      hop.kind = hops.words.intern(kind_between(caller_of(hops, hop, span), hops[hop.to].type));
    Run& run = hops.runs[hop.run];
    if (run.principal) continue;
    if (hop.from && hops[hop.from].type == Actor::Type::principal)
      run.principal = hop.from;
    else if (span.principal)
      run.principal = hops.actor(fmt::format("user:{}", trace[span.principal]));
  }
}

}  // namespace xtrace
