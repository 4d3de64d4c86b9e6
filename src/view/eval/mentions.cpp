#include "view/eval/mentions.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>

#include "base/digits.h"
#include "base/lower.h"
#include "base/number.h"
#include "base/one_of.h"
#include "link/claims/phrases.h"

namespace xtrace {

namespace {

/// A word, a number, a quotation, or a mark between them.
struct Token {
  enum class Kind : uint8_t { word, number, name, quotation, soft, hard };
  Kind kind = Kind::word;
  std::string text;
};

bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}
/// Letters of other alphabets too: what no ASCII mark is.
bool is_letter(char c) {
  return is_capital(c) || (c >= 'a' && c <= 'z') || (static_cast<unsigned char>(c) & 0x80) != 0;
}

class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {
    while (at_ < text_.size()) step();
  }
  std::vector<Token> take() { return std::move(tokens_); }

 private:
  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : ' ';
  }
  void add(Token::Kind kind, size_t length) {
    tokens_.push_back({kind, std::string(text_.substr(at_, length))});
    at_ += length;
  }

  void step() {
    if (quotation()) return;
    char c = peek();
    if (is_digit(c)) return number();
    if (c == '$' || c == '%') return add(Token::Kind::word, 1);
    if (text_.substr(at_).starts_with("€")) return add(Token::Kind::word, 3);
    if (text_.substr(at_).starts_with("°")) {  // of temperature, or of an angle
      at_ += std::string_view("°").size();
      if (is_one_of(text_.substr(at_, 1), {"C", "F"})) ++at_;
      return;
    }
    if (is_letter(c) || c == '_') return word();
    if (is_one_of(text_.substr(at_, 1), {".", ";", "!", "?", "\n"}))
      return add(Token::Kind::hard, 1);
    if (is_one_of(text_.substr(at_, 1), {",", ":", "("})) return add(Token::Kind::soft, 1);
    ++at_;
  }

  /// Between marks that open after a blank and close before none.
  bool quotation() {
    constexpr std::pair<std::string_view, std::string_view> kMarks[] = {
        {"\"", "\""}, {"`", "`"}, {"'", "'"}, {"“", "”"}, {"‘", "’"}};
    if (at_ > 0 && (is_letter(text_[at_ - 1]) || is_digit(text_[at_ - 1]))) return false;
    for (const auto& [open, close] : kMarks) {
      if (!text_.substr(at_).starts_with(open)) continue;
      size_t from = at_ + open.size(), to = text_.find(close, from);
      if (to == std::string_view::npos || to == from) continue;
      if (text_.substr(from, to - from).find('\n') != std::string_view::npos) continue;
      tokens_.push_back({Token::Kind::quotation, std::string(text_.substr(from, to - from))});
      at_ = to + close.size();
      return true;
    }
    return false;
  }

  /// `1,234.5`; `2.1.0`, `2026-05-01` and `0042_split` are names.
  void number() {
    size_t end = at_, points = 0;
    while (end < text_.size()) {
      char c = text_[end];
      bool goes_on = end + 1 < text_.size() && is_digit(text_[end + 1]);
      if (c == '.' && goes_on) ++points;
      if (!is_digit(c) && !((c == '.' || c == ',') && goes_on)) break;
      ++end;
    }
    std::string_view behind = text_.substr(end);
    size_t letters = 0;
    while (letters < behind.size() && is_letter(behind[letters]) &&
           !behind.substr(letters).starts_with("°"))
      ++letters;
    std::string_view unit = behind.substr(0, letters);
    bool is_measured = letters > 0 && (unit_word(unit) || scale_word(unit) || unit == "x");
    bool is_joined = letters < behind.size() &&
                     (behind[letters] == '-' || behind[letters] == '_') &&
                     letters + 1 < behind.size() &&
                     (is_letter(behind[letters + 1]) || is_digit(behind[letters + 1]));
    if (points > 1 || (letters > 0 && !is_measured) || (letters == 0 && is_joined)) return name();
    add(Token::Kind::number, end - at_);
  }

  static bool is_of_name(char c) {
    return is_letter(c) || is_digit(c) ||
           is_one_of(std::string_view(&c, 1), {"_", "-", "/", ".", "@"});
  }
  size_t name_length() const {
    size_t end = at_;
    while (end < text_.size() && is_of_name(text_[end])) ++end;
    while (end > at_ && is_one_of(text_.substr(end - 1, 1), {".", "-", "/"})) --end;
    return std::max(end - at_, size_t{1});
  }
  void name() { add(Token::Kind::name, name_length()); }

  /// With digits and letters, or joined: an id. `p95` and its like are words.
  void word() {
    std::string_view text = text_.substr(at_, name_length());
    bool has_digit = std::any_of(text.begin(), text.end(), is_digit);
    bool has_small =
        std::any_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    bool has_mark =
        text.find('_') != std::string_view::npos || text.find('@') != std::string_view::npos;
    bool is_percentile = text.size() <= 4 && (text[0] == 'p' || text[0] == 'P') && has_digit;
    bool has_hump = false;
    for (size_t i = 1; i < text.size(); ++i)
      has_hump |= is_capital(text[i]) && text[i - 1] >= 'a' && text[i - 1] <= 'z';
    if (!is_percentile && !unit_word(text) &&
        ((has_digit && !number_word(text)) || has_mark || (has_hump && has_small)))
      return add(Token::Kind::name, text.size());
    size_t end = at_;
    while (end < text_.size() &&
           (is_letter(text_[end]) || is_digit(text_[end]) ||
            (text_[end] == '-' && end + 1 < text_.size() && is_letter(text_[end + 1]))))
      ++end;
    add(Token::Kind::word, end - at_);
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<Token> tokens_;
};

