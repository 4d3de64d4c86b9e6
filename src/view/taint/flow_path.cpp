#include "view/taint/flow_path.h"

#include <algorithm>

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

}  // namespace xtrace
