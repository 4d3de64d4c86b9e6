#pragma once

#include <span>
#include <utility>
#include <vector>

#include "facts/trace.h"
#include "link/calls/link.h"

namespace xtrace {

/// A Trace in the order in which things happened, with the indices that linkers need.
class Timeline {
 public:
  explicit Timeline(const Trace& trace);

  const Trace& trace() const { return *trace_; }
  const Call& operator[](CallId id) const { return (*trace_)[id]; }
  const Message& operator[](MessageId id) const { return (*trace_)[id]; }

  /// By start, but what a transcript says goes on from another call follows that whatever the clock
  /// says; of one moment who starts a subagent before that one, where an id shows it, then by place
  /// in the input. An event without a time follows the one before it in the input.
  std::span<const CallId> in_order() const { return order_; }
  /// Place in that order.
  uint32_t rank(CallId id) const { return ranks_[id.index]; }
  bool before(CallId a, CallId b) const { return rank(a) < rank(b); }

  /// Calls whose request ends with the message, earliest first.
  std::span<const CallId> asked_with(MessageId message) const { return find(asked_, message); }
  /// Calls that were answered with it.
  std::span<const CallId> answered_with(MessageId message) const {
    return find(answered_, message);
  }

  std::span<const ToolUse> uses_in(MessageId message) const;
  std::span<const ToolResult> results_in(MessageId message) const;
  /// Does a program state in it that something that went on in the background has ended?
  bool brings_notice(MessageId message) const;
  std::span<const Prompt> prompts_in(MessageId message) const;
  /// The first message of the conversation that the message is part of.
  MessageId root_of(MessageId message) const {
    return message ? roots_[message.index] : MessageId{};
  }
  ToolUseId id_of(const ToolUse& use) const {
    return ToolUseId(static_cast<size_t>(&use - trace_->tool_uses.data()));
  }

  /// The messages of a call's request that are not marked in `read`, first to last; marks them.
  std::vector<MessageId> read_new(CallId call, std::vector<bool>& read) const;

  /// Could the two belong together, as far as users and sessions are named in the log?
  bool compatible(CallId a, CallId b) const;
  /// From the end of the one to the start of the other.
  Duration gap(CallId from, CallId to) const;

 private:
  struct Index {
    std::vector<std::pair<MessageId, uint32_t>> keys;  ///< message, rank; sorted
    std::vector<CallId> calls;                         ///< in the same order
  };
  static std::span<const CallId> find(const Index& index, MessageId message);
  Index index_by(MessageId Call::*member) const;

  const Trace* trace_;
  std::vector<CallId> order_;
  std::vector<uint32_t> ranks_;
  std::vector<MessageId> roots_;  ///< by message
  Index asked_, answered_;
};

}  // namespace xtrace
