#include "input/transcripts/answer_pieces.h"

#include <algorithm>
#include <span>

#include "facts/stop_reasons.h"

namespace xtrace {

namespace {

/// Was it all that the answer has? Another one is sent more; where nothing tells how much was sent,
/// an answer that told why it ended is over.
bool is_over(const Utterance& last, const Utterance& next) {
  const int64_t sent = tokens_sent(last.tokens), sent_next = tokens_sent(next.tokens);
  return sent > 0 && sent_next > 0 ? sent != sent_next : bool{last.stop_reason};
}

}  // namespace

bool is_piece_of(const RawTrace& trace, const Utterance& said, const TranscriptCall& call,
                 Meanwhile came) {
  const Utterance& first = trace.utterances[call.first];
  if (said.request && said.request == first.request) return true;
  if (came == Meanwhile::nothing) return true;
  if (said.request && first.request) return false;
  if (came == Meanwhile::words) return false;
  return !is_over(trace.utterances[call.answered.back()], said);
}

bool tells_again(const RawTrace& trace, const Utterance& said, const TranscriptCall& call,
                 StringId session) {
  const auto piece = [&](uint32_t i) -> const Utterance& { return trace.utterances[i]; };
  if (said.request && said.request == piece(call.first).request) return true;
  constexpr size_t kLooked = 64;
  const std::span<const uint32_t> all = call.answered;
  return std::ranges::any_of(all.last(std::min(all.size(), kLooked)), [&](uint32_t i) {
    const bool are_dated = said.time != kNoTime && piece(i).time != kNoTime;
    if (are_dated && said.time == piece(i).time) return true;
    return (!are_dated || said.session == session) && said.message == piece(i).message;
  });
}

bool is_refused(const RawTrace& trace, const TranscriptCall& call) {
  return std::ranges::any_of(call.answered, [&](uint32_t i) {
    return trace[trace.utterances[i].stop_reason] == kRefusal;
  });
}

}  // namespace xtrace
