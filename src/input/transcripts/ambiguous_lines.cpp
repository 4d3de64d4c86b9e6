#include "input/transcripts/ambiguous_lines.h"

#include <algorithm>
#include <vector>

#include "input/common/format.h"
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

void settle_formats(RawTrace& trace) {
  std::vector<bool> begins_with_heading(trace.sources.size()), is_settled(trace.sources.size());
  for (const Utterance& said : trace.utterances) {
    const uint32_t file = said.source.file;
    if (is_settled[file]) continue;
    if (said.kind == Utterance::Kind::heading) {
      begins_with_heading[file] = true;
      continue;
    }
    is_settled[file] = true;
    if (const Format* format = format_at(said.source); format && begins_with_heading[file])
      trace.sources[file].format = format->name;
  }
}

}  // namespace xtrace
