#include "redact/custom_rule.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/digits.h"

namespace xtrace {

namespace {

using std::string_view;
constexpr size_t kLongestName = 60;

re2::StringPiece piece(string_view text) {
  return {text.data(), text.size()};
}

bool is_ascii(string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; });
}

std::string lowered(string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

/// Where the first group begins that no parenthesis ends; npos: all are ended.
size_t open_group(string_view pattern) {
  std::vector<size_t> open;
  bool in_class = false;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\') {
      ++i;
    } else if (in_class) {
      in_class = c != ']';
    } else if (c == '[') {
      in_class = true;
      // The first one in a class does not end it.
      if (pattern.substr(i + 1).starts_with('^')) ++i;
      if (pattern.substr(i + 1).starts_with(']')) ++i;
    } else if (c == '(') {
      open.push_back(i);
    } else if (c == ')' && !open.empty()) {
      open.pop_back();
    }
  }
  return open.empty() ? string_view::npos : open.front();
}

/// The longest text that is in every match of a pattern, in whatever case; empty: none of three
/// bytes is known. So rules need not be looked for in texts without it. Understands what most rules
/// are: texts, classes and groups in a row.
std::string fixed_text_in(string_view pattern) {
  constexpr string_view kOptional = "*?{", kSpecial = "^$.|+*?{}()[]\\",
                        kClasses = "dDwWsSbBAzntrfv";
  if (!is_ascii(pattern) || pattern.find("\\Q") != string_view::npos) return {};
  std::string best, run;
  const auto end_run = [&] {
    if (run.size() > best.size()) best = run;
    run.clear();
  };
  size_t depth = 0;
  for (size_t i = 0; i < pattern.size(); ++i) {
    char c = pattern[i];
    const bool is_escaped = c == '\\' && i + 1 < pattern.size();
    if (is_escaped) c = pattern[++i];
    if (!is_escaped && c == '|' && depth == 0) return {};
    if (!is_escaped && c == '[') {
      end_run();
      i += pattern.substr(i + 1).starts_with('^');
      i += pattern.substr(i + 1).starts_with(']');
      while (++i < pattern.size() && pattern[i] != ']') i += pattern[i] == '\\';
    } else if (!is_escaped && (c == '(' || c == ')')) {
      end_run();
      depth += c == '(' ? 1 : 0;
      depth -= c == ')' && depth > 0 ? 1 : 0;
    } else {
      const bool is_letter = is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z');
      // `\x41` or `\pN` take bytes behind them.
      if (is_escaped && is_letter && kClasses.find(c) == string_view::npos) return {};
      // `\d` and the like are classes, `\n` means another byte.
      const bool is_text =
          is_escaped ? !is_letter && c > ' ' : kSpecial.find(c) == string_view::npos;
      const char next = i + 1 < pattern.size() ? pattern[i + 1] : '\0';
      if (depth > 0) continue;
      if (!is_text) {
        end_run();
        if (c == '{') i = std::min(pattern.find('}', i), pattern.size());
      } else if (next != '\0' && kOptional.find(next) != string_view::npos) {
        end_run();
      } else {
        run += lower(c);
        if (next == '+') end_run();
      }
    }
  }
  end_run();
  return best.size() < kShortestKeyword ? std::string() : best;
}

/// What is wrong with a pattern, and where. RE2 names the part of it that is at fault, which is all
/// of it where something at its end is missing.
std::string fault_of(const RE2& pattern) {
  const std::string& part = pattern.error_arg();
  std::string what = pattern.error();
  size_t at = part.empty() ? std::string::npos : pattern.pattern().find(part);
  if (part.size() == pattern.pattern().size()) {
    if (const std::string whole = ": " + part; what.ends_with(whole))
      what.resize(what.size() - whole.size());
    at = pattern.error_code() == RE2::ErrorMissingParen ? open_group(part) : std::string::npos;
  }
  if (at == std::string::npos) return what;
  const std::string before = pattern.pattern().substr(0, at);
  const auto is_begin = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
  return what + ", at character " +
         std::to_string(std::count_if(before.begin(), before.end(), is_begin) + 1);
}

