#include "link/blame/tokens.h"

#include <algorithm>
#include <array>

#include "base/digits.h"
#include "base/hash.h"
#include "base/lower.h"

namespace xtrace {

namespace {

constexpr bool is_alpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_wordy(char c) {
  return is_digit(c) || is_alpha(c) || c == '_' || (static_cast<unsigned char>(c) & 0x80U) != 0;
}
constexpr bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/// The length of the address that begins there; 0: none does.
size_t address_at(std::string_view text) {
  if (!text.starts_with("http://") && !text.starts_with("https://")) return 0;
  const size_t end = text.find_first_of(" \t\r\n)]>\"'`\\");
  return std::min(end, text.size());
}

std::string_view without_ends(std::string_view text, std::string_view ends) {
  const size_t last = text.find_last_not_of(ends);
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

/// `78,691,352` without its commas; empty: they are not between thousands.
std::string joined_thousands(std::string_view number) {
  std::string joined;
  size_t digits = 0;
  bool has_comma = false, is_fraction = false;
  for (char c : number) {
    if (c == ',') {
      if (is_fraction || digits == 0 || digits > 3 || (has_comma && digits != 3)) return {};
      has_comma = true;
      digits = 0;
      continue;
    }
    if (c == '.') {
      if (is_fraction || (has_comma && digits != 3)) return {};
      is_fraction = true;
    } else {
      ++digits;
    }
    joined += c;
  }
  return has_comma && !is_fraction && digits != 3 ? std::string() : joined;
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  std::vector<TextToken> find() {
    for (size_t at = 0; at < text_.size();) {
      if (const size_t length = address_at(text_.substr(at)); length > 0) {
        add(TokenKind::url, lower(without_ends(text_.substr(at, length), ".,;:")));
        at += length;
        continue;
      }
      size_t end = at;
      while (end < text_.size() && is_part(text_[end])) ++end;
      if (end > at) read(text_.substr(at, end - at));
      at = std::max(end, at + 1);
    }
    return std::move(found_);
  }

 private:
  static bool is_part(char c) {
    return is_wordy(c) || c == '.' || c == ',' || c == '-' || c == '@' || c == '/' || c == '+';
  }

  void add(TokenKind kind, std::string text) {
    const uint64_t hash = hash_of(text);
    found_.push_back({kind, std::move(text), hash});
  }

  /// A stretch without spaces, quotes and brackets.
  void read(std::string_view part) {
    part = without_ends(part, ".,-");
    if (part.empty()) return;
    const size_t at_sign = part.find('@');
    if (at_sign != std::string_view::npos && at_sign > 0 &&
        part.find('.', at_sign) != std::string_view::npos)
      return add(TokenKind::mail, lower(part));
    const size_t digits = static_cast<size_t>(std::ranges::count_if(part, is_digit));
    const size_t letters = static_cast<size_t>(std::ranges::count_if(part, is_alpha));
    if (part.find('/') != std::string_view::npos) {
      if (letters > 0) add(TokenKind::path, lower(part));
      return;
    }
    if (letters == 0) return read_numbers(part);
    if (digits > 0 && digits + letters >= kShortestCode) return add(TokenKind::code, lower(part));
    if (digits >= kFewestDigits) read_digits(part);
  }

  /// A date, such as 2026-04-01, and other numbers with dashes between them are none.
  void read_numbers(std::string_view part) {
    if (part.find_first_of("-+@_", 1) != std::string_view::npos) return;
    if (std::string whole = joined_thousands(part); !whole.empty()) return add_number(whole);
    for (size_t begin = 0, end = 0; begin <= part.size(); begin = end + 1) {
      end = std::min(part.find(',', begin), part.size());
      add_number(std::string(part.substr(begin, end - begin)));
    }
  }

  /// The digits of `v20260401x`, or of text in a script without spaces.
  void read_digits(std::string_view part) {
    for (size_t begin = 0; begin < part.size();) {
      size_t end = begin;
      while (end < part.size() && is_digit(part[end])) ++end;
      if (end - begin >= kFewestDigits) add_number(std::string(part.substr(begin, end - begin)));
      begin = std::max(end, begin + 1);
    }
  }

  void add_number(std::string number) {
    std::erase_if(number, [](char c) { return !is_digit(c) && c != '.'; });
    if (static_cast<size_t>(std::ranges::count_if(number, is_digit)) >= kFewestDigits)
      add(TokenKind::number, std::move(number));
  }

  /// Shorter mixtures of letters and digits are words: `v2`, `utf8`, `sha256`.
  static constexpr size_t kShortestCode = 8;

  std::string_view text_;
  std::vector<TextToken> found_;
};

class LeafReader {
 public:
  explicit LeafReader(std::string_view json) : json_(json) {}

  std::vector<JsonLeaf> read() {
    while (at_ < json_.size()) {
      const char c = json_[at_];
      if (c == '"')
        read_text();
      else if (is_digit(c) || c == '-' || is_alpha(c))
        read_word();
      else if (c == '{' || c == '[')
        read_opening();
      else
        ++at_;
    }
    return std::move(leaves_);
  }

 private:
  void skip_spaces() {
    while (at_ < json_.size() && is_space(json_[at_])) ++at_;
  }

  void read_text() {
    std::string text;
    for (++at_; at_ < json_.size() && json_[at_] != '"'; ++at_) {
      if (json_[at_] != '\\' || at_ + 1 == json_.size()) {
        text += json_[at_];
        continue;
      }
      const char escaped = json_[++at_];
      text += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped;
    }
    ++at_;
    skip_spaces();
    if (at_ < json_.size() && json_[at_] == ':') {
      name_ = std::move(text);
      ++at_;
      return;
    }
    const bool is_empty = text.empty();
    leaves_.push_back({name_, std::move(text), is_empty});
  }

  void read_word() {
    const size_t end = std::min(json_.find_first_of(",]} \t\r\n", at_), json_.size());
    std::string value(json_.substr(at_, end - at_));
    const bool is_default = value == "0" || value == "null" || value == "0.0";
    leaves_.push_back({name_, std::move(value), is_default});
    at_ = end;
  }

  void read_opening() {
    const char closing = json_[at_++] == '{' ? '}' : ']';
    skip_spaces();
    if (at_ >= json_.size() || json_[at_] != closing) return;
    ++at_;
    leaves_.push_back({name_, closing == '}' ? "{}" : "[]", true});
  }

  std::string_view json_;
  size_t at_ = 0;
  std::string name_;
  std::vector<JsonLeaf> leaves_;
};

/// Calls `each` with all values that differ in one character, or by two that are swapped.
template <class Each>
void for_each_near(const TextToken& token, Each each) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr std::string_view kLetters = "0123456789abcdefghijklmnopqrstuvwxyz";
  const bool is_number = token.kind == TokenKind::number;
  std::string near = token.text;
  for (size_t i = 0; i < near.size(); ++i) {
    if (i + 1 < near.size() && near[i] != near[i + 1]) {
      std::swap(near[i], near[i + 1]);
      each(near);
      std::swap(near[i], near[i + 1]);
    }
    if (is_number && (i + 1 == near.size() || !is_digit(near[i]))) continue;
    const char own = near[i];
    for (char other : is_number ? kDigits : kLetters) {
      if (other == own) continue;
      near[i] = other;
      each(near);
    }
    near[i] = own;
  }
}

/// As people write words, without what may stand around them.
uint64_t hash_of_word(std::string_view word) {
  while (word.starts_with('\'') || word.starts_with('-')) word.remove_prefix(1);
  return hash_of(lower(without_ends(word, ".,;:'-")));
}

/// A name begins with a capital and has at least three letters.
bool is_name(std::string_view word) {
  return word.size() >= 3 && word.front() >= 'A' && word.front() <= 'Z';
}

uint64_t hash_of_number(std::string_view number) {
  std::string digits(without_ends(number, ".,"));
  std::erase(digits, ',');
  return hash_of(digits);
}

/// Words of one who does not know, or did not do, what is asked. At most 94 runs were seen before
/// they were chosen; the words of other languages are not known.
constexpr std::array kHedges = {std::string_view("assume"),     std::string_view("assumes"),
                                std::string_view("assumed"),    std::string_view("assuming"),
                                std::string_view("assumption"), std::string_view("assumptions"),
                                std::string_view("simulat*"),   std::string_view("hypothetic*"),
                                std::string_view("unable to"),  std::string_view("cannot"),
                                std::string_view("can't"),      std::string_view("could not"),
                                std::string_view("couldn't"),   std::string_view("placeholder*"),
                                std::string_view("mock"),       std::string_view("pretend*"),
                                std::string_view("presum*"),    std::string_view("probably"),
                                std::string_view("guess"),      std::string_view("dummy"),
                                std::string_view("suppose"),    std::string_view("let's say"),
                                std::string_view("manually"),   std::string_view("approximat*")};

bool begins_with_hedge(std::string_view text) {
  for (std::string_view hedge : kHedges) {
    const bool is_stem = hedge.ends_with('*');
    if (is_stem) hedge.remove_suffix(1);
    if (text.starts_with(hedge) &&
        (is_stem || text.size() == hedge.size() || !is_wordy(text[hedge.size()])))
      return true;
  }
  return false;
}

}  // namespace

std::vector<TextToken> tokens_in(std::string_view text) {
  return Tokenizer(text).find();
}

std::vector<JsonLeaf> leaves_of(std::string_view json) {
  const size_t begin = json.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || (json[begin] != '{' && json[begin] != '[')) return {};
  return LeafReader(json.substr(begin)).read();
}

