#pragma once

#include <map>
#include <utility>
#include <vector>

#include "facts/trace.h"

namespace xtrace {

/// Results of tools in transcripts that no later call is told: some clients write down a turn as
/// one answer that holds what its tools gave back, and others end behind a result.
class UnreadResults {
 public:
  explicit UnreadResults(const Trace& trace);

  /// nullptr: none is on record.
  const ToolResult* of(const Call& call, const ToolUse& use) const;

 private:
  const ToolResult* find(MessageId message, StringId tool_use) const;

  const Trace& trace_;
  std::vector<MessageId> behind_;  ///< by message: the first one behind it that brings results
  /// By message and tool use, of messages that bring many: a look at each would be a square.
  std::map<std::pair<MessageId, StringId>, const ToolResult*> among_many_;
};

}  // namespace xtrace