/// A part of a sentence that says something of one number, or of several together.
using Clause = std::span<const Token>;

bool is_number(const Token& token) {
  return token.kind == Token::Kind::number ||
         (token.kind == Token::Kind::word && number_word(token.text));
}
bool has_number(Clause clause) {
  return std::any_of(clause.begin(), clause.end(), is_number);
}
bool may_part(const Token& token) {
  static const std::set<std::string_view> kWords = words_of("clause");
  return token.kind == Token::Kind::soft || kWords.contains(token.text);
}

class Reader {
 public:
  explicit Reader(std::string_view text) : tokens_(Tokens(text).take()) {
    size_t from = 0;
    for (size_t i = 0; i <= tokens_.size(); ++i)
      if (i == tokens_.size() || tokens_[i].kind == Token::Kind::hard) {
        sentence(Clause(tokens_).subspan(from, i - from));
        from = i + 1;
      }
  }
  Mentions take() { return std::move(mentions_); }

 private:
  void sentence(Clause all) {
    ++group_;
    read_names(all);
    // A list's own numbers: `1.`, `2)`.
    if (all.size() == 1 && all[0].kind == Token::Kind::number) return;
    size_t from = 0;
    for (size_t i = 0; i < all.size(); ++i)
      if (may_part(all[i]) && has_number(all.subspan(from, i - from)) &&
          has_number(all.subspan(i + 1))) {
        read_numbers(all.subspan(from, i - from));
        from = i + 1;
      }
    size_t before = mentions_.numbers.size() + mentions_.names.size();
    read_numbers(all.subspan(from));
    static const std::set<std::string_view> kNegations = words_of("negation");
    bool denies = std::any_of(all.begin(), all.end(), [](const Token& token) {
      return kNegations.contains(lower(token.text));
    });
    for (NumberMention& number : mentions_.numbers)
      number.is_denied |= denies && number.group == group_;
    if (denies || from > 0 || mentions_.numbers.size() + mentions_.names.size() > before) return;
    AboutWords words;
    for (const Token& token : all)
      if (std::string word = about_word(token.text);
          token.kind == Token::Kind::word && !word.empty())
        words.insert(std::move(word));
    if (!words.empty()) mentions_.sentences.push_back(std::move(words));
  }

  void read_names(Clause all) {
    size_t capitals = 0, words = 0;
    for (const Token& token : all.subspan(std::min(all.size(), size_t{1})))
      if (token.kind == Token::Kind::word && token.text.size() > 3)
        ++words, capitals += is_capital(token.text[0]);
    bool is_title = words > 1 && capitals * 2 > words;
    for (size_t i = 0; i < all.size(); ++i) {
      const Token& token = all[i];
      if (token.kind == Token::Kind::name ||
          (token.kind == Token::Kind::quotation && token.text.size() > 2)) {
        mentions_.names.push_back({token.text, {}, false, false, group_});
        continue;
      }
      bool is_name = token.kind == Token::Kind::word && is_capital(token.text[0]) &&
                     token.text.size() > 2 && !is_capital(token.text[1]) &&
                     token.text.find('-') == std::string::npos && !unit_word(token.text) &&
                     !number_word(token.text) && token.text != "The";
      if (!is_name || is_title) continue;
      bool begins = i == 0 || all[i - 1].kind == Token::Kind::soft;
      std::string does;
      if (i + 1 < all.size() && all[i + 1].kind == Token::Kind::word)
        does = about_word(all[i + 1].text);
      if (i >= 2 && all[i - 1].text == "by") does = about_word(all[i - 2].text);
      mentions_.names.push_back({token.text, std::move(does), begins, true, group_});
    }
  }

