#pragma once

#include <span>

#include "input/transcripts/transcript_calls.h"

namespace xtrace {

/// Does a piece of its answer ask for a tool?
bool asks_for_tools(const TranscriptCall& call, const RawTrace& trace);
/// Which of its utterances tells that it used up so much, but for the output; else kNone.
uint32_t telling_of(const Tokens& tokens, const TranscriptCall& call, const RawTrace& trace);
/// The model of these calls, if all have the same.
StringId only_model(std::span<const TranscriptCall> calls, const RawTrace& trace);

}  // namespace xtrace
