#include "input/transcripts/told_calls.h"

#include <algorithm>

#include "facts/rows.h"

namespace xtrace {

bool asks_for_tools(const TranscriptCall& call, const RawTrace& trace) {
  return std::any_of(call.answered.begin(), call.answered.end(), [&](uint32_t i) {
    const MessageId message = trace.utterances[i].message;
    return message && !rows_of(trace.tool_uses, message).empty();
  });
}

uint32_t telling_of(const Tokens& tokens, const TranscriptCall& call, const RawTrace& trace) {
  const auto found = std::find_if(call.answered.begin(), call.answered.end(), [&](uint32_t i) {
    Tokens told = trace.utterances[i].tokens;
    told.output = tokens.output;
    told.cache_creation_1h = tokens.cache_creation_1h;
    return told == tokens;
  });
  return found == call.answered.end() ? TranscriptCall::kNone : *found;
}

StringId only_model(std::span<const TranscriptCall> calls, const RawTrace& trace) {
  StringId only;
  for (const TranscriptCall& call : calls)
    for (uint32_t i : call.answered) {
      const StringId model = trace.utterances[i].model;
      if (!model || model == only) continue;
      if (only) return {};
      only = model;
    }
  return only;
}

}  // namespace xtrace
