#include <algorithm>
#include <array>

#include "redact/assigned.h"
#include "redact/bytes.h"

namespace xtrace {
namespace {

using bytes::alnum, bytes::at, bytes::is_in;
using std::string_view;

}  // namespace

void read_token(string_view t, size_t hit, std::vector<ByteRange>& found) {
  // Ids of agents' logs and digests of lock files have such forms as well; most ids are shorter.
  constexpr size_t kShortest = 28, kLongest = 200, kLongestPrefix = 24;
  static constexpr std::array<string_view, 32> kPublic = {
      "chatcmpl", "msg",   "toolu", "call", "req",      "resp",   "run",  "thread",
      "asst",     "file",  "event", "item", "sha",      "digest", "md5",  "nonce",
      "id",       "hash",  "gen",   "sess", "pk",       "etag",   "org",  "user",
      "acct",     "batch", "conv",  "part", "srvtoolu", "step",   "span", "trace"};
  size_t end = hit + 1, lowers = 0, uppers = 0, groups = 0;
  if (hit + kShortest >= t.size() || !alnum(t[hit + kShortest])) return;
  for (; end < t.size() && end - hit <= kLongest && alnum(t[end]); ++end) {
    lowers += t[end] >= 'a' ? 1U : 0U;
    uppers += bytes::upper(t[end]) ? 1U : 0U;
    groups += is_digit(t[end]) && !is_digit(t[end - 1]) ? 1U : 0U;
  }
  // Names are made of words, which have few digits apart.
  constexpr size_t kGroups = 3, kLetters = 4;
  if (end - hit <= kShortest || groups < kGroups || lowers < kLetters || uppers < kLetters) return;
  if (is_in("_-+/=.", at(t, end)) && (at(t, end) != '.' || alnum(at(t, end + 1)))) return;
  size_t begin = hit;
  while (begin > 0 && hit - begin <= kLongestPrefix &&
         (alnum(t[begin - 1]) || is_in("_-", t[begin - 1])))
    --begin;
  const string_view prefix = t.substr(begin, hit - begin);
  const auto is_lower = [](char c) { return !bytes::upper(c); };
  const auto is_upper = [](char c) { return c < 'a' || c > 'z'; };
  if (prefix.size() < 2 || prefix.size() > kLongestPrefix || is_in("/+.=%\\", at(t, begin - 1)) ||
      !bytes::letter(prefix[0]) ||
      (!std::ranges::all_of(prefix, is_lower) && !std::ranges::all_of(prefix, is_upper)) ||
      std::ranges::any_of(kPublic, [&](string_view one) { return prefix.starts_with(one); }))
    return;
  found.push_back({begin, end});
}

}  // namespace xtrace
