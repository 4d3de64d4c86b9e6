#include "input/transcripts/streamed_counts.h"

#include <map>
#include <tuple>
#include <utility>

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

bool begins_stream(const Utterance& said) {
  return said.kind == Kind::billed && said.is_begun;
}

struct End {
  Tokens tokens;
  StringId stop_reason;
};

void take(const End& end, Utterance& piece) {
  const Tokens& told = end.tokens;
  if (told.output >= piece.tokens.output) {
    piece.tokens.output = told.output;
    piece.output_is_low = false;
  }
  for (int64_t Tokens::*count : {&Tokens::input, &Tokens::cache_read, &Tokens::cache_creation})
    if (piece.tokens.*count == kNoCount) piece.tokens.*count = told.*count;
  if (!piece.stop_reason) piece.stop_reason = end.stop_reason;
}

}  // namespace

void settle_streamed_counts(RawTrace& trace) {
  std::map<std::tuple<uint32_t, StringId, StringId>, StringId> coming;  // answers, by conversation
  std::map<std::pair<StringId, StringId>, End> ends;                    // by session and answer
  for (Utterance& said : trace.utterances) {
    if (said.kind != Kind::billed || (said.answer && !said.is_begun)) continue;
    StringId& answer = coming[{said.source.file, said.session, said.tool_use}];
    if (begins_stream(said))
      answer = said.answer;
    else if (answer)
      ends[{said.session, answer}] = {said.tokens, said.stop_reason};
    said.kind = Kind::silent;
    said.answer = said.stop_reason = {};
    said.tokens = {};
    said.is_begun = false;
  }
  if (ends.empty()) return;
  for (Utterance& piece : trace.utterances)
    if (piece.kind == Kind::answered && piece.answer && !piece.is_echo)
      if (const auto found = ends.find({piece.session, piece.answer}); found != ends.end())
        take(found->second, piece);
}

}  // namespace xtrace
