#include "input/transcripts/running_counts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "input/common/token_sums.h"

namespace xtrace {

namespace {

/// The counts of a thread that stand in one file, in their order: as they were read.
struct CountsInFile {
  Tokens first, last;
  Utterance* opening = nullptr;
};

/// Where a thread goes on in another file, that one's last count is in this one's first. Of copies
/// the first one has it.
std::optional<Tokens> count_before(const std::map<uint32_t, CountsInFile>& files, uint32_t file) {
  const Tokens& first = files.at(file).first;
  std::optional<Tokens> before;
  for (const auto& [other, counts] : files) {
    const bool fits =
        other != file && is_at_least(first, counts.last) && (counts.last != first || other < file);
    if (fits && (!before || is_at_least(counts.last, *before))) before = counts.last;
  }
  return before;
}

}  // namespace

void take_apart_running_counts(RawTrace& trace) {
  std::map<StringId, std::map<uint32_t, CountsInFile>> threads;
  for (Utterance& said : trace.utterances) {
    if (said.kind != Utterance::Kind::counted || !said.sums_up) continue;
    said.sums_up = false;
    const Tokens sum = said.tokens;
    const auto [known, is_new] = threads[said.session].try_emplace(said.source.file);
    CountsInFile& counts = known->second;
    if (is_new) {
      counts.first = sum;
      counts.opening = &said;
    } else if (is_at_least(sum, counts.last)) {
      said.tokens = difference(sum, counts.last);
    }
    counts.last = sum;
  }
  for (auto& [thread, files] : threads)
    for (auto& [file, counts] : files)
      if (const std::optional<Tokens> before = count_before(files, file))
        counts.opening->tokens = difference(counts.first, *before);
}

}  // namespace xtrace
