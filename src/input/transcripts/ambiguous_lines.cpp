#include "input/transcripts/ambiguous_lines.h"

#include <algorithm>
#include <vector>

#include "input/transcripts/printed.h"

namespace xtrace {

void drop_ambiguous_lines(RawTrace& trace) {
  const auto is_ambiguous = [](const Utterance& said) { return said.is_ambiguous; };
  if (std::none_of(trace.utterances.begin(), trace.utterances.end(), is_ambiguous)) return;
  std::vector<bool> is_transcript(trace.sources.size(), false);
  const auto is_unambiguous = [](const Utterance& said) {
    const bool is_of_journal = said.kind == Utterance::Kind::silent && said.agent;
    return is_printed(said) || said.kind == Utterance::Kind::heading || is_of_journal;
  };
  for (const Utterance& said : trace.utterances)
    if (!said.is_ambiguous && is_unambiguous(said)) is_transcript[said.source.file] = true;
  const Extent* last = nullptr;
  for (const Utterance& said : trace.utterances) {
    if (!said.is_ambiguous || is_transcript[said.source.file]) continue;
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
    return said.is_ambiguous && !is_transcript[said.source.file];
  });
}

}  // namespace xtrace
