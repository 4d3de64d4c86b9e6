#include "link/waste/error_words.h"

#include <algorithm>

#include "base/digits.h"
#include "base/one_of.h"
#include "link/waste/words.h"

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

}  // namespace

std::string without_times(std::string_view text) {
  std::string rest;
  for (size_t at = 0; at < text.size();) {
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

}  // namespace xtrace
