#include "link/waste/error_words.h"

#include <algorithm>
#include <initializer_list>

#include "base/digits.h"
#include "base/lower.h"
#include "base/one_of.h"
#include "link/waste/word_set.h"

namespace xtrace {

namespace {

/// `9:05`, `12:30:01.5`
bool is_clock(std::string_view number) {
  const size_t colon = number.find(':');
  return (colon == 1 || colon == 2) && number.size() >= colon + 3 && is_digit(number[colon + 1]) &&
         is_digit(number[colon + 2]);
}

/// `ms`, ` seconds`
bool unit_of_time_begins(std::string_view text) {
  if (text.starts_with(' ')) text.remove_prefix(1);
  size_t end = 0;
  while (end < text.size() && is_letter(text[end])) ++end;
  return is_one_of(text.substr(0, end), {"ns", "us", "ms", "s", "sec", "secs", "second", "seconds",
                                         "m", "min", "mins", "minute", "minutes", "h"});
}

/// `2026-05-04T09:00:20.123Z`, and as names of files have it: `2026-05-04T09_00_20_123Z`.
size_t length_of_moment(std::string_view text) {
  constexpr std::string_view kDay = "dddd-dd-dd";
  if (text.size() < kDay.size()) return 0;
  for (size_t i = 0; i < kDay.size(); ++i)
    if (kDay[i] == 'd' ? !is_digit(text[i]) : text[i] != kDay[i]) return 0;
  if (text.size() == kDay.size() || std::string_view("T_ ").find(text[kDay.size()]) == text.npos ||
      text.size() < kDay.size() + 2 || !is_digit(text[kDay.size() + 1]))
    return kDay.size();
  return std::min(text.find_first_not_of("0123456789:_.,Z", kDay.size() + 1), text.size());
}

bool may_begin_a_chance(char c) {
  return is_digit(c) || c == '/' || c == 'p' || c == 'P';
}

/// How long what is there is, if it is another each time; 0: it is not.
size_t length_of_chance(std::string_view text, size_t at) {
  const std::string_view rest = text.substr(at);
  const bool begins = at == 0 || !(is_letter(text[at - 1]) || is_digit(text[at - 1]));
  if (!begins) return 0;
  for (std::string_view folder : {"/tmp/", "/var/folders/"})
    if (rest.starts_with(folder))
      return folder.size() + std::min(rest.substr(folder.size()).find_first_of(" \t\n\"':,;)"),
                                      rest.size() - folder.size());
  if (rest.starts_with("0x")) {
    const size_t end = std::min(rest.find_first_not_of("0123456789abcdefABCDEF", 2), rest.size());
    return end >= 8 ? end : 0;
  }
  for (std::string_view process : {"pid ", "pid=", "pid: ", "PID ", "PID: ", "process "})
    if (rest.starts_with(process) && rest.size() > process.size() && is_digit(rest[process.size()]))
      return std::min(rest.find_first_not_of("0123456789", process.size()), rest.size());
  return length_of_moment(rest);
}

}  // namespace

std::string remove_varying_parts(std::string_view text) {
  std::string rest;
  rest.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const size_t plain = at;  // most of a text is what no chance begins with
    while (at < text.size() && !may_begin_a_chance(text[at])) ++at;
    rest.append(text.substr(plain, at - plain));
    if (at == text.size()) break;
    if (const size_t length = length_of_chance(text, at); length > 0) {
      at += length;
      continue;
    }
    const size_t end = std::min(text.find_first_not_of("0123456789.,:", at), text.size());
    std::string_view number = text.substr(at, end - at);
    if (number.empty() || !is_digit(number.front())) {
      rest += text[at++];
      continue;
    }
    while (!is_digit(number.back())) number.remove_suffix(1);
    const bool is_place = at > 0 && text[at - 1] == ':';  // `a.c:12:30`
    if (is_place || !(is_clock(number) || unit_of_time_begins(text.substr(at + number.size()))))
      rest += number;
    at += number.size();
  }
  return rest;
}

bool is_transient_error(std::string_view error) {
  const std::string words = lower(error);
  return std::ranges::any_of(std::initializer_list<std::string_view>{"econnreset",
                                                                     "etimedout",
                                                                     "eai_again",
                                                                     "rate limit",
                                                                     "ratelimit",
                                                                     "too many requests",
                                                                     "http 429",
                                                                     "http 502",
                                                                     "http 503",
                                                                     "http 504",
                                                                     "service unavailable",
                                                                     "bad gateway",
                                                                     "overloaded",
                                                                     "temporarily",
                                                                     "try again",
                                                                     "retry after",
                                                                     "retry-after",
                                                                     "index.lock",
                                                                     "resource busy",
                                                                     "connection reset",
                                                                     "could not resolve host",
                                                                     "network is unreachable"},
                             [&](std::string_view one) { return words.find(one) != words.npos; });
}

}  // namespace xtrace
