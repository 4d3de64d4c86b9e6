#pragma once

#include <cstdint>
#include <vector>

#include "link/reuse/handoffs.h"
#include "link/reuse/text_index.h"

namespace xtrace {

/// How a text came from one conversation into another, nearest first: in the report of a subagent,
/// in the prompt that started it, or in a file.
struct OriginHop {
  enum class Via : uint8_t { report, prompt, file };
  Via via = Via::report;
  CallId from, to;  ///< the calls that gave and that got it
  ToolUseId use;    ///< that started the subagent, or wrote the file
  double confidence = 1;
};

/// Where something was first.
struct Origin {
  enum class Kind : uint8_t {
    nowhere,  ///< nothing before has it
    said,     ///< the system or a user says it
    own,      ///< the model said it before any result had it
    result,   ///< a tool's result, neither a report nor a file that an agent wrote
  };
  Kind kind = Kind::nowhere;
  uint32_t place = TextIndex::kNever;  ///< in the index
  std::vector<OriginHop> hops;
};

/// When tool uses asked and were answered, as ConversationTexts counts.
class UsePlaces {
 public:
  explicit UsePlaces(const Trace& trace)
      : asked_(trace.tool_uses.size(), TextIndex::kNever), answered_(asked_) {}
  void note(uint32_t index, const TextPlace& place) {
    if (!place.use) return;
    std::vector<uint32_t>* const at = place.role == TextRole::argument ? &asked_
                                      : place.role == TextRole::result ? &answered_
                                                                       : nullptr;
    if (at != nullptr && (*at)[place.use.index] == TextIndex::kNever)
      (*at)[place.use.index] = index;
  }
  uint32_t asked(ToolUseId use) const { return asked_[use.index]; }
  uint32_t answered(ToolUseId use) const { return answered_[use.index]; }

 private:
  std::vector<uint32_t> asked_, answered_;
};

/// Follows texts back to where they were first. The first place of a conversation decides, but what
/// a user or the system says goes before all: also after a result had it.
class Origins {
 public:
  Origins(const Graph& graph, const TextIndex& index, const UsePlaces& uses,
          const Handoffs& handoffs);

  /// Where a key of the index was first, before a place of the conversation.
  Origin find(uint64_t key, uint32_t conversation, uint32_t before) const;

 private:
  /// Who started the conversation of a subagent.
  struct Parent {
    const Link* spawn = nullptr;
    uint32_t conversation = 0;
  };

  bool follow(uint64_t key, uint32_t conversation, uint32_t before, int depth,
              Origin& origin) const;
  bool follow_result(uint64_t key, uint32_t index, int depth, Origin& origin) const;
  uint32_t said_at(uint64_t key, uint32_t conversation, uint32_t before) const;

  const Graph& graph_;
  const TextIndex& index_;
  const UsePlaces& uses_;
  const Handoffs& handoffs_;
  std::vector<Parent> parents_;  ///< by conversation
};

}  // namespace xtrace
