#include "link/reuse/passages.h"

#include <algorithm>
#include <deque>

#include "base/digits.h"
#include "base/hash.h"

namespace xtrace {

std::string fold_text(std::string_view text) {
  std::string folded(text.size(), '\0');  // as long at most
  char* end = folded.data();
  bool is_apart = false;
  for (const char c : text) {
    if (c == ' ' || (c >= '\t' && c <= '\r')) {
      is_apart = end != folded.data();
      continue;
    }
    if (is_apart) *end++ = ' ';
    *end++ = lower(c);
    is_apart = false;
  }
  folded.resize(static_cast<size_t>(end - folded.data()));
  return folded;
}

bool is_value(std::string_view folded) {
  return folded.size() >= kShortestValue && folded.size() < kLongestValue &&
         folded.find(' ') != std::string_view::npos;
}

std::vector<std::pair<size_t, uint64_t>> winnow(std::string_view folded) {
  std::vector<std::pair<size_t, uint64_t>> kept;
  if (folded.size() < kShortestRun) return kept;
  std::deque<std::pair<size_t, uint64_t>> least;  // hashes ascend; the first is the window's least
  for (size_t at = 0; at + kGram <= folded.size(); ++at) {
    const uint64_t hash = hash_of(folded.substr(at, kGram));
    while (!least.empty() && least.back().second >= hash) least.pop_back();
    least.emplace_back(at, hash);
    if (least.front().first + kKeptOf <= at) least.pop_front();
    if (at + 1 < kKeptOf || (!kept.empty() && kept.back().first == least.front().first)) continue;
    kept.push_back(least.front());
  }
  return kept;
}

PassageIndex::PassageIndex(std::string folded) : folded_(std::move(folded)) {
  // What repeats itself is extended from the first places.
  constexpr size_t kPlacesOfOne = 4;
  for (const auto& [at, hash] : winnow(folded_))
    if (std::vector<size_t>& places = grams_[hash]; places.size() < kPlacesOfOne)
      places.push_back(at);
}

SharedPassage PassageIndex::extended(std::string_view other, size_t at, size_t here) const {
  size_t left = 0, right = 0;
  while (left < at && left < here && other[at - left - 1] == folded_[here - left - 1]) ++left;
  while (at + right < other.size() && here + right < folded_.size() &&
         other[at + right] == folded_[here + right])
    ++right;
  return {at - left, at + right};
}

SharedPassage PassageIndex::longest_at(std::string_view other, size_t at, bool finds_short) const {
  const std::string_view gram = other.substr(at, kGram);
  SharedPassage longest;
  const auto kept = grams_.find(hash_of(gram));
  if (kept != grams_.end())
    for (const size_t here : kept->second)
      if (const SharedPassage one = extended(other, at, here); one.size() > longest.size())
        longest = one;
  if (longest.size() > 0 || !finds_short) return longest;
  const size_t here = folded_.find(gram);
  return here == std::string::npos ? longest : extended(other, at, here);
}

std::vector<SharedPassage> PassageIndex::common(std::string_view other,
                                                const std::vector<size_t>& places,
                                                bool finds_short) const {
  std::vector<SharedPassage> common;
  for (const size_t at : places) {
    if (!common.empty() && at + kGram <= common.back().end) continue;
    const SharedPassage longest = longest_at(other, at, finds_short);
    if (longest.size() < kGram) continue;
    if (!common.empty() && longest.begin <= common.back().end)
      common.back().end = std::max(common.back().end, longest.end);
    else
      common.push_back(longest);
  }
  return common;
}

SharedPassage longest_left(SharedPassage range, const std::vector<SharedPassage>& without) {
  SharedPassage longest;
  size_t begin = range.begin;
  const auto take = [&](size_t end) {
    if (end > begin && end - begin > longest.size()) longest = {begin, end};
  };
  for (const SharedPassage& gone : without) {
    if (gone.end <= begin) continue;
    if (gone.begin >= range.end) break;
    take(std::min(gone.begin, range.end));
    begin = gone.end;
  }
  take(range.end);
  return longest;
}

}  // namespace xtrace
