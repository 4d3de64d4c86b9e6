#include "base/redact.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <mutex>

#include "base/decoded_views.h"
#include "base/redact_rules.h"

namespace xtrace {
namespace {

using std::string_view;
constexpr size_t kRules = std::size(kRedactRules);
constexpr size_t kNo = string_view::npos;
constexpr size_t kShortest = 7;  // "/home/x", "1.2.3.4"
constexpr int kDeepest = 3;      // base64 in JSON in base64
constexpr string_view kMarker = "[REDACTED:";

// Compiled when it is first needed: most runs need a few of them.
const RE2& pattern_of(size_t rule) {
  static std::array<std::once_flag, kRules> once;
  static std::array<std::unique_ptr<RE2>, kRules> compiled;
  std::call_once(once[rule], [rule] {
    RE2::Options options(RE2::Latin1);  // bytes: the text need not be valid UTF-8
    options.set_log_errors(false);
    compiled[rule] = std::make_unique<RE2>(re2::StringPiece(kRedactRules[rule].pattern), options);
  });
  return *compiled[rule];
}

bool digit(char c) {
  return c >= '0' && c <= '9';
}
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

// A rule may begin near the first digit of a run, near ':' and '-' after a hex digit, near '@'.
enum Start : uint8_t { kDigit = 1, kJoint = 2, kAt = 4 };
constexpr bool hex_letter(size_t c) {
  return (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
constexpr std::array<uint8_t, 256> kStarts = [] {
  std::array<uint8_t, 256> starts{};
  for (size_t c = '0'; c <= '9'; ++c) starts[c] = kDigit;
  starts[':'] = starts['-'] = kJoint;
  starts['@'] = kAt;
  return starts;
}();
constexpr std::array<uint8_t, 256> kAfter = [] {  // by the byte before: what may start there
  std::array<uint8_t, 256> after{};
  for (size_t c = 0; c < after.size(); ++c)
    after[c] = kStarts[c] == kDigit ? kJoint | kAt
               : hex_letter(c)      ? kDigit | kJoint | kAt
                                    : kDigit | kAt;
  return after;
}();

/// Finds the places where a match can begin, in one pass. Three bytes, five bits of each (which
/// makes upper and lower case equal), index a bit map that is empty nearly everywhere.
class Triggers {
 public:
  struct Literal {
    string_view text;
    bool any_case;
    uint8_t rule;
  };

  Triggers() : bits_(kSlots / 64), group_of_(kSlots) {
    for (size_t rule = 0; rule < kRules; ++rule) {
      string_view rest = kRedactRules[rule].triggers;
      while (!rest.empty()) {
        const string_view literal = rest.substr(0, rest.find('|'));
        rest.remove_prefix(std::min(rest.size(), literal.size() + 1));
        add(literal, static_cast<uint8_t>(rule));
      }
    }
  }

  static uint32_t roll(uint32_t hash, char c) {
    return (hash << 5 | (static_cast<uint8_t>(c) & 31)) & (kSlots - 1);
  }
  bool maybe(uint32_t hash) const { return (bits_[hash >> 6] >> (hash & 63) & 1) != 0; }
  bool single(char c, char previous) const {
    return (kStarts[static_cast<uint8_t>(c)] & kAfter[static_cast<uint8_t>(previous)]) != 0;
  }
  const std::vector<Literal>& literals(uint32_t hash) const { return groups_[group_of_[hash]]; }
  const std::vector<uint8_t>& rules_at(char c) const {
    return singles_[static_cast<uint8_t>(digit(c) ? '0' : c)];
  }

 private:
  static constexpr uint32_t kSlots = 1 << 15;

  void add(string_view literal, uint8_t rule) {
    if (literal.size() == 1) {
      singles_[static_cast<uint8_t>(literal[0])].push_back(rule);
    } else {
      uint32_t hash = 0;
      for (char c : literal.substr(0, 3)) hash = roll(hash, c);
      bits_[hash >> 6] |= uint64_t{1} << (hash & 63);
      const bool any_case =
          std::none_of(literal.begin(), literal.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
      if (group_of_[hash] == 0) {
        group_of_[hash] = static_cast<uint16_t>(groups_.size());
        groups_.emplace_back();
      }
      groups_[group_of_[hash]].push_back({literal, any_case, rule});
    }
  }

  std::vector<uint64_t> bits_;
  std::vector<uint16_t> group_of_;
  std::vector<std::vector<Literal>> groups_{1};  // [0]: none
  std::array<std::vector<uint8_t>, 256> singles_;
};

const Triggers& triggers() {
  static const Triggers all;
  return all;
}

/// The search of one text: tries rules at places, left to right for each rule.
class Search {
 public:
  Search(string_view text, Redaction which, std::vector<RedactFinding>& found)
      : text_(text), secrets_only_(which == Redaction::secrets_only), found_(found) {}

  void attempt(size_t index, size_t hit) {
    const RedactRule& rule = kRedactRules[index];
    if (secrets_only_ && rule.kind == Sensitive::personal) return;
    size_t begin = rule.anchor ? rule.anchor(text_, hit) : hit;
    if (begin == kNo) return;
    begin = std::max(begin, floor_[index]);  // matches of one rule do not overlap
    if (begin > hit) return;
    std::array<re2::StringPiece, 2> part;
    const re2::StringPiece piece(text_.data(), text_.size());
    if (!pattern_of(index).Match(piece, begin, text_.size(), RE2::ANCHOR_START, part.data(),
                                 rule.group + 1))
      return;
    const re2::StringPiece& taken = part[static_cast<size_t>(rule.group)];
    const size_t from = static_cast<size_t>(taken.data() - text_.data());
    size_t to = from + taken.size();
    if (rule.check && !rule.check(text_, from, to)) return;
    floor_[index] = rule.group == 0 ? to : begin + part[0].size();
    found_.push_back({from, to, index, {}});
  }

 private:
  string_view text_;
  bool secrets_only_;
  std::vector<RedactFinding>& found_;
  std::array<size_t, kRules> floor_{};
};

bool matches(string_view text, size_t at, const Triggers::Literal& literal) {
  if (text.size() - at < literal.text.size()) return false;
  return std::equal(literal.text.begin(), literal.text.end(), text.data() + at,
                    [&](char l, char c) { return l == (literal.any_case ? lower(c) : c); });
}

// Length of the replacement that stands at `at`, 0 if none does. Only our own rule names count:
// text of the input cannot hide behind an invented one.
size_t marker_length(string_view text, size_t at) {
  size_t p = at + kMarker.size();
  const size_t colon = text.substr(p, 40).find(':');
  if (colon == kNo) return 0;
  const string_view name = text.substr(p, colon);
  if (std::none_of(std::begin(kRedactRules), std::end(kRedactRules),
                   [&](const RedactRule& rule) { return rule.name == name; }))
    return 0;
  p += colon + 1;
  const size_t first = p;
  while (p < text.size() && digit(text[p]) && p - first < 9) ++p;
  return p > first && p < text.size() && text[p] == ']' ? p + 1 - at : 0;
}

void find_in(string_view text, Redaction which, int depth, std::vector<RedactFinding>& found) {
  if (text.size() < kShortest) return;
  find_rule_matches(text, which, found);
  if (depth == kDeepest) return;
  std::vector<RedactFinding> inner;
  for (const DecodedView& view : decoded_views(text)) {
    inner.clear();
    find_in(view.text, which, depth + 1, inner);
    for (RedactFinding& finding : inner) {
      const auto [begin, end] = view.source(finding.begin, finding.end);
      if (finding.value.empty())
        finding.value = view.text.substr(finding.begin, finding.end - finding.begin);
      found.push_back({begin, end, finding.rule, std::move(finding.value)});
    }
  }
}

// Overlapping findings become one: the union of their bytes, named by the most telling rule.
void merge(string_view text, std::vector<RedactFinding>& found) {
  std::sort(found.begin(), found.end(), [](const RedactFinding& a, const RedactFinding& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    if (a.end != b.end) return a.end > b.end;
    if (a.rule != b.rule) return a.rule < b.rule;
    return a.value < b.value;
  });
  size_t kept = 0;
  for (size_t i = 0; i < found.size();) {
    size_t end = found[i].end, best = i, next = i + 1;
    for (; next < found.size() && found[next].begin < end; ++next) {
      end = std::max(end, found[next].end);
      if (found[next].rule < found[best].rule) best = next;
    }
    RedactFinding one = std::move(found[best]);
    const bool all = one.begin == found[i].begin && one.end == end;
    one.begin = best == i ? one.begin : found[i].begin;
    one.end = end;
    if (!all || one.value.empty()) one.value = text.substr(one.begin, one.end - one.begin);
    found[kept++] = std::move(one);
    i = next;
  }
  found.resize(kept);
}

// All findings of `text`, in order and apart; what is already replaced is skipped.
void find_all(string_view text, Redaction which, std::vector<RedactFinding>& found) {
  found.clear();
  if (which == Redaction::off) return;
  for (size_t begin = 0, from = 0;;) {
    const size_t marker = text.find(kMarker, from);
    const size_t length = marker == kNo ? 0 : marker_length(text, marker);
    if (marker != kNo && length == 0) {
      from = marker + 1;
      continue;
    }
    const size_t first = found.size();
    find_in(text.substr(begin, marker == kNo ? kNo : marker - begin), which, 0, found);
    for (size_t i = first; i < found.size(); ++i) found[i].begin += begin, found[i].end += begin;
    if (marker == kNo) break;
    begin = from = marker + length;
  }
  if (!found.empty()) merge(text, found);
}

}  // namespace

void find_rule_matches(string_view text, Redaction which, std::vector<RedactFinding>& found) {
  const Triggers& all = triggers();
  Search search(text, which, found);
  uint32_t hash = 0;
  char previous = '\0';
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    hash = Triggers::roll(hash, c);
    if (all.maybe(hash) && i >= 2) {
      for (const Triggers::Literal& literal : all.literals(hash))
        if (matches(text, i - 2, literal)) search.attempt(literal.rule, i - 2);
    }
    if (all.single(c, previous)) {
      for (uint8_t rule : all.rules_at(c)) search.attempt(rule, i);
    }
    previous = c;
  }
}

bool Redactor::clean(string_view text) {
  find_all(text, which_, findings_);
  return findings_.empty();
}

std::string Redactor::redact(string_view text) {
  find_all(text, which_, findings_);
  if (findings_.empty()) return std::string(text);
  // A replacement can lay bare what an overlapping match had covered: until nothing is found.
  std::string out = replace(text, findings_);
  for (find_all(out, which_, findings_); !findings_.empty(); find_all(out, which_, findings_))
    out = replace(out, findings_);
  return out;
}

std::string Redactor::replace(string_view text, const std::vector<RedactFinding>& findings) {
  std::string out;
  out.reserve(text.size());
  size_t copied = 0;
  for (const RedactFinding& finding : findings) {
    const std::string name(kRedactRules[finding.rule].name);
    int64_t& number = numbers_[name + '\0' + finding.value];
    if (number == 0) number = ++last_[name];
    out.append(text, copied, finding.begin - copied).append(kMarker).append(name);
    out.append(1, ':').append(std::to_string(number)) += ']';
    copied = finding.end;
    ++counts_[name];
  }
  out.append(text, copied);
  return out;
}

std::string without_numbers(std::string_view redacted) {
  std::string out;
  size_t copied = 0;
  for (size_t at = redacted.find(kMarker); at != kNo; at = redacted.find(kMarker, at + 1)) {
    size_t colon = redacted.find_first_of(":]", at + kMarker.size());
    if (colon == kNo || redacted[colon] == ']') continue;
    size_t end = redacted.find_first_not_of("0123456789", colon + 1);
    if (end == kNo || redacted[end] != ']') continue;
    out.append(redacted, copied, colon - copied);
    copied = end;
  }
  return out.append(redacted, copied);
}

}  // namespace xtrace
