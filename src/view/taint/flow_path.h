#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "view/taint/taint_findings.h"

namespace xtrace {

/// Index into Graph::sessions().
uint32_t session_index(const Graph& graph, CallId call);

/// The tool uses and calls that a text went through: from the source and the call that read its
/// result, over reports, prompts and files, to the sink.
std::vector<TaintStep> path_of_flow(const TaintStep& source, CallId reader, const Origin& origin,
                                    const TaintStep& sink);

/// The farthest border between source and sink.
TaintCrosses crosses_of(const Graph& graph, const Origin& origin);

/// How surely one text has a thing from the other.
class Spread {
 public:
  Spread(const Graph& graph, const TextIndex& index) : graph_(graph), index_(index) {}

  /// By how likely both have it by chance: a number of so many digits among all there are, or what
  /// conversations have too that nothing links to these. And by the links between.
  double confidence_of(CallId sink, const Origin& origin, const TaintEvidence& evidence);

 private:
  struct OfKey {
    std::unordered_map<uint32_t, size_t> by_session;
    size_t all = 0;
  };

  const Graph& graph_;
  const TextIndex& index_;
  std::unordered_map<uint64_t, OfKey> keys_;  ///< conversations that have each
};

/// Do two tool uses work on the same file or address?
bool share_a_target(const Trace& trace, ToolUseId a, ToolUseId b);

/// An address says all that its host says.
void leave_out_hosts(TaintFlow& flow);

/// Letters and digits alone, small: equal for all ways to write a thing.
std::string compact_form(std::string_view text);

}  // namespace xtrace