/// Bytes, as texts need not be valid UTF-8; but what is written with other letters means those.
Result<std::shared_ptr<const RE2>> compile_pattern(const std::string& regex) {
  RE2::Options options(is_ascii(regex) ? RE2::Latin1 : RE2::DefaultOptions);
  options.set_log_errors(false);
  std::shared_ptr<const RE2> pattern = std::make_shared<RE2>(regex, options);
  if (pattern->ok()) return pattern;
  std::string why = "not a valid pattern: " + fault_of(*pattern);
  if (pattern->error_code() == RE2::ErrorRepeatSize) why += "; repetitions are limited to 1000";
  if (pattern->error_arg().starts_with("(?")) why += "; lookahead and lookbehind are not supported";
  return fail(Exit::usage, why);
}

// What replacements may be called.
std::string safe_name(string_view name) {
  std::string out;
  for (char c : name.substr(0, kLongestName)) {
    bool fits = (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') || c == '-';
    out += fits ? c : '_';
  }
  return out.empty() ? "custom" : out;
}

// Half a character is no text any more.
bool is_continuation(string_view text, size_t at) {
  return at < text.size() && (text[at] & 0xC0) == 0x80;
}

double entropy_of(string_view text) {
  std::array<size_t, 256> counts{};
  for (char c : text) ++counts[static_cast<uint8_t>(c)];
  double bits = 0;
  for (size_t count : counts) {
    if (count == 0) continue;
    double share = static_cast<double>(count) / static_cast<double>(text.size());
    bits -= share * std::log2(share);
  }
  return bits;
}

size_t backslashes_before(string_view text, size_t at) {
  size_t count = 0;
  while (count < at && text[at - 1 - count] == '\\') ++count;
  return count;
}

/// Where the string ends whose quote, with `escapes` backslashes before it, is at `quote`. JSON in
/// a string of JSON has one before each quote of its own, and three before one inside.
size_t end_of_string(string_view text, size_t quote, size_t escapes) {
  for (size_t at = text.find(text[quote], quote + 1); at != string_view::npos;
       at = text.find(text[quote], at + 1))
    if (backslashes_before(text.substr(quote + 1), at - quote - 1) % (2 * escapes + 2) == escapes)
      return at - escapes;
  return text.size();
}

/// Where the object or array ends that begins at `at`.
size_t end_of_nest(string_view text, size_t at) {
  size_t depth = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '"') {
      size_t escapes = backslashes_before(text, at);
      at = end_of_string(text, at, escapes) + escapes;
    } else if (text[at] == '{' || text[at] == '[') {
      ++depth;
    } else if ((text[at] == '}' || text[at] == ']') && --depth == 0) {
      return at + 1;
    }
  }
  return text.size();
}

/// The bytes of the value at `at`, without the quotes.
std::pair<size_t, size_t> value_at(string_view text, size_t at) {
  size_t first = text.find_first_not_of('\\', at);
  if (first == string_view::npos) return {at, at};
  if (text[first] == '"' || text[first] == '\'')
    return {first + 1, std::max(first + 1, end_of_string(text, first, first - at))};
  if (text[first] == '{' || text[first] == '[') return {first, end_of_nest(text, first)};
  size_t end = std::min(text.find_first_of(",}]\\\"' \t\r\n", first), text.size());
  string_view word = text.substr(first, end - first);
  return word == "null" || word == "true" || word == "false" ? std::pair(at, at)
                                                             : std::pair(first, end);
}

}  // namespace

std::string plain_key(std::string_view key) {
  std::string out;
  for (char c : key.substr(key.rfind('.') + 1))
    if (c != '-' && c != '_' && c != ' ') out += lower(c);
  return out;
}

Result<CompiledRule> CompiledRule::compile(CustomRule rule) {
  CompiledRule compiled;
  Result<Pattern> pattern = compile_pattern(rule.regex);
  if (!pattern) return tl::unexpected(pattern.error());
  if (RE2::FullMatch("", **pattern)) return fail(Exit::usage, "it matches the empty text");
  if (rule.group > (*pattern)->NumberOfCapturingGroups())
    return fail(Exit::usage, "it has no group " + std::to_string(rule.group));
  compiled.pattern_ = *std::move(pattern);
  for (size_t i = 0; i < rule.allowed.size(); ++i) {
    Allowance allowance{{}, i};
    for (const std::string& regex : rule.allowed[i].regexes) {
      Result<Pattern> allowed = compile_pattern(regex);
      if (!allowed)
        return fail(Exit::usage, "its allowlist pattern '" + regex + "': " + allowed.error().what);
      allowance.regexes.push_back(*std::move(allowed));
    }
    for (std::string& word : rule.allowed[i].stopwords) word = lowered(word);
    compiled.allowances_.push_back(std::move(allowance));
  }
  for (std::string& keyword : rule.keywords) keyword = lowered(keyword);
  if (rule.keywords.empty())
    if (std::string fixed = fixed_text_in(rule.regex); !fixed.empty())
      rule.keywords.push_back(std::move(fixed));
  rule.name = safe_name(rule.name);
  compiled.rule_ = std::move(rule);
  return compiled;
}