  void read_numbers(Clause clause) {
    size_t first = mentions_.numbers.size();
    static const std::set<std::string_view> kMeasures = words_of("measure");
    std::vector<std::pair<size_t, size_t>> places;  // of each, from its first token to its last
    for (size_t i = 0; i < clause.size(); ++i) {
      if (!is_number(clause[i])) continue;
      places.emplace_back(read_number(clause, i));
      i = places.back().second;
    }
    for (size_t n = 0; n < places.size(); ++n) {
      NumberMention& number = mentions_.numbers[first + n];
      size_t from = n == 0 ? 0 : places[n - 1].second + 1;
      size_t to = n + 1 == places.size() ? clause.size() : places[n + 1].first;
      bool is_part = false;
      for (size_t i = places[n].second + 1; i < to; ++i) is_part |= clause[i].text == "of";
      is_part &= n + 1 < places.size() && places[n + 1].first - places[n].second <= 4;
      if (is_part) to = clause.size();  // of `2 of 149 tests failed`, the two failed
      bool is_of = n > 0 && clause[places[n].first - 1].text == "of";
      number.is_whole = is_of && places[n].first - from <= 3;
      if (is_of) from = places[n].first;  // what failed is the part
      // `87 rows in 5 s`: the rows are not what takes 5 s.
      for (size_t i = from; n > 0 && i < places[n].first; ++i)
        if (kMeasures.contains(clause[i].text)) from = i;
      for (size_t i = from; i < to; ++i) add_about(clause[i], number);
    }
    // `no errors`: none of them.
    for (size_t i = 0; i + 1 < clause.size() && places.empty(); ++i)
      if (is_one_of(clause[i].text, {"no", "No"}) && clause[i + 1].kind == Token::Kind::word) {
        NumberMention none;
        none.text = clause[i].text + " " + clause[i + 1].text;
        none.is_weak = true;
        none.group = group_;
        for (const Token& token : clause) add_about(token, none);
        mentions_.numbers.push_back(std::move(none));
      }
  }

  static void add_about(const Token& token, NumberMention& number) {
    if (token.kind == Token::Kind::number) return;
    static const std::set<std::string_view> kTotals = words_of("total");
    if (kTotals.contains(lower(token.text))) number.is_total = true;
    if (token.kind != Token::Kind::word) return void(number.about.insert(lower(token.text)));
    if (number_word(token.text) || unit_word(token.text)) return;
    if (std::string word = about_word(token.text); !word.empty()) number.about.insert(word);
  }

  /// The number there, with its unit; where it begins and ends.
  std::pair<size_t, size_t> read_number(Clause clause, size_t at) {
    NumberMention number;
    number.group = group_;
    number.text = clause[at].text;
    size_t last = at;
    if (clause[at].kind == Token::Kind::number) {
      std::string digits = clause[at].text;
      std::erase(digits, ',');
      number.bare = number_of<double>(digits).value_or(0);
      size_t point = digits.find('.');
      size_t significant = digits.size() - (point != std::string::npos);
      size_t decimals = point == std::string::npos ? 0 : digits.size() - point - 1;
      if (significant >= 2) number.step = std::pow(10.0, -static_cast<double>(decimals)) / 2;
    } else {
      number.bare = *number_word(clause[at].text);
      number.is_weak = lower(clause[at].text) == "one";
    }
    if (at + 1 < clause.size() && clause[at + 1].kind == Token::Kind::word)
      if (std::optional<double> scale = scale_word(clause[at + 1].text)) {
        number.bare *= *scale;
        number.step *= *scale;
        number.text += " " + clause[++last].text;
      }
    number.value = number.bare;
    size_t unit_at = last + 1;
    if (at > 0 && is_one_of(clause[at - 1].text, {"$", "€"})) unit_at = --at;
    if (unit_at < clause.size() && clause[unit_at].kind == Token::Kind::word)
      if (std::optional<Unit> unit = unit_word(clause[unit_at].text)) {
        number.unit = *unit;
        number.value *= unit->factor;
        number.text += clause[unit_at].text == "%" ? "%" : " " + clause[unit_at].text;
        last = std::max(last, unit_at);
      }
    mentions_.numbers.push_back(std::move(number));
    return {at, last};
  }

  std::vector<Token> tokens_;
  Mentions mentions_;
  size_t group_ = 0;
};

}  // namespace

Mentions mentions_of(std::string_view text) {
  return Reader(text).take();
}

}  // namespace xtrace
