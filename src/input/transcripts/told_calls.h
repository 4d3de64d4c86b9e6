#pragma once

#include <map>
#include <tuple>
#include <unordered_map>

#include "input/transcripts/transcript_calls.h"

namespace xtrace {

/// What calls of one thread tell by themselves. They may be asked thousands of times, so each piece
/// of an answer is looked at once.
class ToldCalls {
 public:
  explicit ToldCalls(const RawTrace& trace) : trace_(trace) {}

  /// Does a piece of its answer ask for a tool?
  bool asks_for_tools(uint32_t number, const TranscriptCall& call);
  /// Which of its utterances tells that it used up so much, but for the output; else kNone.
  uint32_t telling_of(const Tokens& tokens, uint32_t number, const TranscriptCall& call);

 private:
  using Sent = std::tuple<int64_t, int64_t, int64_t>;
  struct Told {
    size_t pieces = 0;  ///< that were looked at
    bool asks_for_tools = false;
    std::map<Sent, uint32_t> first;  ///< utterance that tells so
  };

  static Sent sent(const Tokens& tokens) {
    return {tokens.input, tokens.cache_read, tokens.cache_creation};
  }
  const Told& look_at(uint32_t number, const TranscriptCall& call);

  const RawTrace& trace_;
  std::unordered_map<uint32_t, Told> told_;  ///< by number of the call
};

/// The model of all that was said, if it is the same.
class OnlyModel {
 public:
  void add(StringId model) {
    if (model && only_ && model != only_) are_several_ = true;
    if (model) only_ = model;
  }
  StringId get() const { return are_several_ ? StringId() : only_; }

 private:
  StringId only_;
  bool are_several_ = false;
};

}  // namespace xtrace
