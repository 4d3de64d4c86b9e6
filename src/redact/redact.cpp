#include "redact/redact.h"

#include <algorithm>

#include "base/hidden_marker.h"
#include "base/user_id.h"
#include "base/utf8.h"
#include "redact/decoded_views.h"
#include "redact/rule_set.h"

namespace xtrace {
namespace {

using std::string_view;
constexpr int kDeepest = 3;  // base64 in JSON in base64
constexpr char kNamed = '#';
constexpr size_t kAccount = string_view("_account_").size();

/// A replacement in a text. Only our own rule names count: text of the input cannot hide behind an
/// invented one.
struct Marker {
  size_t length = 0;  ///< 0: there is none
  string_view rule;
  string_view name;        ///< in place of a number
  int64_t characters = 0;  ///< with it: of what it hides
};

size_t digits_at(string_view text, size_t at) {
  constexpr size_t kMost = 9;
  size_t digits = 0;
  while (digits < kMost && at + digits < text.size() && text[at + digits] >= '0' &&
         text[at + digits] <= '9')
    ++digits;
  return digits;
}

Marker marker_at(const RuleSet& rules, string_view text, size_t at) {
  constexpr size_t kLongest = 64, kName = 16;
  size_t p = at + kHiddenMarker.size();
  const size_t colon = text.substr(p, kLongest).find(':');
  if (colon == string_view::npos || !rules.has_name(text.substr(p, colon))) return {};
  Marker marker;
  marker.rule = text.substr(p, colon);
  p += colon + 1;
  if (p < text.size() && text[p] == kNamed) {  // `[REDACTED:email:#0123456789abcdef.17]`
    marker.name = text.substr(p + 1, kName);
    p += 1 + kName;
    if (marker.name.find_first_not_of("0123456789abcdef") != string_view::npos ||
        p >= text.size() || text[p++] != '.')
      return {};
  }
  const size_t digits = digits_at(text, p);
  if (!marker.name.empty())
    for (char c : text.substr(p, digits)) marker.characters = marker.characters * 10 + (c - '0');
  p += digits;
  if (digits > 0 && p < text.size() && text[p] == ']') marker.length = p + 1 - at;
  return marker;
}

size_t marker_length(const RuleSet& rules, string_view text, size_t at) {
  return marker_at(rules, text, at).length;
}

/// The place of a replacement with a name that needs a number.
size_t find_named(const RuleSet& rules, string_view text) {
  for (size_t at = text.find(kHiddenMarker); at != string_view::npos;
       at = text.find(kHiddenMarker, at + 1))
    if (const Marker marker = marker_at(rules, text, at); marker.length > 0 && !marker.name.empty())
      return at;
  return string_view::npos;
}

void find_in(string_view text, const RedactPolicy& policy, int depth,
             std::vector<RedactFinding>& found) {
  if (text.size() < policy.rules->shortest()) return;
  const size_t first = found.size();
  policy.rules->find(text, policy.which, found);
  if (!policy.own_user.empty()) {
    const auto is_own = [&](const RedactFinding& finding) {
      return text.substr(finding.begin, finding.end - finding.begin) == policy.own_user &&
             policy.rules->name(finding.rule) == "home";
    };
    found.erase(std::remove_if(found.begin() + static_cast<ptrdiff_t>(first), found.end(), is_own),
                found.end());
  }
  if (depth == kDeepest) return;
  std::vector<RedactFinding> inner;
  for (const DecodedView& view : decoded_views(text)) {
    inner.clear();
    find_in(view.text, policy, depth + 1, inner);
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

/// Is every byte of the finding covered, except those around the name? What goes on behind it, as
/// the letters before an @ do, has the name in it by accident.
bool is_covered(const RedactFinding& finding, size_t name_begin, size_t name_end,
                const std::vector<RedactFinding>& by) {
  const size_t rest = name_end + kAccount;
  for (size_t at = std::max(finding.begin, finding.end > rest ? rest : name_begin);
       at < finding.end; ++at) {
    const bool stands_behind = at >= name_end && at < rest;
    if (!stands_behind && std::none_of(by.begin(), by.end(), [&](const RedactFinding& one) {
          return one.begin <= at && at < one.end;
        }))
      return false;
  }
  return true;
}

/// In the id of a user the name is looked at by itself, so that a rule that hides it leaves the
/// text around it, and a rule that hides the rest leaves the name: it remains one identity,
/// wherever the name alone is shown.
void find_in_user(string_view text, const RedactPolicy& policy, std::vector<RedactFinding>& found) {
  constexpr size_t kLongestId = 1024;
  const string_view name = text.size() <= kLongestId ? user_name_in(text) : text;
  if (name.size() == text.size()) return find_in(text, policy, 0, found);
  std::vector<RedactFinding> whole;
  find_in(text, policy, 0, whole);
  const size_t first = found.size(), begin = static_cast<size_t>(name.data() - text.data()),
               end = begin + name.size();
  if (!whole.empty()) {
    find_in(name, policy, 0, found);
    const size_t of_name = found.size();
    find_in(text.substr(end + kAccount), policy, 0, found);
    for (size_t i = first; i < found.size(); ++i) {
      const size_t offset = i < of_name ? begin : end + kAccount;
      found[i].begin += offset, found[i].end += offset;
    }
    const std::vector<RedactFinding> pieces(found.begin() + static_cast<ptrdiff_t>(first),
                                            found.end());
    if (std::all_of(whole.begin(), whole.end(),
                    [&](const RedactFinding& one) { return is_covered(one, begin, end, pieces); }))
      return;
    found.resize(first);
  }
  found.insert(found.end(), whole.begin(), whole.end());
}

// All findings of `text`, in order and apart; what is already replaced is skipped.
void find_all(string_view text, const RedactPolicy& policy, std::vector<RedactFinding>& found) {
  found.clear();
  if (policy.which == Redaction::off) return;
  for (size_t begin = 0, from = 0;;) {
    const size_t marker = text.find(kHiddenMarker, from);
    const size_t length =
        marker == string_view::npos ? 0 : marker_length(*policy.rules, text, marker);
    if (marker != string_view::npos && length == 0) {
      from = marker + 1;
      continue;
    }
    const size_t first = found.size();
    const string_view plain =
        text.substr(begin, marker == string_view::npos ? string_view::npos : marker - begin);
    find_in_user(plain, policy, found);
    for (size_t i = first; i < found.size(); ++i) found[i].begin += begin, found[i].end += begin;
    if (marker == string_view::npos) break;
    begin = from = marker + length;
  }
  if (!found.empty()) merge(text, found);
}

}  // namespace

RedactPolicy::RedactPolicy(Redaction redaction) : which(redaction), rules(RuleSet::built_in()) {}

void find_rule_matches(string_view text, Redaction which, std::vector<RedactFinding>& found) {
  RuleSet::built_in()->find(text, which, found);
}

bool Redactor::clean(string_view text) {
  if (!name_by_ && find_named(*policy_.rules, text) != string_view::npos) return false;
  find_all(text, policy_, findings_);
  return findings_.empty();
}

/// Names become numbers, as their values would.
std::string Redactor::with_numbers(string_view text) {
  std::string out;
  for (size_t at = find_named(*policy_.rules, text); at != string_view::npos;
       at = find_named(*policy_.rules, text)) {
    const Marker marker = marker_at(*policy_.rules, text, at);
    out.append(text, 0, at);
    out += replacement(marker.rule, marker.name, marker.characters);
    text.remove_prefix(at + marker.length);
  }
  return out.append(text);
}

std::string Redactor::redact(string_view text) {
  if (!name_by_ && find_named(*policy_.rules, text) != string_view::npos)
    return redact(with_numbers(text));
  find_all(text, policy_, findings_);
  if (findings_.empty()) return std::string(text);
  // A replacement can lay bare what an overlapping match had covered: until nothing is found.
  std::string out = replace(text, findings_);
  for (find_all(out, policy_, findings_); !findings_.empty(); find_all(out, policy_, findings_))
    out = replace(out, findings_);
  return out;
}

std::string Redactor::mask(string_view value) {
  if (policy_.which == Redaction::off || value.empty()) return std::string(value);
  if (value.starts_with(kHiddenMarker) && marker_length(*policy_.rules, value, 0) == value.size())
    return std::string(value);
  // A rule that matches all of it says more.
  find_all(value, policy_, findings_);
  if (findings_.size() == 1 && findings_[0].begin == 0 && findings_[0].end == value.size())
    return replace(value, findings_);
  return replacement(kFieldRule, value, code_points(value));
}

std::string Redactor::replacement(string_view rule, string_view value, int64_t characters) {
  std::string name(rule);
  if (name_by_)
    return std::string(kHiddenMarker) + name + ':' + kNamed + name_by_(rule, value) + '.' +
           std::to_string(characters) + ']';
  int64_t& number = numbers_[name + '\0' + std::string(value)];
  if (number == 0) number = ++last_[name];
  ++counts_[name];
  if (on_removal_) on_removal_({rule, number, characters});
  return std::string(kHiddenMarker) + name + ':' + std::to_string(number) + ']';
}

std::string Redactor::replace(string_view text, const std::vector<RedactFinding>& findings) {
  std::string out;
  out.reserve(text.size());
  size_t copied = 0;
  for (const RedactFinding& finding : findings) {
    out.append(text, copied, finding.begin - copied);
    string_view removed = text.substr(finding.begin, finding.end - finding.begin);
    out += replacement(policy_.rules->name(finding.rule), finding.value, code_points(removed));
    copied = finding.end;
  }
  return out.append(text, copied);
}

std::string without_numbers(std::string_view redacted) {
  std::string out;
  size_t copied = 0;
  for (size_t at = redacted.find(kHiddenMarker); at != string_view::npos;
       at = redacted.find(kHiddenMarker, at + 1)) {
    size_t colon = redacted.find_first_of(":]", at + kHiddenMarker.size());
    if (colon == string_view::npos || redacted[colon] == ']') continue;
    size_t end = redacted.find_first_not_of("0123456789", colon + 1);
    if (end == string_view::npos || redacted[end] != ']') continue;
    out.append(redacted, copied, colon - copied);
    copied = end;
  }
  return out.append(redacted, copied);
}

}  // namespace xtrace