std::string find_near(const TextToken& token, const std::function<bool(uint64_t)>& is_known) {
  std::string found;
  for_each_near(token, [&](const std::string& near) {
    if (found.empty() && is_known(hash_of(near))) found = near;
  });
  return found;
}

size_t count_near(const TextToken& token) {
  size_t count = 0;
  for_each_near(token, [&](const std::string&) { ++count; });
  return count;
}

TextValues values_in(std::string_view text) {
  TextValues found;
  for (size_t at = 0; at < text.size();) {
    if (const size_t length = address_at(text.substr(at)); length > 0) {
      found.values.insert(hash_of(lower(without_ends(text.substr(at, length), ".,;:'-"))));
      at += length;
      continue;
    }
    if (is_digit(text[at])) {
      const size_t end = std::min(text.find_first_not_of("0123456789.,", at), text.size());
      found.values.insert(hash_of_number(text.substr(at, end - at)));
      at = end;
      continue;
    }
    if (!is_wordy(text[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() && (is_wordy(text[end]) || text[end] == '\'' || text[end] == '-'))
      ++end;
    const std::string_view word = text.substr(at, end - at);
    (is_name(word) ? found.values : found.words).insert(hash_of_word(word));
    at = end;
  }
  return found;
}

bool is_hedged(std::string_view text) {
  const std::string small = lower(text);
  for (size_t at = 0; at < small.size(); ++at)
    if (is_alpha(small[at]) && (at == 0 || !is_wordy(small[at - 1])) &&
        begins_with_hedge(std::string_view(small).substr(at)))
      return true;
  return false;
}

}  // namespace xtrace
