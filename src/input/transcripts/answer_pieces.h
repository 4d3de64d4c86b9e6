#pragma once

#include "input/transcripts/transcript_calls.h"

namespace xtrace {

// Answers are named by who gives them, and some that stand between a client and a model give every
// answer the same name. So a name alone does not tell that a piece belongs to an answer.

/// What came between a piece of an answer and the last one before it that has the same name.
enum class Meanwhile : uint8_t {
  nothing,
  notes,  ///< tools' outputs, or what a program says: the answer may not have been over
  words,  ///< of the user
};

/// Is it a further piece of the answer of this call, of the same thread?
bool is_piece_of(const RawTrace& trace, const Utterance& said, const TranscriptCall& call,
                 Meanwhile came);
/// Does it tell again what that call of another thread answered? It does if request, time or,
/// within a session or where no times are told, words are the same.
bool tells_again(const RawTrace& trace, const Utterance& said, const TranscriptCall& call,
                 StringId session);
/// Did the model, or what guards it, refuse to answer? Clients ask another one then.
bool is_refused(const RawTrace& trace, const TranscriptCall& call);

}  // namespace xtrace
