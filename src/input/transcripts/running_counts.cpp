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
  std::vector<Tokens> sums;
  std::vector<Utterance*> said;
};

/// Does a file that begins likewise tell at least as much? Of equal ones the first stays.
bool is_copy(const std::map<uint32_t, CountsInFile>& files, uint32_t file) {
  const std::vector<Tokens>& sums = files.at(file).sums;
  return std::any_of(files.begin(), files.end(), [&](const auto& other) {
    const std::vector<Tokens>& longer = other.second.sums;
    const bool may_be =
        longer.size() > sums.size() || (longer.size() == sums.size() && other.first < file);
    return may_be && std::equal(sums.begin(), sums.end(), longer.begin());
  });
}

/// Where a thread goes on in another file, that one's last count is in this one's first.
std::optional<Tokens> count_before(const std::map<uint32_t, CountsInFile>& files, uint32_t file) {
  const Tokens& first = files.at(file).sums.front();
  std::optional<Tokens> before;
  for (const auto& [other, counts] : files) {
    const Tokens& last = counts.sums.back();
    const bool fits = other != file && is_at_least(first, last) && (last != first || other < file);
    if (fits && (!before || is_at_least(last, *before))) before = last;
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
    CountsInFile& counts = threads[said.session][said.source.file];
    if (!counts.sums.empty() && is_at_least(sum, counts.sums.back()))
      said.tokens = difference(sum, counts.sums.back());
    counts.sums.push_back(sum);
    counts.said.push_back(&said);
  }
  for (auto& [thread, files] : threads) {
    std::map<uint32_t, CountsInFile> originals;
    for (const auto& [file, counts] : files)
      if (is_copy(files, file))
        for (Utterance* said : counts.said) said->tokens = difference(said->tokens, said->tokens);
      else
        originals.emplace(file, counts);
    for (auto& [file, counts] : originals)
      if (const std::optional<Tokens> before = count_before(originals, file))
        counts.said.front()->tokens = difference(counts.sums.front(), *before);
  }
}

}  // namespace xtrace
