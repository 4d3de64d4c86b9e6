#include "link/reuse/token.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/address.h"
#include "base/digits.h"
#include "base/lower.h"
#include "base/one_of.h"
#include "redact/redact_rules.h"

namespace xtrace {

namespace {

constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_alnum(char c) {
  return is_letter(c) || is_digit(c);
}
/// What a character may be a part of, as bits: most words of a text are looked at no further than
/// these.
enum CharSign : uint8_t {
  kWordSign = 1,  ///< of names, addresses of mail and paths
  kDigitSign = 2,
  kMarkSign = 4,  ///< without one of these a word without digits names nothing: `/`, `.`, `@`
};
constexpr std::array<uint8_t, 256> kCharSigns = [] {
  std::array<uint8_t, 256> signs{};
  for (size_t c = 0; c < signs.size(); ++c)
    if (c >= 0x80 || is_alnum(static_cast<char>(c))) signs[c] = kWordSign;
  for (const char c : std::string_view("_-~+%")) signs[static_cast<uint8_t>(c)] = kWordSign;
  for (const char c : std::string_view("./@"))
    signs[static_cast<uint8_t>(c)] = kWordSign | kMarkSign;
  for (const char c : std::string_view("0123456789"))
    signs[static_cast<uint8_t>(c)] = kWordSign | kDigitSign;
  return signs;
}();
constexpr uint8_t signs_of(char c) {
  return kCharSigns[static_cast<uint8_t>(c)];
}

/// Endings by which a name without a folder is that of a file.
constexpr std::string_view kEndings[] = {
    "txt",  "md",  "rst",  "json", "jsonl", "yaml", "yml",  "toml",  "ini", "cfg",  "conf",
    "env",  "csv", "tsv",  "xml",  "html",  "htm",  "css",  "js",    "mjs", "ts",   "tsx",
    "jsx",  "py",  "rb",   "php",  "java",  "kt",   "c",    "h",     "cc",  "cpp",  "hpp",
    "rs",   "go",  "sh",   "bat",  "ps1",   "sql",  "log",  "pdf",   "doc", "docx", "xls",
    "xlsx", "ppt", "pptx", "odt",  "png",   "jpg",  "jpeg", "gif",   "svg", "zip",  "gz",
    "tar",  "tgz", "7z",   "exe",  "dmg",   "deb",  "rpm",  "ipynb", "pem", "key",  "eml"};
constexpr size_t kLongestEnding = 5;
/// A text of at most kLongestEnding bytes as a number, its letters small.
constexpr uint64_t packed(std::string_view ending) {
  uint64_t number = 0;
  for (const char c : ending) number = number << 8 | static_cast<uint8_t>(lower(c));
  return number;
}
constexpr auto kPackedEndings = [] {
  std::array<uint64_t, std::size(kEndings)> numbers{};
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = packed(kEndings[i]);
  return numbers;
}();
bool is_ending(std::string_view ending) {
  return ending.size() <= kLongestEnding &&
         std::ranges::find(kPackedEndings, packed(ending)) != kPackedEndings.end();
}

/// Files and folders of every system, and types of contents: no two texts name them because one
/// read the other.
constexpr std::string_view kCommonBeginnings[] = {
    "/dev/", "/bin/",  "/usr/bin/", "/usr/local/bin/", "/etc/ssl/",  "application/",
    "text/", "image/", "audio/",    "video/",          "multipart/", "font/"};
constexpr std::string_view kCommonPaths[] = {
    "/tmp",    "/usr",      "/usr/local",   "/etc",         "/var",         "/home",    "/opt",
    "/root",   "readme.md", "package.json", "index.html",   "index.js",     "index.ts", "main.py",
    "main.go", "setup.py",  "license.txt",  "changelog.md", "tsconfig.json"};

bool is_year(std::string_view digits) {
  return digits.size() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
}
int number_in(std::string_view digits) {
  int number = 0;
  for (const char c : digits) number = number * 10 + (c - '0');
  return number;
}

/// `20260401`, `202604`, `20260401083000`, and seconds, milliseconds, micro- and nanoseconds since
/// 1970 within this century's first third: what logs write as times.
bool is_date(std::string_view digits) {
  const auto is_month = [](std::string_view d) { return number_in(d) >= 1 && number_in(d) <= 12; };
  if (digits.size() >= 6 && is_year(digits.substr(0, 4)) && is_month(digits.substr(4, 2))) {
    if (digits.size() == 6) return true;
    const int day = digits.size() >= 8 ? number_in(digits.substr(6, 2)) : 0;
    if (day >= 1 && day <= 31 && (digits.size() == 8 || digits.size() == 14)) return true;
  }
  const bool is_moment =
      digits.size() == 10 || digits.size() == 13 || digits.size() == 16 || digits.size() == 19;
  // 1420070400 is the begin of 2015, 2051222400 that of 2035.
  return is_moment && digits.substr(0, 10) >= "1420070400" && digits.substr(0, 10) < "2051222400";
}

/// `2026-04-01`, also with a time: `2026-04-01T08`, `20260401T083000Z`.
bool is_dated(std::string_view piece) {
  const std::string_view day = piece.substr(0, piece.find_first_of("Tt_"));
  std::string digits;
  for (const char c : day)
    if (is_digit(c))
      digits += c;
    else if (c != '-')
      return false;
  const std::string_view rest = piece.substr(day.size());
  return (digits.size() == 8 || digits.size() == 6) && is_date(digits) &&
         std::ranges::none_of(rest.substr(std::min<size_t>(rest.size(), 1)),
                              [](char c) { return is_letter(c) && c != 'Z' && c != 'z'; });
}

/// Words, and numbers of one or two digits that count versions of what they name: `gpt-4`,
/// `us-east-1`, `claude-opus-4-1-20250805`.
bool is_versioned(std::string_view piece) {
  size_t begin = 0;
  while (begin <= piece.size()) {
    const size_t end = std::min(piece.find_first_of("-_", begin), piece.size());
    std::string_view part = piece.substr(begin, end - begin);
    begin = end + 1;
    if (part.size() > 1 && (part[0] == 'v' || part[0] == 'V')) part.remove_prefix(1);
    const bool is_word = std::ranges::none_of(part, is_digit);
    const bool is_version =
        are_digits(part) && (part.size() <= 2 || is_year(part) || is_date(part));
    if (!is_word && !is_version) return false;
  }
  return true;
}

class Scanner {
 public:
  Scanner(std::string_view text, size_t least_digits, bool names_hosts,
          const std::function<void(const Token&)>& each)
      : text_(text), least_digits_(least_digits), names_hosts_(names_hosts), each_(each) {}

