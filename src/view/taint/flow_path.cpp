#include "view/taint/flow_path.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/digits.h"
#include "facts/tool_targets.h"

namespace xtrace {

uint32_t session_index(const Graph& graph, CallId call) {
  return static_cast<uint32_t>(&graph.session_of(call) - graph.sessions().data());
}

std::vector<TaintStep> path_of_flow(const TaintStep& source, CallId reader, const Origin& origin,
                                    const TaintStep& sink) {
  std::vector<TaintStep> path;
  const auto add = [&](CallId call, ToolUseId use) {
    const bool is_again = !path.empty() && path.back().call == call && path.back().use == use;
    if (!is_again) path.push_back({call, use});
  };
  add(source.call, source.use);
  add(reader, {});
  for (size_t i = origin.hops.size(); i-- > 0;) {
    const OriginHop& hop = origin.hops[i];
    add(hop.from, {});
    if (hop.via != OriginHop::Via::report) add(hop.from, hop.use);
    add(hop.to, {});
  }
  add(sink.call, {});
  if (sink.use) add(sink.call, sink.use);
  return path;
}

TaintCrosses crosses_of(const Graph& graph, const Origin& origin) {
  TaintCrosses crosses = TaintCrosses::nothing;
  for (const OriginHop& hop : origin.hops) {
    const bool is_far = session_index(graph, hop.from) != session_index(graph, hop.to);
    const bool is_other = conversation_index(graph, hop.from) != conversation_index(graph, hop.to);
    crosses = std::max(crosses, is_far     ? TaintCrosses::session
                                : is_other ? TaintCrosses::agent
                                           : TaintCrosses::nothing);
  }
  return crosses;
}

double Spread::confidence_of(CallId sink, const Origin& origin, const TaintEvidence& evidence) {
  // That two texts have the same thing is never certain to mean that one got it from the other.
  constexpr double kMost = 0.99, kLeast = 0.01;
  double chance = 0;
  if (evidence.kind == TokenKind::number) {
    const auto digits = static_cast<double>(std::ranges::count_if(evidence.text, is_digit));
    chance = std::min(1.0, static_cast<double>(index_.numbers()) * std::pow(10, -digits));
  }
  const auto [known, is_new] = keys_.try_emplace(evidence.key);
  OfKey& key = known->second;
  if (is_new)
    for (const uint32_t conversation : index_.conversations_with(evidence.key)) {
      ++key.by_session[session_index(graph_, graph_.conversations()[conversation].calls.front())];
      ++key.all;
    }
  std::set<uint32_t> linked{session_index(graph_, sink)};
  for (const OriginHop& hop : origin.hops) linked.insert(session_index(graph_, hop.from));
  size_t unlinked = key.all;
  for (const uint32_t session : linked)
    if (const auto of = key.by_session.find(session); of != key.by_session.end())
      unlinked -= of->second;
  const auto all = static_cast<double>(graph_.conversations().size());
  chance = std::max(chance, static_cast<double>(unlinked) / all);
  double certain = std::min(1 - chance, kMost);
  for (const OriginHop& hop : origin.hops) certain *= hop.confidence;
  return std::max(certain, kLeast);
}

bool share_a_target(const Trace& trace, ToolUseId a, ToolUseId b) {
  const std::vector<StringId> first = targets_of(trace, trace.tool_uses[a.index]);
  return std::ranges::any_of(targets_of(trace, trace.tool_uses[b.index]), [&](StringId target) {
    return std::ranges::find(first, target) != first.end();
  });
}

void leave_out_hosts(TaintFlow& flow) {
  const auto is_said = [&](const TaintEvidence& host) {
    return host.kind == TokenKind::host &&
           std::ranges::any_of(flow.evidence, [&](const TaintEvidence& one) {
             return one.kind == TokenKind::url &&
                    one.text.find("://" + host.text) != std::string::npos;
           });
  };
  // A copy, because hosts are compared with addresses while they are removed.
  std::vector<TaintEvidence> kept;
  for (const TaintEvidence& one : flow.evidence)
    if (!is_said(one)) kept.push_back(one);
  flow.evidence = std::move(kept);
}

std::string compact_form(std::string_view text) {
  std::string compact;
  for (const char c : text)
    if (is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') ||
        static_cast<unsigned char>(c) >= 0x80)
      compact += lower(c);
  return compact;
}

}  // namespace xtrace
