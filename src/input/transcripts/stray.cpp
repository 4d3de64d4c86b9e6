#include "input/transcripts/stray.h"

#include <algorithm>
#include <vector>

#include "input/transcripts/printed.h"

namespace xtrace {

void drop_stray(RawTrace& trace) {
  const auto is_stray = [](const Utterance& said) { return said.is_stray; };
  if (std::none_of(trace.utterances.begin(), trace.utterances.end(), is_stray)) return;
  std::vector<bool> is_at_home(trace.sources.size(), false);
  const auto is_telling = [](const Utterance& said) {
    const bool is_of_journal = said.kind == Utterance::Kind::silent && said.agent;
    return is_printed(said) || said.kind == Utterance::Kind::heading || is_of_journal;
  };
  for (const Utterance& said : trace.utterances)
    if (!said.is_stray && is_telling(said)) is_at_home[said.source.file] = true;
  const Extent* last = nullptr;
  for (const Utterance& said : trace.utterances) {
    if (!said.is_stray || is_at_home[said.source.file]) continue;
    const bool is_same_record =
        last != nullptr && last->file == said.source.file && last->offset == said.source.offset;
    last = &said.source;
    if (is_same_record) continue;
    Source& source = trace.sources[said.source.file];
    --source.records;
    ++source.skipped;
    if (source.records == 0) source.format = {};
    trace.complaints.push_back(
        {said.source, "an object of unknown shape", Complaint::Kind::unknown_record});
  }
  std::erase_if(trace.utterances, [&](const Utterance& said) {
    return said.is_stray && !is_at_home[said.source.file];
  });
}

}  // namespace xtrace