  void scan() {
    for (size_t at = 0; at < text_.size();) {
      if ((signs_of(text_[at]) & kWordSign) == 0) {
        ++at;
        continue;
      }
      uint8_t signs = 0;
      size_t end = at;
      for (; end < text_.size() && (signs_of(text_[end]) & kWordSign) != 0; ++end)
        signs |= signs_of(text_[end]);
      at = read(at, end, signs);
    }
  }

 private:
  static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
  static constexpr size_t kLongestScheme = 12;

  /// What begins where a word does, which ends at `end`; returns where to go on.
  size_t read(size_t at, size_t end, uint8_t signs) {
    const char c = text_[at];
    const bool is_scheme = text_.substr(end).starts_with("://");
    if (is_scheme && is_letter(c))
      if (const size_t behind = url(at); behind != at) return behind;
    if ((signs & kDigitSign) != 0) {
      size_t behind = at;
      if (is_upper(c)) behind = iban(at);
      if (behind == at && (c == '+' || is_digit(c))) behind = grouped(at);
      if (behind != at) return behind;
    }
    if (is_scheme) {
      // An address may be in a word: `src=https://…` begins behind the sign.
      const size_t colon = end;
      while (end > at && is_alnum(text_[end - 1])) --end;
      if (end == at) return std::max(at + 1, colon - std::min(colon, kLongestScheme));
    }
    if ((signs & (kDigitSign | kMarkSign)) != 0) word_at(at, end);
    return end;
  }

  void emit(TokenKind kind, size_t length, std::string normal) {
    each_({kind, static_cast<uint32_t>(length), std::move(normal)});
  }

  /// Returns its end; `at`: none is there.
  size_t url(size_t at) {
    size_t colon = at;
    while (colon < text_.size() && colon - at < kLongestScheme &&
           (is_alnum(text_[colon]) || text_[colon] == '+'))
      ++colon;
    if (!text_.substr(colon).starts_with("://")) return at;
    size_t end = text_.find_first_of(" \t\r\n\f\v\"'`<>|\\^{}()[]", colon + 3);
    end = std::min(end, text_.size());
    while (end > colon + 3 && std::string_view(".,;:!?*").find(text_[end - 1]) != text_.npos) --end;
    const std::string_view whole = text_.substr(at, end - at);
    std::string_view host = host_of(whole);
    if (host.empty()) return colon + 3;
    const size_t behind = static_cast<size_t>(host.data() - whole.data()) + host.size();
    std::string normal = lower(whole.substr(0, behind));
    std::string_view rest = whole.substr(behind);
    if (rest == "/") rest = {};
    normal += rest;
    const std::string small = lower(host.substr(0, host.find(':')));
    // A host alone is the address of nothing on it.
    if (!rest.empty()) emit(TokenKind::url, whole.size(), std::move(normal));
    if (small != "localhost" && !small.starts_with("127.") && small.find('.') != small.npos)
      emit(TokenKind::host, small.size(), small);
    return end;
  }

