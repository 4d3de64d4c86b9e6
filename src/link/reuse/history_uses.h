#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "link/graph/graph.h"

namespace xtrace {

/// A tool use that only the history of a request records.
struct HistoryUse {
  CallId reader;  ///< the call of that request
  ToolUseId use;
};

/// The tool uses in the histories of requests that begin conversations. Where a log begins later
/// than a conversation, no call on record asked for them.
class HistoryUses {
 public:
  explicit HistoryUses(const Graph& graph);

  /// Is the call the first on record of its conversation?
  bool begins(CallId call) const;
  /// The tool use of that id in the history of such a call, or the one that a call of its session
  /// asked for by that id; nowhere: there is none.
  ToolUseId find(CallId call, std::string_view id) const;
  /// Those that no call on record asked for, each once, in the order of their readers.
  const std::vector<HistoryUse>& unasked() const { return unasked_; }

 private:
  const Graph& graph_;
  std::unordered_map<uint64_t, ToolUseId> by_id_;  ///< by call and id
  std::vector<HistoryUse> unasked_;
};

}  // namespace xtrace
