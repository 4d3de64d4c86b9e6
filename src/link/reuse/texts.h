#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "facts/histories.h"
#include "facts/payloads.h"
#include "link/graph/graph.h"
#include "link/reuse/history_uses.h"

namespace xtrace {

/// Whose text it is: what the `system` prompt or the declaration of a tool, the `user` or the
/// `model` says, an `argument` of a tool use, a tool's `result`. What looks like a user's text but
/// was given to a subagent by the tool use that started it is a `prompt`; what a model thought
/// before it replied is a `thought`.
enum class TextRole : uint8_t { system, user, prompt, model, thought, argument, result };

/// Where a text is in a conversation.
struct TextPlace {
  TextRole role = TextRole::user;
  uint32_t conversation = 0;  ///< index into Graph::conversations()
  CallId call;    ///< whose request brings it or whose reply it is; of a result, who reads it first
  ToolUseId use;  ///< of an argument, a result or a prompt; nowhere: that is not on record
};

/// The texts of all calls, in the order in which they were said: for each call what its request
/// adds, then its reply. The request of a call that begins a conversation adds its history, too:
/// the log may begin later than the conversation. Texts are read again from the files, one call at
/// a time.
class ConversationTexts {
 public:
  using Each = std::function<void(const TextPlace& place, std::string_view text)>;

  ConversationTexts(const Graph& graph, const Payloads& payloads);

  const Graph& graph() const { return graph_; }
  const HistoryUses& history() const { return history_; }
  Instructions instructions(CallId call) const {
    return payloads_.instructions(graph_.trace()[call]);
  }

  /// Several threads may read at once, each its own batch.
  size_t batches() const;
  std::span<const CallId> calls(size_t batch) const;
  void read(size_t batch, const Each& each) const;
  /// Those of one call, without what the system says.
  void read(CallId call, const Each& each) const;

 private:
  const Graph& graph_;
  const Payloads& payloads_;
  const Histories* histories_;  ///< nullptr: they cannot be read again
  HistoryUses history_;
  std::vector<bool> is_instructed_;  ///< by rank of the call: other instructions than before
};

/// The conversation of a call, as an index into Graph::conversations().
uint32_t conversation_index(const Graph& graph, CallId call);

/// Reads texts again. It keeps those of the last calls, since what is compared is often near; a
/// reference holds until the next text is read.
class CallTexts {
 public:
  explicit CallTexts(const ConversationTexts& texts) : texts_(texts) {}

  /// The text of a place; empty: its file has changed. Of several results of one tool use all; of
  /// other roles all that the request or the reply has of them.
  const std::string& read(const TextPlace& place);

 private:
  static constexpr size_t kKept = 8;
  struct OfCall {
    CallId call;
    std::unordered_map<uint64_t, std::string> texts;  ///< by role and tool use
  };
  static uint64_t key_of(const TextPlace& place) {
    return uint64_t{static_cast<uint8_t>(place.role)} << 32 |
           (place.use ? place.use.index : UINT32_MAX);
  }

  const ConversationTexts& texts_;
  std::vector<OfCall> calls_;  ///< the last one read is last
};

}  // namespace xtrace