  size_t iban(size_t at) {
    constexpr size_t kLongest = 34 + 8;  // with a blank behind each four
    if (at + 4 > text_.size() || !is_upper(text_[at + 1]) || !is_digit(text_[at + 2]) ||
        !is_digit(text_[at + 3]))
      return at;
    size_t end = at + 4;
    while (end < text_.size() && end - at < kLongest &&
           (is_upper(text_[end]) || is_digit(text_[end]) ||
            (text_[end] == ' ' && text_[end - 1] != ' ')))
      ++end;
    if (end - at < 15 || !RedactCheck::iban(text_, at, end)) return at;
    emit(TokenKind::iban, end - at, without(text_.substr(at, end - at), " "));
    return end;
  }

  static std::string without(std::string_view text, std::string_view signs) {
    std::string kept;
    for (const char c : text)
      if (signs.find(c) == signs.npos) kept += c;
    return kept;
  }

  /// Digits in groups: a card, a telephone number, or `1,234,567`.
  size_t grouped(size_t at) {
    const bool has_plus = text_[at] == '+';
    size_t end = at + (has_plus ? 1 : 0);
    std::vector<size_t> groups;
    bool has_commas = false, has_other = false;
    size_t ends_at = at;
    while (end < text_.size() && is_digit(text_[end]) && groups.size() < 8) {
      const size_t begin = end;
      while (end < text_.size() && is_digit(text_[end])) ++end;
      groups.push_back(end - begin);
      ends_at = end;
      if (end + 1 >= text_.size() || !is_digit(text_[end + 1])) break;
      const char sign = text_[end];
      if (sign != ' ' && sign != '-' && sign != ',' && !(has_plus && (sign == '.'))) break;
      (sign == ',' ? has_commas : has_other) = true;
      ++end;
    }
    if (ends_at < text_.size() && (is_letter(text_[ends_at]) || text_[ends_at] == '_')) return at;
    size_t digits = 0;
    for (const size_t group : groups) digits += group;
    const std::string_view whole = text_.substr(at, ends_at - at);
    if (has_plus) {
      if (digits < 8 || digits > 15 || has_commas) return at;
      emit(TokenKind::phone, whole.size(), without(whole, " -."));
      return ends_at;
    }
    if (groups.size() < 2) return at;
    if (has_commas && !has_other) {
      const bool is_grouped = groups.front() <= 3 && std::all_of(groups.begin() + 1, groups.end(),
                                                                 [](size_t n) { return n == 3; });
      if (!is_grouped || digits < least_digits_) return at;
      emit(TokenKind::number, whole.size(), without(whole, ","));
      return ends_at;
    }
    const bool is_card = !has_commas && (groups == std::vector<size_t>{4, 4, 4, 4} ||
                                         groups == std::vector<size_t>{4, 6, 5});
    size_t end_of_card = ends_at;
    if (!is_card || !RedactCheck::luhn(text_, at, end_of_card)) return at;
    emit(TokenKind::card, whole.size(), without(whole, " -"));
    return ends_at;
  }

  void word_at(size_t begin, size_t end) {
    while (end > begin && std::string_view(".-@+%").find(text_[end - 1]) != text_.npos) --end;
    while (begin < end && std::string_view("-@+%").find(text_[begin]) != text_.npos) ++begin;
    const std::string_view word = text_.substr(begin, end - begin);
    if (word.empty() || mail(word) || decimal(word)) return;
    if (names_hosts_) dotted(word);
    if (path(word)) return;
    for (size_t at = 0; at < word.size();) {
      if (!is_of_piece(word[at])) {
        ++at;
        continue;
      }
      size_t behind = at;
      while (behind < word.size() && is_of_piece(word[behind])) ++behind;
      piece(word.substr(at, behind - at));
      at = behind;
    }
  }

  static bool is_of_piece(char c) { return is_alnum(c) || c == '-' || c == '_'; }

