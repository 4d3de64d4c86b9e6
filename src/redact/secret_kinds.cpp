#include "redact/secret_kinds.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "base/digits.h"
#include "base/parts.h"
#include "redact/bytes.h"

namespace xtrace {
namespace {

using std::string_view;

constexpr string_view kKindsFile =
#include "redact/secret_kinds.inc"
    ;
constexpr string_view kNamesFile =
#include "redact/secret_names.inc"
    ;

constexpr std::array<std::pair<string_view, string_view>, 8> kClasses = {{
    {"<lower>", "[0-9a-z]"},
    {"<upper>", "[0-9A-Z]"},
    {"<alnum>", "[0-9A-Za-z]"},
    {"<word>", "[0-9A-Za-z_-]"},
    {"<base64>", "[0-9A-Za-z+/]"},
    {"<hex>", "[0-9a-f]"},
    {"<digit>", "[0-9]"},
    {"<uuid>", "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"},
}};

constexpr size_t kColumns = 5;
using Columns = std::array<string_view, kColumns>;

Columns columns_of(string_view line) {
  Columns columns;
  for (string_view& column : columns) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    column = line.substr(0, line.find(' '));
    line.remove_prefix(column.size());
  }
  return columns;
}

struct Page {
  string_view url, day;
};

SecretKind kind_of(const Columns& columns, const std::map<string_view, Page>& pages) {
  assert(!columns.back().empty());
  SecretKind kind;
  kind.name = columns[0], kind.begins = columns[2], kind.follows = columns[3];
  if (const auto page = pages.find(columns[1]); page != pages.end())
    kind.source = page->second.url, kind.day = page->second.day;
  kind.is_named = kind.begins[0] == '~';
  if (kind.is_named) kind.begins.remove_prefix(1);
  string_view check = columns[4];
  for (; check.back() == '!' || check.back() == '^'; check.remove_suffix(1))
    (check.back() == '!' ? kind.is_bounded : kind.any_case) = true;
  constexpr std::array<string_view, 4> kChecks = {"none", "digit", "random", "token"};
  const auto found = std::find(kChecks.begin(), kChecks.end(), check);
  assert(found != kChecks.end());
  kind.check = static_cast<SecretKind::Check>(found - kChecks.begin());
  return kind;
}

std::string expand(string_view form) {
  std::string out;
  for (size_t at = form.find('<'); at != string_view::npos; at = form.find('<')) {
    out += form.substr(0, at);
    form.remove_prefix(at);
    const auto known = std::find_if(kClasses.begin(), kClasses.end(),
                                    [&](const auto& one) { return form.starts_with(one.first); });
    const bool is_class = known != kClasses.end();
    out += is_class ? known->second : form.substr(0, 1);
    form.remove_prefix(is_class ? known->first.size() : 1);
  }
  return out += form;
}

std::string escape(string_view literal) {
  std::string out;
  for (char c : literal) {
    if (string_view("\\.+*?()[]{}^$").find(c) != string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

string_view keep(std::string text) {
  static std::deque<std::string> kept;
  return kept.emplace_back(std::move(text));
}

/// Writes a text that a pattern of the data files describes: literals, classes, groups that are not
/// nested, counts.
class Inventor {
 public:
  Inventor(string_view pattern, uint64_t seed) : pattern_(pattern), state_(seed) {}

  std::string invent() {
    while (at_ < pattern_.size()) {
      if (pattern_[at_] == '|') break;  // the first alternative will do
      add_atom();
    }
    return std::move(out_);
  }

 private:
  void add_atom() {
    std::string one(1, pattern_[at_]);  // a class of characters
    string_view group;
    if (pattern_[at_] == '[') {
      one = read_class();
    } else if (pattern_.substr(at_, 3) == "(?:") {
      group = pattern_.substr(at_ + 3, closing() - at_ - 3);
      at_ = closing() + 1;
    } else {
      if (pattern_[at_] == '\\') one = pattern_[++at_];
      ++at_;
    }
    const size_t count = read_count();
    for (size_t i = 0; i < count; ++i) {
      if (group.empty())
        out_ += one[random() % one.size()];
      else
        out_ += Inventor(group, random()).invent();
    }
  }

  size_t closing() const {
    size_t depth = 0, end = at_;
    do {
      depth += pattern_[end] == '(' ? 1U : 0U;
      depth -= pattern_[end] == ')' ? 1U : 0U;
    } while (depth > 0 && ++end < pattern_.size());
    return end;
  }

  std::string read_class() {
    std::string members;
    for (++at_; pattern_[at_] != ']'; ++at_) {
      char first = pattern_[at_];
      if (first == '\\') first = pattern_[++at_];
      const bool is_range = pattern_[at_ + 1] == '-' && pattern_[at_ + 2] != ']';
      const char last = is_range ? pattern_[at_ + 2] : first;
      for (char c = first; c <= last; ++c) members += c;
      at_ += is_range ? 2 : 0;
    }
    ++at_;
    return members;
  }

  // The least that is allowed; once for `?`.
  size_t read_count() {
    if (at_ >= pattern_.size()) return 1;
    if (pattern_[at_] == '*' || pattern_[at_] == '?') return ++at_, 0;
    if (pattern_[at_] != '{') return 1;
    size_t count = 0;
    for (++at_; is_digit(pattern_[at_]); ++at_)
      count = count * 10 + static_cast<size_t>(pattern_[at_] - '0');
    at_ = pattern_.find('}', at_) + 1;
    return count;
  }

  size_t random() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return state_ >> 33;
  }

  string_view pattern_;
  uint64_t state_;
  size_t at_ = 0;
  std::string out_;
};

using CheckBytes = bool (*)(string_view, size_t, size_t&);

CheckBytes check_of(const SecretKind& kind) {
  constexpr CheckBytes kChecks[] = {RedactCheck::no_filler, RedactCheck::mixed_key,
                                    RedactCheck::random_key, RedactCheck::token_key};
  return kChecks[static_cast<size_t>(kind.check)];
}

// How many characters of one class the form begins with at least, where that has no signs.
size_t run_of(string_view form) {
  constexpr string_view kUuid = "<uuid>", kEither = "(?:";
  constexpr size_t kUuidRun = 36;
  if (form.starts_with(kUuid)) return kUuidRun;
  if (form.starts_with(kEither)) {
    const size_t behind = form.find(')') + 1;
    if (behind < form.size() && bytes::has("?*{", form.substr(behind, 1))) return 0;
    size_t least = form.size();
    for_each_part(form.substr(kEither.size(), form.find(')') - kEither.size()), '|',
                  [&](string_view one) { least = std::min(least, run_of(one)); });
    return least;
  }
  static constexpr std::array<string_view, 6> kPlain = {"<lower>{", "<upper>{", "<alnum>{",
                                                        "<word>{",  "<hex>{",   "<digit>{"};
  for (string_view one : kPlain) {
    if (!form.starts_with(one)) continue;
    size_t run = 0;
    for (form.remove_prefix(one.size()); is_digit(form[0]); form.remove_prefix(1))
      run = run * 10 + static_cast<size_t>(form[0] - '0');
    return run;
  }
  return 0;
}

std::string begin_pattern(const SecretKind& kind) {
  std::string any = kind.is_named || kind.any_case ? "(?i:" : "(?:";
  for_each_part(kind.begins, '|', [&](string_view one) { any += escape(one) + '|'; });
  any.back() = ')';
  return any;
}

}  // namespace

std::span<const SecretKind> secret_kinds() {
  static const std::vector<SecretKind> kKinds = [] {
    std::vector<SecretKind> kinds;
    std::map<string_view, Page> pages;
    for (string_view file : {kKindsFile, kNamesFile})
      for_each_part(file, '\n', [&](string_view line) {
        if (line.empty() || line[0] == '#') return;
        const Columns columns = columns_of(line);
        if (columns[0] == "@")
          pages[columns[1]] = {columns[3], columns[2]};
        else
          kinds.push_back(kind_of(columns, pages));
      });
    return kinds;
  }();
  return kKinds;
}

RedactRule rule_of(const SecretKind& kind) {
  RedactRule rule{kind.name, Sensitive::secret, kind.begins, {}};
  const std::string body = expand(kind.follows);
  if (kind.is_named) {
    rule.pattern = keep(begin_pattern(kind) +
                        R"([\w -]{0,24}["'\\\]]{0,4}[ \t]{0,4}(?::=|=>|[:=,])[ \t]{0,4})"
                        R"([\\"'(]{0,4})" +
                        '(' + body + ')');
    rule.anchor = RedactAnchor::assigned;
    rule.group = 1;
  } else {
    rule.pattern = keep(begin_pattern(kind) + "(?:" + body + ')');
    rule.run = run_of(kind.follows);
    if (kind.any_case) {
      std::string triggers(kind.begins);
      for (char& c : triggers) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
      rule.triggers = keep(std::move(triggers));
    }
  }
  rule.check = check_of(kind);
  rule.is_bounded = kind.is_bounded;
  return rule;
}

std::string form_of(const SecretKind& kind) {
  const std::string body(kind.follows);
  return std::string(kind.begins) + (kind.is_named ? " = " : "") + body;
}

std::string example_of(const SecretKind& kind, size_t variant) {
  std::vector<string_view> begins;
  for_each_part(kind.begins, '|', [&](string_view one) { begins.push_back(one); });
  uint64_t seed = variant;  // the same examples where size_t has 32 bits
  for (char c : kind.name) seed = seed * 31 + static_cast<uint8_t>(c);
  const std::string pattern = expand(kind.follows);
  std::string body = Inventor(pattern, seed * 2654435761U + 97).invent();
  // A random body may look like a word by accident.
  for (size_t end = body.size(); !check_of(kind)(body, 0, end); end = body.size())
    body = Inventor(pattern, ++seed * 2654435761U + 97).invent();
  return std::string(begins[variant % begins.size()]) + (kind.is_named ? " = " : "") + body;
}

}  // namespace xtrace
