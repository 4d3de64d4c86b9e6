#include "settings/suite_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/nearest.h"
#include "base/text.h"

namespace xtrace {

std::string SuiteWords::joined(const std::vector<std::string_view>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

Status SuiteWords::some_keys(const Setting& of, std::string_view what,
                             const std::vector<std::string_view>& known) const {
  if (Status checked = keys(of, what, known); !checked) return checked;
  if (!of.items.empty()) return {};
  return wrong(of, fmt::format("{} is empty; it needs at least one of: {}", what, joined(known)));
}

Status SuiteWords::read_text(const Setting& from, std::string_view what, std::string& into) const {
  // Names may be numbers: `id: 7`.
  bool is_count = from.kind == Setting::Kind::number && from.number >= 0 && from.number < 1e15 &&
                  std::trunc(from.number) == from.number;
  if (is_count || (from.kind == Setting::Kind::text && !from.text.empty()))
    return read_value(from, what, into);
  return wrong(from, fmt::format("{} must be a non-empty string", what));
}

Status SuiteWords::read_texts(const Setting& from, std::string_view what,
                              std::vector<std::string>& into) const {
  if (from.kind != Setting::Kind::list) return read_text(from, what, into.emplace_back());
  if (from.items.empty())
    return wrong(from, fmt::format("{} must be a string or a non-empty list of strings", what));
  for (const auto& [none, item] : from.items)
    if (Status read = read_text(item, what, into.emplace_back()); !read) return read;
  return {};
}

Status SuiteWords::read_truth(const Setting& from, std::string_view what, bool& into) const {
  if (from.kind != Setting::Kind::boolean)
    return wrong(from, fmt::format("{} must be true or false", what));
  into = from.truth;
  return {};
}

Status SuiteWords::read_number(const Setting& from, std::string_view what, double most,
                               double& into) const {
  if (from.kind != Setting::Kind::number || !(from.number >= 0 && from.number <= most))
    return wrong(from, fmt::format("{} must be a number from 0 to {}", what, most));
  into = from.number;
  return {};
}

Status SuiteWords::read_count(const Setting& from, std::string_view what, double& into) const {
  if (from.kind != Setting::Kind::number || !(from.number >= 0 && from.number <= 1e15) ||
      std::trunc(from.number) != from.number)
    return wrong(from, fmt::format("{} must be a whole number of at least 0", what));
  into = from.number;
  return {};
}

Status SuiteWords::read_length(const Setting& from, std::string_view what, Duration& into) const {
  std::optional<Duration> length;
  if (from.kind == Setting::Kind::text) length = parse_span(from.text);
  if (from.kind == Setting::Kind::number && from.number >= 0 && from.number < 1e9)
    length = Duration(std::llround(from.number * 1e9));
  if (!length) return wrong(from, fmt::format("{} must be a duration, such as 500ms or 30s", what));
  into = *length;
  return {};
}

Status SuiteWords::read_pattern(const Setting& from, std::string_view what,
                                std::optional<Pattern>& into) const {
  std::string text;
  if (from.kind == Setting::Kind::boolean)
    return wrong(from, fmt::format("{} must be a pattern", what));
  if (Status read = read_value(from, what, text); !read) return read;
  Result<Pattern> pattern = Pattern::compile(text);
  if (!pattern) return wrong(from, fmt::format("{}: {}", what, pattern.error().what));
  into = *std::move(pattern);
  return {};
}

Status SuiteWords::read_patterns(const Setting& from, std::string_view what,
                                 std::vector<Pattern>& into) const {
  auto add = [&](const Setting& item) -> Status {
    std::optional<Pattern> pattern;
    if (Status read = read_pattern(item, what, pattern); !read) return read;
    into.push_back(*std::move(pattern));
    return {};
  };
  if (from.kind != Setting::Kind::list) return add(from);
  if (from.items.empty())
    return wrong(from, fmt::format("{} must be a pattern or a non-empty list of patterns", what));
  for (const auto& [none, item] : from.items)
    if (Status added = add(item); !added) return added;
  return {};
}

Status SuiteWords::read_word(const Setting& from, std::string_view what,
                             std::span<const std::string_view> words, size_t& into) const {
  auto found = std::find(words.begin(), words.end(), from.text);
  if (from.kind == Setting::Kind::text && found != words.end()) {
    into = static_cast<size_t>(found - words.begin());
    return {};
  }
  return wrong(from, fmt::format("{} must be one of {}{}", what, fmt::join(words, ", "),
                                 did_you_mean(from.text, words)));
}

Status SuiteWords::read_weight(const Setting& from, Expectation& into) const {
  const Setting* weight = from.find("weight");
  return weight == nullptr ? Status() : read_number(*weight, "weight", 1e6, into.weight);
}

Status SuiteWords::read_requirement(const Setting& from, std::string_view what,
                                    Requirement& into) const {
  if (from.kind == Setting::Kind::table) {
    std::vector<std::string_view> words(std::begin(kDemandWords), std::end(kDemandWords));
    if (Status known = some_keys(from, what, words); !known) return known;
    return read_demands(from, into);
  }
  return read_value(from, what, into.is.emplace());
}

Status SuiteWords::read_demands(const Setting& from, Requirement& into) const {
  if (const Setting* is = from.find("is"))
    if (Status read = read_value(*is, "is", into.is.emplace()); !read) return read;
  if (const Setting* list = from.find("one_of")) {
    if (list->kind != Setting::Kind::list || list->items.empty())
      return wrong(*list, "one_of must be a non-empty list of values");
    for (const auto& [none, item] : list->items)
      if (Status read = read_value(item, "one_of", into.one_of.emplace_back()); !read) return read;
  }
  if (const Setting* one = from.find("matches"))
    if (Status read = read_pattern(*one, "matches", into.matches); !read) return read;
  if (const Setting* list = from.find("mentions"))
    if (Status read = read_patterns(*list, "mentions", into.mentions); !read) return read;
  if (const Setting* list = from.find("mentions_not"))
    return read_patterns(*list, "mentions_not", into.mentions_not);
  return {};
}

Status SuiteWords::read_value(const Setting& from, std::string_view what, std::string& into) const {
  switch (from.kind) {
    case Setting::Kind::boolean: into = from.truth ? "true" : "false"; return {};
    case Setting::Kind::number:
      if (!std::isfinite(from.number)) break;
      into = from.text.empty() ? fmt::format("{}", from.number) : from.text;
      return {};
    case Setting::Kind::text:
      if (from.text.empty()) break;
      into = from.text;
      return {};
    default: break;
  }
  return wrong(from, fmt::format("{} must be a non-empty string or a number", what));
}

}  // namespace xtrace