  bool mail(std::string_view word) {
    const size_t at = word.find('@');
    if (at == 0 || at == word.npos || word.find('/') != word.npos) return false;
    const std::string_view domain = word.substr(at + 1);
    const size_t dot = domain.rfind('.');
    if (dot == domain.npos || dot == 0 || domain.size() - dot < 3) return false;
    if (!std::ranges::all_of(domain.substr(dot + 1), is_letter)) return false;
    emit(TokenKind::mail, word.size(), lower(word));
    return true;
  }

  /// A number with a fraction.
  bool decimal(std::string_view word) {
    const size_t dot = word.find('.');
    if (dot == word.npos || !are_digits(word.substr(0, dot)) || !are_digits(word.substr(dot + 1)))
      return false;
    std::string_view kept = word;
    while (kept.ends_with('0')) kept.remove_suffix(1);
    if (kept.ends_with('.')) kept.remove_suffix(1);
    if (kept.size() - (kept.find('.') != kept.npos ? 1u : 0u) >= least_digits_)
      emit(TokenKind::number, word.size(), std::string(kept));
    return true;
  }

  void dotted(std::string_view word) {
    const std::string_view host = word.substr(0, word.find('/'));
    const size_t dot = host.rfind('.');
    if (dot == host.npos || dot == 0 || host.size() - dot < 3) return;
    if (!std::ranges::all_of(host.substr(dot + 1), is_letter)) return;
    emit(TokenKind::host, host.size(), lower(host));
  }

  bool path(std::string_view word) {
    std::string_view name = word;
    while (name.size() > 1 && name.ends_with('/')) name.remove_suffix(1);
    while (name.starts_with("./")) name.remove_prefix(2);
    const size_t separators = static_cast<size_t>(std::ranges::count(name, '/'));
    const size_t dot = name.rfind('.');
    const bool has_ending =
        dot != name.npos && dot > name.rfind('/') + 1 && is_ending(name.substr(dot + 1));
    if (separators == 0 && !has_ending) return false;
    if (std::ranges::count_if(name, is_alnum) < kShortestPath) return false;
    if (separators == 0 && name.front() == '.') return false;  // `.env`: of every project
    const std::string small = lower(name);
    if (is_one_of(small, kCommonPaths)) return true;
    for (const std::string_view common : kCommonBeginnings)
      if (small.starts_with(common)) return true;
    // `and/or`, `24/7`, `client/server`: words, not files.
    const bool is_rooted = name.front() == '/' || name.front() == '~';
    if (separators == 1 && !is_rooted && !has_ending) return std::ranges::none_of(name, is_digit);
    if (std::ranges::all_of(name, [](char c) { return is_digit(c) || c == '/' || c == '.'; }))
      return true;  // a date, a fraction
    emit(TokenKind::path, word.size(), std::string(name));
    return true;
  }

  /// A shorter name of a file or folder is in many texts.
  static constexpr std::ptrdiff_t kShortestPath = 5;

  void piece(std::string_view piece) {
    constexpr size_t kShortestHash = 16, kShortestCode = 8;
    while (!piece.empty() && !is_alnum(piece.back())) piece.remove_suffix(1);
    while (!piece.empty() && !is_alnum(piece.front())) piece.remove_prefix(1);
    if (piece.size() < std::min(least_digits_, kShortestCode)) return;
    const auto digits = std::ranges::count_if(piece, is_digit);
    if (digits == 0) return;
    if (are_digits(piece)) {
      if (piece.size() >= least_digits_ && !is_date(piece))
        emit(TokenKind::number, piece.size(), std::string(piece));
      return;
    }
    const bool is_hex =
        std::ranges::all_of(piece, [](char c) { return c == '-' || hex_digit(c) >= 0; });
    const bool has_letters = std::ranges::any_of(piece, is_letter);
    if (!has_letters || is_dated(piece)) return;
    if (is_hex &&
        piece.size() - static_cast<size_t>(std::ranges::count(piece, '-')) >= kShortestHash)
      emit(TokenKind::hash, piece.size(), lower(piece));
    else if (piece.size() >= kShortestCode && !is_versioned(piece))
      emit(TokenKind::code, piece.size(), std::string(piece));
  }

  std::string_view text_;
  size_t least_digits_;
  bool names_hosts_;
  const std::function<void(const Token&)>& each_;
};

}  // namespace

void find_tokens(std::string_view text, size_t least_digits, bool names_hosts,
                 const std::function<void(const Token&)>& each) {
  Scanner(text, least_digits, names_hosts, each).scan();
}

}  // namespace xtrace
