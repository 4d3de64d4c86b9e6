#include "redact/line_prefixes.h"

#include <algorithm>

#include "redact/bytes.h"

namespace xtrace {
namespace {

using std::string_view;
constexpr size_t kNowhere = string_view::npos;
constexpr size_t kLongestPrefix = 240;  // bytes: a path and a number
constexpr size_t kLongestLine = 400;    // bytes without the prefix; lines of keys have 64 to 76
constexpr size_t kMostLines = 400;      // of a block: a key of 16,384 bits has 200
constexpr size_t kLeastRunLines = 3;    // without a header, as is_key_body() has it

/// How keys that take several lines begin.
constexpr string_view kHeaders[] = {"-----BEGIN ", "Private-Lines:", "$ANSIBLE_VAULT;"};

bool is_indent(char c) {
  return c == ' ' || c == '\t';
}

size_t end_of_line(string_view t, size_t p) {
  const size_t most = std::min(t.size(), p + kLongestLine);
  while (p < most && break_length(t, p) == 0) ++p;
  return p;
}

/// Where the line with `p` begins, whose own break is escaped or is not; kNowhere: too far away.
size_t start_of_line(string_view t, size_t p, bool is_escaped) {
  for (size_t s = p; p - s <= kLongestPrefix; --s) {
    const bool is_break = s == 0 || (is_escaped ? t.substr(0, s).ends_with("\\n")
                                                : t[s - 1] == '\n' || t[s - 1] == '\r');
    if (is_break) return s;
  }
  return kNowhere;
}

/// The length of what at `p` is the prefix but for the digits of its numbers, the width of blanks,
/// and `-` for `:`, as grep marks lines around a match; kNowhere: something else is there.
size_t matching_length(string_view prefix, string_view t, size_t p) {
  const size_t begin = p;
  const auto skip = [&](auto is_such) {
    while (p < t.size() && is_such(t[p])) ++p;
  };
  for (size_t i = 0; i < prefix.size();) {
    const char c = prefix[i];
    if (is_digit(c)) {
      if (!is_digit(bytes::at(t, p))) return kNowhere;
      skip(is_digit);
      while (i < prefix.size() && is_digit(prefix[i])) ++i;
    } else if (is_indent(c)) {
      skip(is_indent);
      while (i < prefix.size() && is_indent(prefix[i])) ++i;
    } else {
      const char other = bytes::at(t, p);
      const bool is_same = c == other || (c == ':' && other == '-') || (c == '-' && other == ':');
      if (p >= t.size() || !is_same) return kNowhere;
      ++p, ++i;
    }
  }
  return p - begin;
}

/// Lines from `at` on, which is behind the first prefix, as long as the next ones have it, too.
DecodedView without_prefixes(string_view t, string_view prefix, size_t at) {
  DecodedView view;
  view.begin = view.end = at;
  for (size_t lines = 0; lines < kMostLines; ++lines) {
    const size_t end = end_of_line(t, at);
    for (; at < end; ++at) view.text += t[at], view.origin.push_back(static_cast<uint32_t>(at));
    view.text += '\n', view.origin.push_back(static_cast<uint32_t>(end));
    view.end = end;
    const size_t next = end + break_length(t, end);
    const size_t length = next == end ? kNowhere : matching_length(prefix, t, next);
    if (length == kNowhere) break;
    at = next + length;
  }
  view.origin.push_back(static_cast<uint32_t>(view.end));
  return view;
}

size_t run_end(string_view t, size_t p) {
  while (p < t.size() && base64_digit(t[p]) >= 0) ++p;
  return p;
}

}  // namespace

size_t break_length(string_view t, size_t p) {
  constexpr size_t kMostBackslashes = 16;
  size_t length = 0;
  while (length < kMostBackslashes && bytes::at(t, p + length) == '\\') ++length;
  const char c = bytes::at(t, p + length);
  if (length > 0) return c == 'n' ? length + 1 : 0;
  if (c == '\n') return 1;
  return c == '\r' && bytes::at(t, p + 1) == '\n' ? 2 : 0;
}

void add_key_lines(string_view t, std::vector<DecodedView>& views) {
  for (const string_view header : kHeaders) {
    for (size_t at = t.find(header), next = 0; at != kNowhere; at = t.find(header, next)) {
      next = at + header.size();
      const size_t end = end_of_line(t, at);
      if (break_length(t, end) == 0) continue;
      const size_t start = start_of_line(t, at, t[end] == '\\');
      if (start == kNowhere || start == at) continue;
      DecodedView view = without_prefixes(t, t.substr(start, at - start), at);
      if (view.end == end) continue;
      next = view.end;
      views.push_back(std::move(view));
    }
  }
}

size_t add_run_lines(string_view t, size_t begin, size_t end, std::vector<DecodedView>& views) {
  const size_t start =
      break_length(t, end) == 0 ? kNowhere : start_of_line(t, begin, t[end] == '\\');
  if (start == kNowhere) return end;
  // The sign of a difference can be a character of base64.
  const bool is_signed = start == begin && (t[begin] == '+' || t[begin] == '-');
  const string_view prefix = t.substr(start, begin - start + (is_signed ? 1 : 0));
  if (prefix.empty()) return end;
  for (size_t line = 1, last = end; line < kLeastRunLines; ++line) {
    const size_t next = last + break_length(t, last), length = matching_length(prefix, t, next);
    if (length == kNowhere) return end;
    last = run_end(t, next + length);
    const bool is_alike = last - next - length == end - start - prefix.size();
    if (!is_alike || break_length(t, last) == 0) return end;
  }
  DecodedView view = without_prefixes(t, prefix, start + prefix.size());
  // What a header begins, such as a certificate, has a view from there.
  constexpr size_t kHeader = kLongestPrefix + 80;
  const size_t before = start > kHeader ? start - kHeader : 0;
  const size_t behind = view.end;
  if (!bytes::has(t.substr(before, start - before), "-----BEGIN "))
    views.push_back(std::move(view));
  return behind;
}

}  // namespace xtrace
