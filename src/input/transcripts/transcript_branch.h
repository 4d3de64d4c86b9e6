#pragma once

#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "input/transcripts/threads.h"
#include "input/transcripts/transcript_calls.h"

namespace xtrace {

/// Indices of the threads as they began: a session that goes on with another's history comes behind
/// that.
std::vector<uint32_t> in_order(const RawTrace& trace, const std::vector<Thread>& threads);

/// The utterances since an answer, which are the input of the next one. Branches of a conversation
/// share most of them, so they are a tree: a branch is given by its last item, and shared items are
/// stored once.
class PendingInput {
 public:
  static constexpr uint32_t kNone = Threads::kNone;
  struct Item {
    uint32_t utterance = kNone;
    uint32_t before = kNone;                     ///< the item before
    uint32_t count = 0;                          ///< of those up to here
    bool is_asked = false, is_prompted = false;  ///< something by then; by a prompt
    Time latest = kNoTime;                       ///< by then
  };

  /// The item of `utterance` after the item `before`.
  uint32_t add(const Item& said);
  const Item& operator[](uint32_t item) const { return items_[item]; }
  size_t count(uint32_t last) const { return last == kNone ? 0 : items_[last].count; }
  /// Do these last items end the same?
  bool are_same(uint32_t last, uint32_t other) const;
  /// The utterances up to the item `last`, without so many of the first.
  std::vector<uint32_t> up_to(uint32_t last, size_t left_out = 0) const;

 private:
  std::vector<Item> items_;
};

/// One of the ways on which a conversation goes on, while its calls are found.
struct TranscriptBranch {
  uint32_t last = TranscriptCall::kNone;   ///< its last call
  uint32_t since = TranscriptCall::kNone;  ///< the last item that was said since
  size_t left_out = 0;                     ///< so much of that was asked before
  size_t attempted = 0, repeated = 0;      ///< of it: what attempts that fail leave out; told again
  size_t settled = 0;                      ///< so many pieces of that call have no open tool use
  std::unordered_set<uint32_t> open{};     ///< the tool uses of that call that gave nothing yet
  bool is_asked = false, is_prompted = false;  ///< something; by a prompt
  bool is_aborted = false;                     ///< by the user
  Time asked_at = kNoTime;
  Time again_at = kNoTime;  ///< what failed was to be asked then
  bool is_compacted = false, is_pruned = false;
  bool tells_compaction = false;  ///< by an utterance that others name as what they follow
  bool is_counted = false;        ///< what the last call used up was told: it is over
};

/// Where an utterance stands: the branch, its last call by then, and whether a summary is between
/// them.
struct TranscriptPosition {
  uint32_t thread = TranscriptCall::kNone, branch = 0, last = TranscriptCall::kNone;
  bool is_compacted = false;
  uint32_t since =
      TranscriptCall::kNone;  ///< the last item that was said since that call, before it
};

/// Nothing came since but what is not answered yet.
bool is_end_of(const TranscriptBranch& branch, const TranscriptPosition& spot);
/// Was the model asked something? While one of its tools runs it is by a prompt alone, and so it
/// is once the user has aborted.
bool owes_answer(const TranscriptBranch& branch);
/// Makes the input up to that item pending again.
void repeat_input(const PendingInput& said, uint32_t item, TranscriptBranch& branch);

/// Finds which utterance another one follows, without silent ones. There may be thousands of those
/// in between, so each path is walked once.
class VisibleAncestors {
 public:
  VisibleAncestors(const RawTrace& trace, const Threads& threads);
  /// The nearest ancestor that is not silent; kNone: there is none, or the path is a circle.
  uint32_t next(uint32_t utterance);

 private:
  static constexpr uint32_t kNone = Threads::kNone, kUnknown = kNone - 1;

  const std::vector<Utterance>& said_;
  const std::vector<uint32_t>& followed_;
  std::vector<uint32_t> above_;  ///< by utterance, as far as it was asked for
};

/// The state of a conversation before some of its turns, to which it was rewound.
struct RewoundState {
  uint32_t last = TranscriptCall::kNone;  ///< its last call then, in the list of all
  uint32_t since = PendingInput::kNone;   ///< the last item that was said since that one
  bool is_compacted = false, is_pruned = false;
};

/// A conversation that is rewound.
struct Turns {
  const RawTrace& trace;
  const PendingInput& said;
  std::span<const TranscriptCall> calls;
  std::span<const uint32_t> asked;  ///< by call: the last item of what was said before it
};

/// Undoes the last `number` turns, or all if there are fewer. `last`: the call that the
/// conversation ends with; `since`: the last item after it.
RewoundState rewind_turns(int64_t number, const Turns& of, uint32_t last, uint32_t since);

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

// Answers are named by who gives them, and some that are between a client and a model give every
// answer the same name. So a name alone does not show that a piece belongs to an answer.

/// What came between a piece of an answer and the last one before it that has the same name.
enum class Meanwhile : uint8_t {
  nothing,
  notes,  ///< tools' outputs, or what a program says: the answer may not have been over
  words,  ///< of the user
};

/// Is it a further piece of the answer of this call, of the same thread?
bool is_piece_of(const RawTrace& trace, const Utterance& said, const TranscriptCall& call,
                 Meanwhile came);
/// Is it a copy of an answer of that call of another thread? It is if requests, times or, within a
/// session or where no times are recorded, words are equal.
bool repeats_answer(const RawTrace& trace, const Utterance& said, const TranscriptCall& call,
                    StringId session);
/// Which of the last pieces of its answer states this usage, except for the output; else kNone.
uint32_t find_usage(const RawTrace& trace, const Tokens& tokens, const TranscriptCall& call);
/// Did the model, or what guards it, refuse to answer? Clients ask another one then.
bool is_refused(const RawTrace& trace, const TranscriptCall& call);

/// The branches of a conversation, and the input that is pending on each.
struct ConversationBranches {
  const RawTrace& trace;
  const PendingInput& pending;
  std::span<const TranscriptBranch> branches;
  uint32_t open;  ///< the branch where it ends with no call that waits for an answer, if any
};

/// Finds tool results with which a branch ends or was rewound, so that no call reads them, and
/// notes them with the last call of the branch. `first`: the first call of the conversation.
void find_unread(const ConversationBranches& conversation, std::vector<TranscriptCall>& calls,
                 size_t first);

}  // namespace xtrace
