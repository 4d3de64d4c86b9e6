#include "input/transcripts/counts_alone.h"

#include <utility>
#include <vector>

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

/// What a file has told so far.
struct LastCount {
  StringId name;
  bool is_answered = false;    ///< something was since
  Utterance* alone = nullptr;  ///< since the last answer, if it is a call of its own
};

void tell_call(Utterance& count) {
  count.kind = Kind::answered;
  count.is_whole = count.is_aside = true;
  count.answer = {};
}

}  // namespace

void tell_calls_of_counts(RawTrace& trace) {
  std::vector<LastCount> files(trace.sources.size());
  for (Utterance& said : trace.utterances) {
    const bool is_named_count = said.kind == Kind::counted && said.answer;
    if (!is_named_count && said.kind != Kind::answered && said.kind != Kind::compacted) continue;
    LastCount& last = files[said.source.file];
    if (said.kind == Kind::answered) {
      last.is_answered = true;
      last.alone = nullptr;
    } else if (said.kind == Kind::compacted) {
      if (last.alone) last.alone->sums_up = true, last.alone->outcome = Outcome::ok;
    } else if (const StringId before = std::exchange(last.name, said.answer);
               before != said.answer && !std::exchange(last.is_answered, false) && before) {
      tell_call(said);
      last.alone = &said;
    }
  }
}

}  // namespace xtrace
