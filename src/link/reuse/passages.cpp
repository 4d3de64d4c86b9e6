#include "link/reuse/passages.h"

#include <algorithm>
#include <array>

#include "base/digits.h"
#include "base/hash.h"

namespace xtrace {

namespace {

/// What each byte is in a folded text; 0: a blank.
constexpr std::array<char, 256> kFolded = [] {
  std::array<char, 256> folded{};
  for (size_t c = 0; c < folded.size(); ++c) folded[c] = lower(static_cast<char>(c));
  for (const char c : std::string_view(" \t\n\v\f\r")) folded[static_cast<uint8_t>(c)] = 0;
  return folded;
}();

}  // namespace

std::string fold_text(std::string_view text) {
  std::string folded(text.size(), '\0');  // as long at most
  char* end = folded.data();
  const char* const last = text.data() + text.size();
  const auto folded_of = [](char c) { return kFolded[static_cast<uint8_t>(c)]; };
  const auto is_blank = [&](char c) { return folded_of(c) == 0 && c != '\0'; };
  for (const char* at = text.data(); at != last;) {
    if (is_blank(*at)) {
      while (at != last && is_blank(*at)) ++at;
      if (at != last && end != folded.data()) *end++ = ' ';
      continue;
    }
    while (at != last && !is_blank(*at)) *end++ = folded_of(*at++);
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
  std::vector<std::pair<size_t, uint64_t>> least;  // hashes ascend; the first is the window's least
  size_t first = 0;                                // of those that are in the window
  kept.reserve(folded.size() * 2 / (kKeptOf + 1) + 1);
  for (size_t at = 0; at + kGram <= folded.size(); ++at) {
    const uint64_t hash = hash_of(folded.substr(at, kGram));
    while (least.size() > first && least.back().second >= hash) least.pop_back();
    if (least.size() == first) least.clear(), first = 0;
    least.emplace_back(at, hash);
    if (least[first].first + kKeptOf <= at) ++first;
    if (at + 1 < kKeptOf || (!kept.empty() && kept.back().first == least[first].first)) continue;
    kept.push_back(least[first]);
  }
  return kept;
}

PassageIndex::PassageIndex(std::string folded) : folded_(std::move(folded)) {
  const std::vector<std::pair<size_t, uint64_t>> kept = winnow(folded_);
  grams_.reserve(kept.size());
  for (const auto& [at, hash] : kept) grams_.emplace_back(hash, at);
  std::ranges::sort(grams_);
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
  // What repeats itself is extended from the first places.
  constexpr size_t kPlacesOfOne = 4;
  const uint64_t hash = hash_of(gram);
  auto kept = std::ranges::lower_bound(grams_, std::pair(hash, size_t{0}));
  for (size_t i = 0; i < kPlacesOfOne && kept != grams_.end() && kept->first == hash; ++i, ++kept)
    if (const SharedPassage one = extended(other, at, kept->second); one.size() > longest.size())
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