bool CompiledRule::is_sought_everywhere() const {
  const auto is_short = [](const std::string& keyword) {
    return keyword.size() < kShortestKeyword;
  };
  return rule_.keywords.empty() || std::ranges::any_of(rule_.keywords, is_short);
}

CompiledRule CompiledRule::of_fields(const std::vector<std::string>& plain_keys) {
  CompiledRule compiled;
  std::string keys;
  for (const std::string& key : plain_keys) {
    keys += keys.empty() ? "" : "|";
    for (char c : key) keys += RE2::QuoteMeta(re2::StringPiece(&c, 1)) + "[-_ ]?";
  }
  compiled.rule_.name = kFieldRule;
  compiled.rule_.regex = R"((?i)["'](?:[^"'\\]{0,64}\.)?(?:)" + keys + R"()\\*["']\s*:\s*)";
  compiled.pattern_ = std::make_shared<RE2>(compiled.rule_.regex, RE2::Latin1);
  compiled.is_of_fields_ = true;
  return compiled;
}

bool CompiledRule::is_allowed(string_view text, const RedactFinding& match,
                              string_view secret) const {
  for (const Allowance& allowance : allowances_) {
    const CustomRule::Allowed& allowed = rule_.allowed[allowance.source];
    string_view about = secret;
    if (allowed.target == CustomRule::Allowed::Target::match)
      about = text.substr(match.begin, match.end - match.begin);
    if (allowed.target == CustomRule::Allowed::Target::line) {
      size_t begin = match.begin == 0 ? 0 : text.rfind('\n', match.begin - 1) + 1;
      about = text.substr(begin, text.find('\n', match.end) - begin);
    }
    bool fits =
        std::any_of(allowance.regexes.begin(), allowance.regexes.end(),
                    [&](const Pattern& regex) { return RE2::PartialMatch(piece(about), *regex); });
    std::string word = lowered(secret);
    bool stops =
        std::any_of(allowed.stopwords.begin(), allowed.stopwords.end(),
                    [&](const std::string& stop) { return word.find(stop) != string_view::npos; });
    if (allowed.needs_both ? fits && stops : fits || stops) return true;
  }
  return false;
}

void CompiledRule::find(string_view text, size_t number, std::vector<RedactFinding>& found) const {
  const int groups =
      rule_.group == CustomRule::kFirstGroup ? pattern_->NumberOfCapturingGroups() : rule_.group;
  std::vector<re2::StringPiece> parts(static_cast<size_t>(groups) + 1);
  for (size_t at = 0;
       at < text.size() &&
       pattern_->Match(piece(text), at, text.size(), RE2::UNANCHORED, parts.data(), groups + 1);) {
    const size_t begin = static_cast<size_t>(parts[0].data() - text.data());
    const size_t end = begin + parts[0].size();
    at = std::max(end, at + 1);
    const re2::StringPiece* taken = &parts[static_cast<size_t>(std::max(rule_.group, 0))];
    if (rule_.group == CustomRule::kFirstGroup)
      for (size_t i = parts.size(); i-- > 1;)
        if (!parts[i].empty()) taken = &parts[i];
    RedactFinding one{begin, end, number, {}};
    if (is_of_fields_) {
      std::tie(one.begin, one.end) = value_at(text, end);
    } else if (!taken->empty()) {
      one.begin = static_cast<size_t>(taken->data() - text.data());
      one.end = one.begin + taken->size();
    } else {
      continue;
    }
    if (one.begin == one.end) continue;
    const string_view secret = text.substr(one.begin, one.end - one.begin);
    if (rule_.entropy > 0 && entropy_of(secret) <= rule_.entropy) continue;
    if (is_allowed(text, {begin, end, number, {}}, secret)) continue;
    while (one.begin > 0 && is_continuation(text, one.begin)) --one.begin;
    while (is_continuation(text, one.end)) ++one.end;
    found.push_back(std::move(one));
  }
}

}  // namespace xtrace
