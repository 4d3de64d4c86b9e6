#include "link/reuse/passages.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "base/digits.h"
#include "base/hash.h"

namespace xtrace {

std::string fold_text(std::string_view text) {
  std::string folded;
  folded.reserve(text.size());
  bool is_apart = false;
  for (const char c : text) {
    const bool is_blank = c == ' ' || (c >= '\t' && c <= '\r');
    if (!is_blank) {
      if (is_apart && !folded.empty()) folded += ' ';
      folded += lower(c);
    }
    is_apart = is_blank || (is_apart && folded.empty());
  }
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

std::vector<Passage> find_common(std::string_view text, std::string_view other,
                                 const std::vector<size_t>& places) {
  std::vector<Passage> common;
  if (text.size() < kGram || other.size() < kGram || places.empty()) return common;
  // A gram may be in several places: what repeats itself is extended from the first of each.
  constexpr size_t kPlacesOfOne = 4;
  std::unordered_map<uint64_t, std::vector<size_t>> wanted;
  for (const size_t at : places) wanted[hash_of(text.substr(at, kGram))];
  for (size_t at = 0; at + kGram <= other.size(); ++at)
    if (const auto found = wanted.find(hash_of(other.substr(at, kGram)));
        found != wanted.end() && found->second.size() < kPlacesOfOne)
      found->second.push_back(at);
  for (const size_t at : places) {
    if (!common.empty() && at + kGram <= common.back().end) continue;
    Passage longest;
    for (const size_t there : wanted[hash_of(text.substr(at, kGram))]) {
      size_t left = 0, right = 0;
      while (left < at && left < there && text[at - left - 1] == other[there - left - 1]) ++left;
      while (at + right < text.size() && there + right < other.size() &&
             text[at + right] == other[there + right])
        ++right;
      const Passage run{at - left, at + right};
      if (right >= kGram && run.size() > longest.size()) longest = run;
    }
    if (longest.size() == 0) continue;
    if (!common.empty() && longest.begin <= common.back().end)
      common.back().end = std::max(common.back().end, longest.end);
    else
      common.push_back(longest);
  }
  return common;
}

Passage longest_left(Passage range, const std::vector<Passage>& without) {
  Passage longest;
  size_t begin = range.begin;
  const auto take = [&](size_t end) {
    if (end > begin && end - begin > longest.size()) longest = {begin, end};
  };
  for (const Passage& gone : without) {
    if (gone.end <= begin) continue;
    if (gone.begin >= range.end) break;
    take(std::min(gone.begin, range.end));
    begin = gone.end;
  }
  take(range.end);
  return longest;
}

}  // namespace xtrace
