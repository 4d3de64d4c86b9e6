#include "redact/rule_set.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <mutex>

#include "base/digits.h"
#include "redact/redact_rules.h"

namespace xtrace {

namespace {

using std::string_view;
constexpr size_t kRules = std::size(kRedactRules);

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

/// The search of one text: tries rules at places, left to right for each rule.
class RuleSearch {
 public:
  RuleSearch(string_view text, Redaction which, std::vector<RedactFinding>& found)
      : text_(text), secrets_only_(which == Redaction::secrets_only), found_(found) {}

  void attempt(size_t index, size_t hit) {
    const RedactRule& rule = kRedactRules[index];
    if (secrets_only_ && rule.kind == Sensitive::personal) return;
    size_t begin = rule.anchor ? rule.anchor(text_, hit) : hit;
    if (begin == string_view::npos) return;
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

}  // namespace

/// Finds the places where a match can begin, in one pass. Three bytes, five bits of each (which
/// makes upper and lower case equal), index a bit map that is empty nearly everywhere.
class RuleSet::Triggers {
 public:
  struct Literal {
    string_view text;
    bool any_case;
    size_t rule;
  };

  Triggers() : bits_(kSlots / 64), group_of_(kSlots) {
    for (size_t rule = 0; rule < kRules; ++rule) {
      string_view rest = kRedactRules[rule].triggers;
      while (!rest.empty()) {
        const string_view literal = rest.substr(0, rest.find('|'));
        rest.remove_prefix(std::min(rest.size(), literal.size() + 1));
        add(literal, rule);
      }
    }
  }

  /// `literal` is not copied. One of two bytes or fewer would be met everywhere and is refused.
  bool add_keyword(string_view literal, size_t rule) {
    if (literal.size() < 3) return false;
    add(literal, rule);
    return true;
  }

  static uint32_t roll(uint32_t hash, char c) {
    return (hash << 5 | (static_cast<uint8_t>(c) & 31)) & (kSlots - 1);
  }
  bool maybe(uint32_t hash) const { return (bits_[hash >> 6] >> (hash & 63) & 1) != 0; }
  bool single(char c, char previous) const {
    return (kStarts[static_cast<uint8_t>(c)] & kAfter[static_cast<uint8_t>(previous)]) != 0;
  }
  static bool stands(string_view text, size_t at, const Literal& literal) {
    if (text.size() - at < literal.text.size()) return false;
    return std::equal(literal.text.begin(), literal.text.end(), text.data() + at,
                      [&](char l, char c) { return l == (literal.any_case ? lower(c) : c); });
  }
  const std::vector<Literal>& literals(uint32_t hash) const { return groups_[group_of_[hash]]; }
  const std::vector<uint8_t>& rules_at(char c) const {
    return singles_[static_cast<uint8_t>(is_digit(c) ? '0' : c)];
  }

 private:
  static constexpr uint32_t kSlots = 1 << 15;

  void add(string_view literal, size_t rule) {
    if (literal.size() == 1) {
      singles_[static_cast<uint8_t>(literal[0])].push_back(static_cast<uint8_t>(rule));
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

RuleSet::RuleSet(std::vector<CompiledRule> custom)
    : custom_(std::move(custom)), always_(custom_.size()), triggers_(std::make_unique<Triggers>()) {
  for (size_t i = 0; i < custom_.size(); ++i) {
    always_[i] = custom_[i].keywords().empty();
    for (const std::string& keyword : custom_[i].keywords())
      if (!triggers_->add_keyword(keyword, kRules + i)) always_[i] = true;
  }
}

RuleSet::~RuleSet() = default;

const std::shared_ptr<const RuleSet>& RuleSet::built_in() {
  static const std::shared_ptr<const RuleSet> kBuiltIn = std::make_shared<RuleSet>();
  return kBuiltIn;
}

string_view RuleSet::name(size_t rule) const {
  return rule < kRules ? kRedactRules[rule].name : custom_[rule - kRules].name();
}

bool RuleSet::has_name(string_view name) const {
  return name == kFieldRule ||
         std::any_of(std::begin(kRedactRules), std::end(kRedactRules),
                     [&](const RedactRule& rule) { return rule.name == name; }) ||
         std::any_of(custom_.begin(), custom_.end(),
                     [&](const CompiledRule& rule) { return rule.name() == name; });
}

size_t RuleSet::shortest() const {
  constexpr size_t kShortest = 7;  // "/home/x", "1.2.3.4"
  return custom_.empty() ? kShortest : 1;
}

void RuleSet::find(string_view text, Redaction which, std::vector<RedactFinding>& found) const {
  const Triggers& all = *triggers_;
  RuleSearch search(text, which, found);
  std::vector<bool> wanted = always_;
  uint32_t hash = 0;
  char previous = '\0';
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    hash = Triggers::roll(hash, c);
    if (all.maybe(hash) && i >= 2) {
      for (const Triggers::Literal& literal : all.literals(hash)) {
        if (!Triggers::stands(text, i - 2, literal)) continue;
        if (literal.rule < kRules)
          search.attempt(literal.rule, i - 2);
        else
          wanted[literal.rule - kRules] = true;
      }
    }
    if (all.single(c, previous)) {
      for (uint8_t rule : all.rules_at(c)) search.attempt(rule, i);
    }
    previous = c;
  }
  for (size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i]) custom_[i].find(text, kRules + i, found);
}

}  // namespace xtrace
