#include "input/transcripts/told_calls.h"

#include "facts/rows.h"

namespace xtrace {

const ToldCalls::Told& ToldCalls::look_at(uint32_t number, const TranscriptCall& call) {
  Told& told = told_[number];
  for (; told.pieces < call.answered.size(); ++told.pieces) {
    const uint32_t i = call.answered[told.pieces];
    const Utterance& said = trace_.utterances[i];
    told.first.try_emplace(sent(said.tokens), i);
    told.asks_for_tools |= said.message && !rows_of(trace_.tool_uses, said.message).empty();
  }
  return told;
}

bool ToldCalls::asks_for_tools(uint32_t number, const TranscriptCall& call) {
  return look_at(number, call).asks_for_tools;
}

uint32_t ToldCalls::telling_of(const Tokens& tokens, uint32_t number, const TranscriptCall& call) {
  const Told& told = look_at(number, call);
  const auto found = told.first.find(sent(tokens));
  return found == told.first.end() ? TranscriptCall::kNone : found->second;
}

}  // namespace xtrace
