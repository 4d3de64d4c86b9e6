#include <algorithm>
#include <cmath>
#include <map>

#include "base/digits.h"
#include "base/lower.h"
#include "base/number.h"
#include "base/text.h"
#include "settings/arguments.h"
#include "view/eval/mentions.h"

namespace xtrace {

namespace {

using Answer = ToldFacts::Answer;

bool is_close(double a, double b, double by = 0) {
  return std::abs(a - b) <= by + std::max(std::abs(a), std::abs(b)) * 1e-9 + 1e-12;
}

size_t shared(const AboutWords& a, const AboutWords& b) {
  return static_cast<size_t>(
      std::count_if(a.begin(), a.end(), [&](const std::string& word) { return b.contains(word); }));
}

/// Words of a key: `response_time_p95`, `errorRate`.
void add_key(std::string_view key, AboutWords& into) {
  std::string word;
  auto end = [&] {
    if (std::string about = about_word(word); !about.empty()) into.insert(std::move(about));
    word.clear();
  };
  for (size_t i = 0; i < key.size(); ++i) {
    bool is_hump =
        i > 0 && key[i] >= 'A' && key[i] <= 'Z' && key[i - 1] >= 'a' && key[i - 1] <= 'z';
    bool is_mark = key[i] == '_' || key[i] == '-' || key[i] == '.' || key[i] == ' ';
    if (is_hump || is_mark) end();
    if (!is_mark) word += key[i];
  }
  end();
}

/// Of the key's last word: `duration_ms`, `durationMs`.
Unit unit_of_key(std::string_view key) {
  size_t mark = key.find_last_of("_-");
  if (mark == std::string_view::npos) {
    mark = key.size();
    while (mark > 0 && !(key[mark - 1] >= 'A' && key[mark - 1] <= 'Z')) --mark;
    if (mark < 2) return unit_word(key).value_or(Unit());
    return unit_word(key.substr(mark - 1)).value_or(Unit());
  }
  return unit_word(key.substr(mark + 1)).value_or(Unit());
}

/// Could both be of one kind? A key may declare no unit and be of any; in a sentence, what has no
/// unit has none.
bool are_comparable(const NumberMention& a, const NumberMention& b) {
  if (a.unit.of == b.unit.of) return true;
  const NumberMention& bare = a.unit.of == Unit::Of::none ? a : b;
  if (bare.unit.of != Unit::Of::none) return false;
  const Unit& unit = &bare == &a ? b.unit : a.unit;
  return bare.is_keyed || unit.of == Unit::Of::share;
}

bool are_equal(const NumberMention& claimed, const NumberMention& told) {
  if (!are_comparable(claimed, told)) return false;
  bool both = claimed.unit.of == told.unit.of;
  // A share of more than 1 is percents, whatever it says: 81.5 and 81.5%.
  bool is_percent = claimed.unit.of == Unit::Of::share && told.unit.of == Unit::Of::none &&
                    told.bare > 1 && shared(claimed.about, told.about) > 0;
  if (is_percent) return is_close(claimed.bare, told.bare, claimed.step);
  bool declares = both || claimed.unit.of == Unit::Of::share || told.unit.of == Unit::Of::share;
  if (!declares) return is_close(claimed.bare, told.bare);
  // What is told with more digits may be rounded; what is counted may not.
  bool is_rounded =
      told.value != std::trunc(told.value) || !(claimed.unit == told.unit) || claimed.bare >= 1e3;
  double step = is_rounded ? claimed.step * claimed.unit.factor : 0;
  if (claimed.unit.of == Unit::Of::none && claimed.text.find(' ') == std::string::npos &&
      told.value == std::trunc(told.value))
    step = 0;
  return is_close(claimed.value, told.value, step) ||
         // Files are measured in powers of 1000 and of 1024 by the same words.
         (claimed.unit.of == Unit::Of::bytes && claimed.unit.factor >= 1e3 &&
          is_close(claimed.bare *
                       std::pow(1024, std::round(std::log(claimed.unit.factor) / std::log(1000.0))),
                   told.value, claimed.step));
}

/// Is it a number that is not met by chance?
bool is_telling(const NumberMention& number) {
  bool has_fraction = number.bare != std::trunc(number.bare);
  return number.unit.of != Unit::Of::none || has_fraction || number.bare >= 100;
}

/// Is it stated together with numbers of what it excludes? Passed, failed and skipped make a whole.
bool is_part_of_whole(const NumberMention& one, const std::vector<NumberMention>& all) {
  return std::ranges::any_of(all, [&](const NumberMention& other) {
    return other.group == one.group && are_opposite(other.about, one.about);
  });
}

/// `2026-01-05`
bool is_date(std::string_view text) {
  constexpr std::string_view kShape = "0000-00-00";
  return std::ranges::equal(
      text, kShape, [](char c, char shape) { return shape == '0' ? is_digit(c) : c == shape; });
}

/// Also with marks between thousands: `1,200`.
std::optional<double> number_in(std::string_view text) {
  if (text.find(',') == text.npos) return number_of<double>(text);
  std::string digits;
  const size_t whole = std::min(text.find('.'), text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_due = i > 0 && i < whole && text[i - 1] != '-' && (whole - i) % 4 == 0;
    if (is_due != (text[i] == ',')) return std::nullopt;
    if (!is_due) digits += text[i];
  }
  return number_of<double>(digits);
}

}  // namespace

void ToldFacts::add(const std::string& piece) {
  text_ += lower(fold_white_space(piece)) + '\n';
  if (add_json(piece)) return;
  // JSON with words around it.
  size_t from = piece.find_first_of("{["), to = piece.find_last_of("}]");
  if (from != std::string::npos && to != std::string::npos && from < to &&
      add_json(piece.substr(from, to + 1 - from))) {
    add_prose(std::string_view(piece).substr(0, from));
    return add_prose(std::string_view(piece).substr(to + 1));
  }
  add_prose(piece);
}

void ToldFacts::add_prose(std::string_view text) {
  Mentions mentions = mentions_of(text);
  size_t last = groups_;
  std::map<size_t, AboutWords> named;  // what a sentence names is what all of its numbers are of
  for (const NameMention& name : mentions.names)
    if (std::string word = name.is_plain ? about_word(name.text) : lower(name.text); !word.empty())
      named[name.group].insert(word);
  for (NumberMention& number : mentions.numbers) {
    if (number.is_weak && number.bare == 0 && number.text != "zero") continue;
    number.about.merge(AboutWords(named[number.group]));
    number.group += groups_;
    last = std::max(last, number.group);
    numbers_.push_back(std::move(number));
  }
  groups_ = last + 1;
  for (NameMention& name : mentions.names) names_.push_back(std::move(name));
  for (AboutWords& sentence : mentions.sentences) sentences_.push_back(std::move(sentence));
}

/// Each number with the words of its path, and with the short texts beside it: the name of what it
/// is a number of. A list is a number too, of its items.
bool ToldFacts::add_json(const std::string& text) {
  Arguments json(text);
  if (!json.is_json()) return false;
  auto parent = [](std::string_view path) {
    size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
  };
  auto leaf = [&](std::string_view path) {
    std::string_view of = parent(path);
    return of.empty() ? path : path.substr(of.size() + 1);
  };
  auto is_nth = [](std::string_view key) { return number_of<uint32_t>(key).has_value(); };
  auto unit_of_path = [&](std::string_view path) {
    Unit unit = unit_of_key(leaf(path));
    // `latency_ms: {p50: 23}`
    for (path = parent(path); unit.of == Unit::Of::none && !path.empty(); path = parent(path))
      unit = unit_of_key(leaf(path));
    return unit;
  };
  std::map<std::string_view, size_t> group_of;
  std::map<std::string_view, AboutWords> beside;  // by parent
  std::map<std::string_view, size_t> length_of;   // of lists, by path
  for (const auto& [path, value] : json.values()) {
    if (is_nth(leaf(path))) ++length_of[parent(path)];
    if (number_of<double>(value) || value.size() > 40 || json.holds(path)) continue;
    AboutWords& words = beside[parent(path)];
    words.insert(lower(value));
    for (const NameMention& name : mentions_of(value).names) words.insert(lower(name.text));
    add_key(value, words);
  }
  auto add_number = [&](std::string_view path, double value, Unit unit, bool is_length) {
    NumberMention fact;
    fact.is_length = is_length;
    fact.bare = value;
    fact.unit = unit;
    fact.value = value * unit.factor;
    for (std::string_view of = path; !of.empty(); of = parent(of))
      if (std::string_view key = leaf(of); !is_nth(key)) add_key(key, fact.about);
    if (auto found = beside.find(parent(path)); found != beside.end())
      fact.about.insert(found->second.begin(), found->second.end());
    fact.text = path;
    fact.is_keyed = true;
    auto [group, is_new] = group_of.try_emplace(parent(path), groups_);
    groups_ += is_new;
    fact.group = group->second;
    numbers_.push_back(std::move(fact));
  };
  for (const auto& [path, value] : json.values()) {
    if (json.holds(path)) continue;
    std::optional<double> number = number_in(value);
    if (number)
      add_number(path, *number, unit_of_path(path), false);
    else
      add_prose(value);
  }
  for (const auto& [path, length] : length_of)
    if (!path.empty()) add_number(path, static_cast<double>(length), {}, true);
  return true;
}

/// Of parts: those of which the claim names several, or of one thing in several records, or all
/// that stand together and exclude one another (passed, failed, skipped).
bool ToldFacts::is_sum(const NumberMention& claimed) const {
  std::map<size_t, double> named, parts, all;
  std::map<std::string, double> column;
  for (const NumberMention& one : numbers_) {
    if (!are_comparable(claimed, one)) continue;
    all[one.group] += one.value;
    if (shared(claimed.about, one.about) > 0) named[one.group] += one.value;
    if (is_part_of_whole(one, numbers_)) parts[one.group] += one.value;
    std::string path = one.text;
    std::erase_if(path, is_digit);
    bool is_of = claimed.unit.of != Unit::Of::none ? one.unit.of == claimed.unit.of
                                                   : shared(claimed.about, one.about) > 0;
    if (is_of && path.size() < one.text.size()) column[path] += one.value;
  }
  auto has = [&](const auto& sums) {
    return std::any_of(sums.begin(), sums.end(),
                       [&](const auto& sum) { return is_close(sum.second, claimed.value); });
  };
  return has(named) || has(parts) || has(all) || has(column);
}

namespace {

using Numbers = std::vector<const NumberMention*>;

/// Some of several numbers, as bits.
using Some = uint32_t;
constexpr size_t kMostParts = 6;  // all sets of them are looked at

Some all_members(const Numbers& numbers) {
  return (Some{1} << numbers.size()) - 1;
}

bool has_several(Some members) {
  return (members & (members - 1)) != 0;
}

double sum_of(const Numbers& parts, Some members) {
  double sum = 0;
  for (size_t i = 0; i < parts.size(); ++i)
    if ((members >> i & 1) != 0) sum += parts[i]->value;
  return sum;
}

/// The parts that the claim names by words that not all of them share, or the others if it denies
/// these.
Some claimed_of(const Numbers& parts, const NumberMention& claimed) {
  const Some all = all_members(parts);
  Some named = 0;
  for (const std::string& word : claimed.about) {
    Some has_word = 0;
    for (size_t i = 0; i < parts.size(); ++i) has_word |= Some{parts[i]->about.contains(word)} << i;
    if (has_word != all) named |= has_word;
  }
  return claimed.is_denied && named != 0 ? all & ~named : named;
}

/// Half of what the last digit of a claimed share is worth.
double rounded_by(const NumberMention& claimed) {
  const std::string_view text = claimed.text;
  const size_t point = std::min(text.find('.'), text.size());
  const std::string_view behind = text.substr(std::min(point + 1, text.size()));
  const size_t decimals = std::min(behind.find_first_not_of("0123456789"), behind.size());
  return std::pow(10.0, -static_cast<double>(decimals)) / 2 * claimed.unit.factor;
}

/// Is the claimed share that of one number in a larger one, which are stated together?
bool is_ratio(const Numbers& group, const NumberMention& claimed) {
  constexpr size_t kMost = 32;  // all pairs are looked at
  if (group.size() > kMost) return false;
  const double step = rounded_by(claimed);
  return std::ranges::any_of(group, [&](const NumberMention* part) {
    if (shared(claimed.about, part->about) == 0 || are_opposite(claimed.about, part->about))
      return false;
    return std::ranges::any_of(group, [&](const NumberMention* whole) {
      return whole->value > part->value && whole->value > 0 &&
             is_close(part->value / whole->value, claimed.value, step);
    });
  });
}

/// Is the claimed share that of the wanted parts in several of them? If none is wanted, of any
/// part.
Answer share_in(const Numbers& parts, Some wanted, const NumberMention& claimed) {
  const Some all = all_members(parts);
  const double step = rounded_by(claimed);
  Answer found = Answer::not_told;
  for (Some part = 1; part <= all; ++part) {
    if (wanted != 0 ? part != wanted : has_several(part)) continue;
    for (Some whole = part; whole <= all; ++whole) {
      if ((whole & part) != part || !has_several(whole) || sum_of(parts, whole) <= 0) continue;
      if (!is_close(sum_of(parts, part) / sum_of(parts, whole), claimed.value, step)) continue;
      found = wanted != 0 ? Answer::told : Answer::unknown;
      if (found == Answer::told) return found;
    }
  }
  return found;
}

/// Is the claimed count the sum of several of them? A claim that names a part is of that alone.
Answer sum_in(const Numbers& parts, Some wanted, const NumberMention& claimed) {
  const Some all = all_members(parts);
  for (Some members = 1; members <= all; ++members) {
    const bool may_be = claimed.is_whole ? (members & wanted) == wanted
                                         : wanted == 0 || (members == wanted && claimed.is_denied);
    if (!may_be || !has_several(members)) continue;
    if (!is_close(sum_of(parts, members), claimed.value)) continue;
    return claimed.is_whole || claimed.is_total || wanted != 0 ? Answer::told : Answer::unknown;
  }
  return Answer::not_told;
}

}  // namespace

ToldFacts::Answer ToldFacts::derived(const NumberMention& claimed) const {
  const bool is_share = claimed.unit.of == Unit::Of::share;
  std::map<size_t, Numbers> together, parts_of;  // by group
  for (const NumberMention& one : numbers_) {
    if (one.unit.of != Unit::Of::none || one.is_length || one.value < 0) continue;
    together[one.group].push_back(&one);
    if (is_part_of_whole(one, numbers_)) parts_of[one.group].push_back(&one);
  }
  Answer found = Answer::not_told;
  if (is_share)
    for (const auto& [group, all] : together)
      if (is_ratio(all, claimed)) found = Answer::unknown;
  for (const auto& [group, parts] : parts_of) {
    if (parts.size() < 2 || parts.size() > kMostParts) continue;
    const bool is_about = std::ranges::any_of(
        parts, [&](const NumberMention* part) { return shared(claimed.about, part->about) > 0; });
    if (!claimed.is_whole && !claimed.is_total && !is_about) continue;
    const Some wanted = claimed_of(parts, claimed);
    const Answer here =
        is_share ? share_in(parts, wanted, claimed) : sum_in(parts, wanted, claimed);
    if (here == Answer::told) return here;
    if (here == Answer::unknown) found = here;
  }
  return found;
}

/// A number is told where the same stands of the same. Of several facts the claim is about the one
/// with which it shares the most words: where that has another number, and the equal one is about
/// something else, it is not told.
ToldFacts::Answer ToldFacts::has(const NumberMention& claimed) const {
  bool is_equal = false;
  size_t best_equal = 0, best_other = 0;
  std::vector<size_t> groups;
  auto count = [&](const NumberMention& told) {
    size_t words = shared(claimed.about, told.about);
    return words * 2 + (told.is_keyed && words > 0 && words == told.about.size());
  };
  for (const NumberMention& told : numbers_) {
    if (!are_equal(claimed, told)) continue;
    if (!claimed.is_whole && are_opposite(claimed.about, told.about)) continue;
    if (told.is_length && shared(claimed.about, told.about) == 0) continue;
    is_equal = true;
    best_equal = std::max(best_equal, count(told));
    groups.push_back(told.group);
  }
  for (const NumberMention& told : numbers_) {
    if (are_equal(claimed, told) || !are_comparable(claimed, told)) continue;
    bool is_near =
        best_equal == 0 || std::find(groups.begin(), groups.end(), told.group) != groups.end();
    if (is_near) best_other = std::max(best_other, count(told));
  }
  if (!is_equal) {
    if ((claimed.is_total || claimed.is_whole) && is_sum(claimed)) return Answer::told;
    if (claimed.is_weak && best_other == 0) return Answer::unknown;
    return derived(claimed);
  }
  if (claimed.is_whole || best_other <= best_equal) {
    bool is_tied =
        best_equal > 0 || claimed.about.empty() || claimed.is_whole || is_telling(claimed);
    return is_tied ? Answer::told : Answer::unknown;
  }
  return derived(claimed);
}

ToldFacts::Answer ToldFacts::has(const AboutWords& sentence) const {
  constexpr size_t kLeast = 3;
  bool is_told = sentence.size() >= kLeast &&
                 std::any_of(sentences_.begin(), sentences_.end(), [&](const AboutWords& told) {
                   return shared(sentence, told) == sentence.size();
                 });
  return is_told ? Answer::told : Answer::unknown;
}

ToldFacts::Answer ToldFacts::has(const NameMention& claimed) const {
  std::string text = lower(fold_white_space(claimed.text));
  auto is_part = [](char c) { return (c >= 'a' && c <= 'z') || is_digit(c); };
  for (size_t at = text_.find(text); at != std::string::npos; at = text_.find(text, at + 1)) {
    size_t end = at + text.size();
    // A moment tells its day: `2026-01-05t10:00:00z`, in small letters.
    const bool is_day =
        is_date(text) && end + 1 < text_.size() && text_[end] == 't' && is_digit(text_[end + 1]);
    const bool goes_on = end < text_.size() && is_part(text_[end]) && !is_day;
    if ((at > 0 && is_part(text_[at - 1])) || goes_on) continue;
    return Answer::told;
  }
  if (!claimed.may_be_word) return Answer::not_told;
  bool is_doer = !claimed.does.empty() &&
                 std::any_of(names_.begin(), names_.end(),
                             [&](const NameMention& name) { return name.does == claimed.does; });
  return is_doer ? Answer::not_told : Answer::unknown;
}

}  // namespace xtrace
