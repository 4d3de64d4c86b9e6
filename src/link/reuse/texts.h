#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "facts/payloads.h"
#include "link/graph/graph.h"

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

/// Calls `each` for all texts of the calls, in the order in which they were said: for each call
/// what its request adds, then its reply. `index` counts them: of two texts of one conversation,
/// the one with the lower index was said first. Texts are read again from the files, one call at a
/// time.
void each_text(
    const Graph& graph, const Payloads& payloads,
    const std::function<void(uint32_t index, const TextPlace& place, std::string_view text)>& each);

/// The same of one call, without what the system says.
void each_text_of(const Graph& graph, const Payloads& payloads, CallId call,
                  const std::function<void(const TextPlace& place, std::string_view text)>& each);

/// The conversation of a call, as an index into Graph::conversations().
uint32_t conversation_index(const Graph& graph, CallId call);

/// Reads texts again. It keeps those of the last calls, since what is compared is often near; a
/// reference holds until the next text is read.
class CallTexts {
 public:
  CallTexts(const Graph& graph, const Payloads& payloads) : graph_(graph), payloads_(payloads) {}

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

  const Graph& graph_;
  const Payloads& payloads_;
  std::vector<OfCall> calls_;  ///< the last one read is last
};

}  // namespace xtrace
