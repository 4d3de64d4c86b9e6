#include "redact/rule_set.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <span>

#include "base/digits.h"
#include "base/parts.h"
#include "redact/bytes.h"
#include "redact/redact_rules.h"

namespace xtrace {

namespace {

using std::string_view;
// Compiled when it is first needed: most runs need a few of them.
const RE2& pattern_of(size_t rule) {
  struct Compiled {
    std::once_flag once;
    std::unique_ptr<RE2> pattern;
  };
  static const std::unique_ptr<Compiled[]> kCompiled =
      std::make_unique<Compiled[]>(redact_rules().size());
  Compiled& compiled = kCompiled[rule];
  std::call_once(compiled.once, [&] {
    RE2::Options options(RE2::Latin1);  // bytes: the text need not be valid UTF-8
    options.set_log_errors(false);
    compiled.pattern =
        std::make_unique<RE2>(re2::StringPiece(redact_rules()[rule].pattern), options);
  });
  return *compiled.pattern;
}

// A rule may begin near the first digit of a run, near ':' after a hex digit, near '@', '_' and
// '-'.
enum Start : uint8_t { kDigit = 1, kJoint = 2, kAt = 4 };
constexpr bool hex_letter(size_t c) {
  return (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
constexpr std::array<uint8_t, 256> kStarts = [] {
  std::array<uint8_t, 256> starts{};
  for (size_t c = '0'; c <= '9'; ++c) starts[c] = kDigit;
  starts[':'] = kJoint;
  starts['-'] = starts['_'] = kAt;
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
      : rules_(redact_rules()),
        text_(text),
        secrets_only_(which == Redaction::secrets_only),
        found_(found) {}

  /// `behind`: where the trigger that was found at `hit` ends.
  void attempt(size_t index, size_t hit, size_t behind) {
    const RedactRule& rule = rules_[index];
    if (rule.run > 0 && !is_run(behind, rule.run)) return;
    if (secrets_only_ && rule.kind == Sensitive::personal) return;
    if (rule.read != nullptr) {
      read_.clear();
      rule.read(text_, hit, read_);
      for (const ByteRange& one : read_) found_.push_back({one.begin, one.end, index, {}});
      return;
    }
    size_t begin = rule.anchor ? rule.anchor(text_, hit) : hit;
    if (begin == string_view::npos) return;
    const auto floor = std::find_if(floors_.begin(), floors_.end(),
                                    [&](const Floor& one) { return one.rule == index; });
    // Matches of one rule do not overlap.
    if (floor != floors_.end()) begin = std::max(begin, floor->end);
    if (begin > hit) return;
    std::array<re2::StringPiece, 2> part;
    const re2::StringPiece piece(text_.data(), text_.size());
    if (!pattern_of(index).Match(piece, begin, text_.size(), RE2::ANCHOR_START, part.data(),
                                 rule.group + 1))
      return;
    const re2::StringPiece& taken = part[static_cast<size_t>(rule.group)];
    const size_t from = static_cast<size_t>(taken.data() - text_.data());
    size_t to = from + taken.size();
    const size_t whole_end = begin + part[0].size();
    const bool is_found = passes(rule, text_, from, to);
    const size_t end = !is_found         ? after_failed(begin, whole_end)
                       : rule.group == 0 ? to
                                         : whole_end;
    if (floor != floors_.end())
      floor->end = end;
    else if (is_found || end > begin + 1)
      floors_.push_back({index, end});
    if (!is_found) return;
    found_.push_back({from, to, index, {}});
  }

 private:
  // From the far end, since most words are shorter.
  bool is_run(size_t begin, size_t length) const {
    if (begin + length > text_.size()) return false;
    for (size_t i = begin + length; i-- > begin;)
      if (!bytes::alnum(text_[i]) && text_[i] != '_' && text_[i] != '-') return false;
    return true;
  }

  /// Where the last match of a rule ended. Few rules match in one text.
  struct Floor {
    size_t rule, end;
  };

  std::span<const RedactRule> rules_;
  string_view text_;
  bool secrets_only_;
  std::vector<RedactFinding>& found_;
  std::vector<Floor> floors_;
  std::vector<ByteRange> read_;  ///< kept for its memory
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
    size_t offset;  ///< of its three bytes that are looked for
  };

  Triggers() : bits_(kSlots / 64), group_of_(kSlots) {
    const std::span<const RedactRule> rules = redact_rules();
    for (size_t rule = 0; rule < rules.size(); ++rule) {
      const size_t offset = rarest_bytes(rules[rule].triggers);
      for_each_part(rules[rule].triggers, '|',
                    [&](string_view literal) { add(literal, rule, offset); });
    }
  }

  /// `literal` is not copied. Rules of one author begin alike, so that their ends differ more.
  void add_keyword(string_view literal, size_t rule) {
    add(literal, rule, literal.size() - kShortestKeyword);
  }

  static uint32_t roll(uint32_t hash, char c) {
    return (hash << 5 | (static_cast<uint8_t>(c) & 31)) & (kSlots - 1);
  }
  bool maybe(uint32_t hash) const { return (bits_[hash >> 6] >> (hash & 63) & 1) != 0; }
  bool single(char c, char previous) const {
    return (kStarts[static_cast<uint8_t>(c)] & kAfter[static_cast<uint8_t>(previous)]) != 0;
  }
  static bool stands(string_view text, size_t at, const Literal& literal) {
    if (((text[at] ^ literal.text[0]) & 31) != 0) return false;  // which is nearly always so
    if (text.size() - at < literal.text.size()) return false;
    return std::equal(literal.text.begin(), literal.text.end(), text.data() + at,
                      [&](char l, char c) { return l == (literal.any_case ? lower(c) : c); });
  }
  /// Those that have the three bytes of this hash and may go on with `next`.
  std::span<const Literal> literals(uint32_t hash, char next) const {
    const size_t group = group_of_[hash];
    const bool goes_on = (nexts_[group] >> (static_cast<uint8_t>(next) & 31) & 1) != 0;
    return goes_on ? std::span<const Literal>(groups_[group]) : std::span<const Literal>();
  }
  const std::vector<uint16_t>& rules_at(char c) const {
    return singles_[static_cast<uint8_t>(is_digit(c) ? '0' : c)];
  }

 private:
  static constexpr uint32_t kSlots = 1 << 15;

  // How often five bits of a byte occur in text and code, in thousandths.
  static constexpr std::array<uint8_t, 32> kOften = {60, 65, 60, 30, 35, 100, 18, 20, 40, 60, 3,
                                                     8,  45, 35, 75, 75, 30,  8,  58, 60, 80, 28,
                                                     12, 16, 9,  18, 15, 4,   20, 8,  4,  14};

  // The offset of three bytes that are rare in all of these literals. It is the same in each, so
  // that a rule is still tried from left to right.
  static size_t rarest_bytes(string_view literals) {
    size_t shortest = SIZE_MAX;
    for_each_part(literals, '|',
                  [&](string_view one) { shortest = std::min(shortest, one.size()); });
    size_t best = 0;
    for (size_t offset = 0, least = SIZE_MAX; offset + 3 <= shortest; ++offset) {
      size_t sum = 0;
      for_each_part(literals, '|', [&](string_view one) {
        size_t often = 1;
        for (char c : one.substr(offset, 3)) often *= kOften[static_cast<uint8_t>(c) & 31];
        sum += often;
      });
      if (sum < least) best = offset, least = sum;
    }
    return best;
  }

  void add(string_view literal, size_t rule, size_t offset) {
    if (literal.size() == 1) {
      singles_[static_cast<uint8_t>(literal[0])].push_back(static_cast<uint16_t>(rule));
    } else {
      uint32_t hash = 0;
      for (char c : literal.substr(offset, 3)) hash = roll(hash, c);
      bits_[hash >> 6] |= uint64_t{1} << (hash & 63);
      const bool any_case =
          std::none_of(literal.begin(), literal.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
      if (group_of_[hash] == 0) {
        group_of_[hash] = static_cast<uint16_t>(groups_.size());
        groups_.emplace_back();
        nexts_.push_back(0);
      }
      const size_t next = offset + 3, group = group_of_[hash];
      nexts_[group] |=
          next < literal.size() ? 1U << (static_cast<uint8_t>(literal[next]) & 31) : ~0U;
      groups_[group].push_back({literal, any_case, rule, offset});
    }
  }

  std::vector<uint64_t> bits_;
  std::vector<uint16_t> group_of_;
  std::vector<std::vector<Literal>> groups_{1};  // [0]: none
  std::vector<uint32_t> nexts_{0};  // by group: which bytes may follow, by five bits of each
  std::array<std::vector<uint16_t>, 256> singles_;
};

RuleSet::RuleSet(std::vector<CompiledRule> custom)
    : custom_(std::move(custom)), triggers_(std::make_unique<Triggers>()) {
  const size_t rules = redact_rules().size();
  for (size_t i = 0; i < custom_.size(); ++i) {
    if (custom_[i].is_sought_everywhere()) {
      always_.push_back(i);
      continue;
    }
    for (const std::string& keyword : custom_[i].keywords())
      triggers_->add_keyword(keyword, rules + i);
  }
}

RuleSet::~RuleSet() = default;

const std::shared_ptr<const RuleSet>& RuleSet::built_in() {
  static const std::shared_ptr<const RuleSet> kBuiltIn = std::make_shared<RuleSet>();
  return kBuiltIn;
}

string_view RuleSet::name(size_t rule) const {
  const std::span<const RedactRule> rules = redact_rules();
  return rule < rules.size() ? rules[rule].name : custom_[rule - rules.size()].name();
}

bool RuleSet::has_name(string_view name) const {
  const std::span<const RedactRule> rules = redact_rules();
  return name == kFieldRule ||
         std::any_of(rules.begin(), rules.end(),
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
  const size_t rules = redact_rules().size();
  RuleSearch search(text, which, found);
  std::vector<size_t> wanted = always_;
  uint32_t hash = 0;
  char previous = '\0';
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    hash = Triggers::roll(hash, c);
    if (all.maybe(hash) && i >= 2) {
      const char next = i + 1 < text.size() ? text[i + 1] : '\0';
      for (const Triggers::Literal& literal : all.literals(hash, next)) {
        if (i < literal.offset + 2) continue;
        const size_t begin = i - 2 - literal.offset;
        if (!Triggers::stands(text, begin, literal)) continue;
        if (literal.rule < rules)
          search.attempt(literal.rule, begin, begin + literal.text.size());
        else
          wanted.push_back(literal.rule - rules);
      }
    }
    if (all.single(c, previous)) {
      for (uint16_t rule : all.rules_at(c)) search.attempt(rule, i, i + 1);
    }
    previous = c;
  }
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  for (size_t i : wanted) custom_[i].find(text, rules + i, found);
}

}  // namespace xtrace
