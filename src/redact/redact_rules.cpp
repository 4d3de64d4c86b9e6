#include "redact/redact_rules.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/digits.h"
#include "redact/bytes.h"

namespace xtrace {
namespace {

using bytes::alnum, bytes::at, bytes::has, bytes::hex, bytes::is_in, bytes::letter, bytes::upper;
using std::string_view;

bool local_part(char c) {
  return alnum(c) || string_view("._%+-").find(c) != string_view::npos;
}
size_t back(string_view t, size_t p, size_t most, bool (*in)(char)) {
  const size_t stop = p > most ? p - most : 0;
  while (p > stop && in(t[p - 1])) --p;
  return p;
}
// What may be the name of a host, from `begin`.
string_view domain_at(string_view t, size_t begin) {
  size_t end = begin;
  while (alnum(at(t, end)) || at(t, end) == '.' || at(t, end) == '-') ++end;
  return t.substr(std::min(begin, t.size()), end - begin);
}
// What replaces a password in code and forms: a variable, a call, a placeholder, a bare word.
bool placeholder(string_view t, size_t begin, size_t end) {
  const string_view v = t.substr(begin, end - begin);
  static constexpr std::array<string_view, 16> kWords = {
      "password", "string", "null",   "none",     "true", "false", "undefined", "required",
      "optional", "hidden", "secret", "changeme", "text", "input", "example",   "redacted"};
  if (at(t, begin) == ':' && at(t, begin - 1) == ':') return true;  // `Token::Name`
  if (has(v, "***") || has("$<{(%[*&", v.substr(0, 1)) || has(v, "${") || has(v, "{{")) return true;
  if (at(t, end) == '(' && (alnum(at(t, end - 1)) || at(t, end - 1) == '_')) return true;  // a call
  if (std::all_of(v.begin(), v.end(), [&](char c) { return c == v[0]; })) return true;
  std::string lower(v);
  for (char& c : lower) c = static_cast<char>(upper(c) ? c | 0x20 : c);
  if (std::find(kWords.begin(), kWords.end(), lower) != kWords.end()) return true;
  const bool is_word = std::all_of(v.begin(), v.end(), letter);
  if (is_word && has(lower, "password")) return true;  // `challengePassword`
  return has(v, "_") &&
         std::all_of(v.begin(), v.end(), [](char c) { return letter(c) || c == '_'; });
}

/// Is it part of a UUID? Some of its groups may look like a card that is grouped oddly.
bool is_in_uuid(string_view t, size_t begin) {
  constexpr string_view kShape = "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh";
  const auto stands_at = [&](size_t first) {
    for (size_t i = 0; i < kShape.size(); ++i)
      if (kShape[i] == '-' ? at(t, first + i) != '-' : !hex(at(t, first + i))) return false;
    return !alnum(at(t, first - 1)) && !alnum(at(t, first + kShape.size()));
  };
  for (size_t group : {0U, 9U, 14U, 19U})
    if (begin >= group && stands_at(begin - group)) return true;
  return false;
}

/// Are there three clusters of four consonants in letters of mixed case? Names of code are made of
/// words, and only few words have one.
bool is_unpronounceable(string_view v) {
  constexpr size_t kCluster = 4;
  size_t run = 0, clusters = 0, uppers = 0;
  for (const char c : v) {
    uppers += upper(c);
    const bool is_consonant = letter(c) && !upper(c) && !has("aeiouy", string_view(&c, 1));
    run = is_consonant ? run + 1 : 0;
    clusters += run == kCluster;
  }
  return clusters > 2 && uppers > 2;
}

}  // namespace

// ---- anchors: the few bytes next to the trigger decide most cases

size_t RedactAnchor::local_start(Text t, size_t hit) {
  if (!local_part(at(t, hit - 1)) || !alnum(at(t, hit + 1))) return string_view::npos;
  const string_view domain = domain_at(t, hit + 1);
  for (size_t dot = domain.find('.'); dot != string_view::npos; dot = domain.find('.', dot + 1))
    if (letter(at(domain, dot + 1)) && letter(at(domain, dot + 2)))
      return back(t, hit, 64, local_part);
  return string_view::npos;
}
size_t RedactAnchor::login_start(Text t, size_t hit) {
  const size_t end = hit + 1 + domain_at(t, hit + 1).size();
  return at(t, end) == ':' ? local_start(t, hit) : string_view::npos;
}
size_t RedactAnchor::bot_number(Text t, size_t hit) {
  const size_t begin = back(t, hit, 10, is_digit);
  return hit - begin >= 8 ? begin : string_view::npos;
}
size_t RedactAnchor::mac_start(Text t, size_t hit) {
  return at(t, hit + 3) == t[hit] && at(t, hit + 6) == t[hit] && hex(at(t, hit - 2))
             ? hit - 2
             : string_view::npos;
}
size_t RedactAnchor::ipv6_start(Text t, size_t hit) {
  return hex(at(t, hit - 1)) && hex(at(t, hit - 2)) && hex(at(t, hit - 3)) && hex(at(t, hit - 4))
             ? hit - 4
             : string_view::npos;
}
size_t RedactAnchor::ipv4_start(Text t, size_t hit) {
  size_t i = hit;
  for (int dots = 0; dots < 3; ++dots, ++i) {
    const size_t first = i;
    while (i < first + 3 && is_digit(at(t, i))) ++i;
    if (i == first || at(t, i) != '.') return string_view::npos;
  }
  return hit;
}
size_t RedactAnchor::ssn_start(Text t, size_t hit) {
  return at(t, hit + 3) == '-' && at(t, hit + 6) == '-' ? hit : string_view::npos;
}
size_t RedactAnchor::card_start(Text t, size_t hit) {
  if (t[hit] < '2' || t[hit] > '6') return string_view::npos;
  int digits = 0;
  for (size_t i = hit; digits < 15; ++i) {
    if (is_digit(at(t, i)))
      ++digits;
    else if (digits < 4 || (at(t, i) != ' ' && at(t, i) != '-'))
      return string_view::npos;
  }
  return hit;
}
size_t RedactAnchor::iban_start(Text t, size_t hit) {
  if (!upper(at(t, hit - 1)) || !upper(at(t, hit - 2)) || !is_digit(at(t, hit + 1)))
    return string_view::npos;
  size_t i = hit + 2;
  for (int left = 11; left > 0; --left, ++i) {
    if (at(t, i) == ' ') ++i;
    if (!is_digit(at(t, i)) && !upper(at(t, i))) return string_view::npos;
  }
  return hit - 2;
}
size_t RedactAnchor::plus_start(Text t, size_t hit) {
  return at(t, hit - 1) == '+' ? hit - 1 : string_view::npos;
}
size_t RedactAnchor::paren_start(Text t, size_t hit) {
  return at(t, hit - 1) == '(' ? hit - 1 : string_view::npos;
}
// The first digits, up to where the groups of a number at home part.
size_t RedactAnchor::home_number_start(Text t, size_t hit) {
  const char left = at(t, hit - 1);
  if (alnum(left) || left == '.' || left == '_' || left == '-' || left == '/')
    return string_view::npos;
  size_t end = hit;
  while (end < hit + 12 && is_digit(at(t, end))) ++end;
  const char right = at(t, end);
  const bool is_parted = right == ' ' || right == '-' || right == '.' || right == '/';
  return end - hit >= 10 || (is_parted && end - hit < 8 && is_digit(at(t, end + 1)))
             ? hit
             : string_view::npos;
}
size_t RedactAnchor::cpf_start(Text t, size_t hit) {
  return at(t, hit + 3) == '.' && at(t, hit + 7) == '.' && at(t, hit + 11) == '-'
             ? hit
             : string_view::npos;
}
size_t RedactAnchor::cnpj_start(Text t, size_t hit) {
  return at(t, hit + 2) == '.' && at(t, hit + 6) == '.' && at(t, hit + 10) == '/'
             ? hit
             : string_view::npos;
}
size_t RedactAnchor::numbered_word(Text t, size_t hit) {
  size_t i = hit;
  while (letter(at(t, i))) ++i;
  if (is_in(" _-", at(t, i))) ++i;
  while (letter(at(t, i))) ++i;
  while (is_in(".\\\"' \t\n\f\r:=#(", at(t, i))) ++i;
  return is_digit(at(t, i)) ? hit : string_view::npos;
}
// The key is one of the first three parts behind that of the word.
size_t RedactAnchor::path_of_key(Text t, size_t hit) {
  constexpr size_t kShortestKey = 20;
  size_t begin = hit + 1;
  for (int part = 0; part < 4; ++part) {
    size_t end = begin;
    while (alnum(at(t, end)) || is_in("_=.-", at(t, end))) ++end;
    if (part > 0 && end - begin >= kShortestKey) return hit;
    if (at(t, end) != '/') return string_view::npos;
    begin = end + 1;
  }
  return string_view::npos;
}
size_t RedactAnchor::path_of_hook(Text t, size_t hit) {
  constexpr size_t kShortestKey = 16;
  const size_t slash = hit + domain_at(t, hit).size();
  if (at(t, slash) != '/') return string_view::npos;
  size_t end = slash + 1;
  while (alnum(at(t, end)) || is_in("@_/-", at(t, end))) ++end;
  return end - slash > kShortestKey ? hit : string_view::npos;
}
size_t RedactAnchor::user_and_slash(Text t, size_t hit) {
  constexpr size_t kLongest = 80;  // the words before the user, and the user
  return has(t.substr(hit, kLongest), " / ") ? hit : string_view::npos;
}
// A word such as "token" is followed by ':', '=' or ',' before anything but a name, quotes and
// blanks.
size_t RedactAnchor::assigned(Text t, size_t hit) {
  for (size_t i = hit; i < t.size() && i < hit + 64; ++i) {
    if (t[i] == ':' || t[i] == '=' || t[i] == ',') return hit;
    if (!alnum(t[i]) && string_view("_-\"'\\] \t").find(t[i]) == string_view::npos)
      return string_view::npos;
  }
  return string_view::npos;
}

// ---- checks

// Not a word or an identifier: letters with digits, or long and of both cases.
bool RedactCheck::random_looking(Text t, size_t begin, size_t& end) {
  size_t digits = 0, uppers = 0, lowers = 0;
  const string_view v = t.substr(begin, end - begin);
  for (char c : v) (is_digit(c) ? digits : upper(c) ? uppers : lowers) += alnum(c) ? 1u : 0u;
  return (digits > 0 && uppers + lowers > 0) || (v.size() >= 14 && uppers > 1 && lowers > 1);
}
bool RedactCheck::password_like(Text t, size_t begin, size_t& end) {
  return !placeholder(t, begin, end);
}
bool RedactCheck::token_like(Text t, size_t begin, size_t& end) {
  if (placeholder(t, begin, end) || !random_looking(t, begin, end)) return false;
  // `TokenName2`, `Ed25519.Key`, `P11_KIT`: names of code. A token changes more often between upper
  // and lower case and digits.
  size_t changes = 0, digits = 0, lowers = 0;
  for (size_t i = begin; i < end; ++i) {
    digits += is_digit(t[i]) ? 1u : 0u;
    lowers += letter(t[i]) && !upper(t[i]) ? 1u : 0u;
    if (i > begin)
      changes += is_digit(t[i]) != is_digit(t[i - 1]) || upper(t[i]) != upper(t[i - 1]) ? 1u : 0u;
  }
  const string_view v = t.substr(begin, end - begin);
  if (lowers == 0 && has(v, "_")) return false;
  if (digits > 0) return changes >= 4;
  return (changes * 5 >= v.size() * 2 || is_unpronounceable(v)) && !has(v, ".");
}
bool RedactCheck::header_value(Text t, size_t begin, size_t& end) {
  const string_view v = t.substr(begin, end - begin);
  return random_looking(t, begin, end) && no_filler(t, begin, end) && at(t, end) != '(' &&
         (std::any_of(v.begin(), v.end(), is_digit) || token_like(t, begin, end) ||
          user_in_base64(t, begin, end));
}
bool RedactCheck::luhn(Text t, size_t begin, size_t& end) {
  if (is_digit(at(t, begin - 1)) || is_digit(at(t, end)) || is_in_uuid(t, begin)) return false;
  if (at(t, begin - 1) == '.' && is_digit(at(t, begin - 2))) return false;  // a fraction
  if (at(t, end) == '.' && is_digit(at(t, end + 1))) return false;
  // A group of four more on both sides: a table.
  bool left = at(t, begin - 1) <= ' ' && !alnum(at(t, begin - 6));
  bool right = at(t, end) <= ' ' && !alnum(at(t, end + 5));
  for (size_t k = 1; k <= 4; ++k) {
    left = left && hex(at(t, begin - 1 - k));
    right = right && hex(at(t, end + k));
  }
  if (left && right) return false;
  int sum = 0, place = 0;
  for (size_t i = end; i-- > begin;) {
    if (!is_digit(t[i])) continue;
    const int twice = (t[i] - '0') * 2;
    sum += place++ % 2 == 0 ? t[i] - '0' : twice > 9 ? twice - 9 : twice;
  }
  return sum % 10 == 0 && !alnum(at(t, end));
}
bool RedactCheck::iban(Text t, size_t begin, size_t& end) {
  static constexpr string_view kLengths =
      "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BR29BY28CH21CR22CY28CZ24DE22DK18DO28EE20EG29ES24FI18"
      "FO18FR27GB22GE22GI23GL18GR27GT28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20"
      "LU20LV21LY25MC27MD24ME22MK19MR27MT31MU30NL18NO15PK24PL28PS29PT25QA29RO24RS22SA24SC31SE24"
      "SI19SK24SM27ST25SV28TL23TN24TR26UA29VA22VG24XK20";
  size_t k = 0;
  while (k < kLengths.size() && kLengths.substr(k, 2) != t.substr(begin, 2)) k += 4;
  if (k >= kLengths.size()) return false;
  const size_t length = static_cast<size_t>((kLengths[k + 2] - '0') * 10 + kLengths[k + 3] - '0');
  std::string chars;
  size_t i = begin;
  for (; i < end && chars.size() < length; ++i)
    if (t[i] != ' ') chars += t[i];
  if (chars.size() < length || alnum(at(t, i))) return false;
  end = i;
  std::rotate(chars.begin(), chars.begin() + 4, chars.end());
  int rest = 0;
  for (char c : chars) rest = (is_digit(c) ? rest * 10 + c - '0' : rest * 100 + c - 'A' + 10) % 97;
  return rest == 1;
}
bool RedactCheck::ssn(Text t, size_t begin, size_t& end) {
  if (is_digit(at(t, begin - 1)) || (at(t, begin - 1) == '-' && is_digit(at(t, begin - 2))))
    return false;
  if (is_digit(at(t, end)) || (at(t, end) == '-' && is_digit(at(t, end + 1)))) return false;
  return t.substr(begin, 3) != "000" && t[begin] != '9' && t.substr(begin + 4, 2) != "00";
}
// Keeps at most the 15 digits a number may have: what follows a number is often another number.
bool RedactCheck::phone(Text t, size_t begin, size_t& end) {
  size_t digits = 0, separators = 0, group_end = begin, kept = 0;
  for (size_t i = begin; i < end && digits < 16; ++i) {
    digits += is_digit(t[i]) ? 1u : 0u;
    separators += i > begin && !is_digit(t[i]) ? 1u : 0u;
    if (is_digit(t[i]) && !is_digit(at(t, i + 1)) && digits <= 15) group_end = i + 1, kept = digits;
  }
  const char left = at(t, begin - 1);
  if (kept < 7 || is_digit(left) || is_digit(at(t, group_end))) return false;
  end = group_end;
  if (separators > 0) return kept >= 8 || t[begin] != '+';
  if (alnum(left)) return false;
  // Of a difference, a line that begins with a number and came; else 8 digits are a number.
  const bool is_line = t[begin] == '+' && (left == '\0' || left == '\n');
  return kept >= 10 || (kept >= 8 && t[begin] == '+' && !is_line);
}
// What else has groups of digits: versions, dates, dumps, columns of numbers. None of them is
// adjacent to a number that is not one of them.
bool RedactCheck::phone_at_home(Text t, size_t begin, size_t& end) {
  const char left = at(t, begin - 1), right = at(t, end);
  for (char c : {left, right})
    if (alnum(c) || c == '_' || c == '-' || c == '/') return false;
  if (left == '.' || left == '+' || (right == '.' && alnum(at(t, end + 1)))) return false;
  size_t before = begin, behind = end;
  while (at(t, before - 1) == ' ' || at(t, before - 1) == '\t') --before;
  while (at(t, behind) == ' ' || at(t, behind) == '\t') ++behind;
  auto ends_number = [&](size_t p) { return hex(at(t, p - 1)) && hex(at(t, p - 2)); };
  auto begins_number = [&](size_t p) {
    return is_digit(at(t, p)) || (hex(at(t, p)) && hex(at(t, p + 1)) && !alnum(at(t, p + 2)));
  };
  if (before < begin &&
      (is_digit(at(t, before - 1)) || (ends_number(before) && !alnum(at(t, before - 3)))))
    return false;
  return !(behind > end && begins_number(behind));
}
// Each of the last two digits is a weighted sum of those before it. All digits alike would pass.
bool RedactCheck::taxpayer(Text t, size_t begin, size_t& end) {
  if (is_digit(at(t, begin - 1)) || is_digit(at(t, end))) return false;
  std::string digits;
  for (size_t i = begin; i < end; ++i)
    if (is_digit(t[i])) digits += t[i];
  if (std::all_of(digits.begin(), digits.end(), [&](char c) { return c == digits[0]; }))
    return false;
  const size_t most = digits.size() == 11 ? 11 : 9;  // a person's weights do not start over
  for (size_t n = digits.size() - 2; n < digits.size(); ++n) {
    size_t sum = 0, weight = 2;
    for (size_t i = n; i-- > 0; weight = weight == most ? 2 : weight + 1)
      sum += static_cast<size_t>(digits[i] - '0') * weight;
    const size_t rest = sum % 11;
    if (static_cast<size_t>(digits[n] - '0') != (rest < 2 ? 0 : 11 - rest)) return false;
  }
  return true;
}
bool RedactCheck::phone_after_word(Text t, size_t begin, size_t& end) {
  size_t last = begin;
  while (last > 0 && begin - last < 12 && !letter(t[last - 1])) --last;
  const size_t first = back(t, last, 12, letter);
  const string_view word = t.substr(first, last - first);
  const string_view tail = word.substr(word.size() - std::min<size_t>(word.size(), 4));
  const bool is_part = tail.size() == 4 && upper(tail[0]) == upper(tail[1]) &&
                       (has("TELtelTel", tail.substr(1)) || has("FAXfaxFax", tail.substr(1)));
  return !is_part && phone(t, begin, end);
}
bool RedactCheck::ipv4(Text t, size_t begin, size_t& end) {
  const char left = at(t, begin - 1), right = at(t, end);
  if (is_digit(left) || (left == '.' && is_digit(at(t, begin - 2)))) return false;
  if (is_digit(right) || (right == '.' && is_digit(at(t, end + 1))))
    return false;  // an OID, a version
  if ((left == 'v' || left == 'V') && !letter(at(t, begin - 2))) return false;
  std::array<int, 4> part{};
  size_t n = 0;
  for (size_t i = begin; i < end; ++i)
    t[i] == '.' ? ++n : size_t(part[n] = part[n] * 10 + t[i] - '0');
  if (part[0] == 0 || (part[0] == 127 && part[1] == 0) || part[0] == 255 ||
      (part[2] == 0 && part[3] == 0))
    return false;
  const string_view before = t.substr(begin > 14 ? begin - 14 : 0, std::min<size_t>(begin, 14));
  if (has(before, "ersion") || has(before, " ver")) return false;
  // 1.2.3.4 is a version or a section unless something says address; 1.3.* are object identifiers.
  const int most = std::max({part[0], part[1], part[2], part[3]});
  const bool oid = part[0] < 3 && part[1] < 40 && most >= 100 && part[0] * part[1] == 3;
  if ((part[0] >= 10 && most >= 32) || (most >= 100 && !oid && right != '-')) return true;
  return has(before, "ip") || has(before, "IP") || has(before, "addr") || has(before, "host") ||
         has(before, "://") || (right == ':' && is_digit(at(t, end + 1)));
}
bool RedactCheck::ipv6(Text t, size_t begin, size_t& end) {
  const string_view v = t.substr(begin, end - begin);
  if (at(t, end) == ':' || hex(at(t, end))) return false;
  if (!has(v, "::")) return true;
  return !alnum(at(t, begin - 1)) && !alnum(at(t, end)) && at(t, end) != '_';
}
bool RedactCheck::mac(Text t, size_t begin, size_t& end) {
  const char sep = t[begin + 2];
  if (is_digit(at(t, begin - 1)) || hex(at(t, end))) return false;
  // A longer fingerprint goes on with another pair; `user:` before an address is none.
  if (at(t, end) == sep && hex(at(t, end + 1)) && hex(at(t, end + 2))) return false;
  if (at(t, begin - 1) == sep && hex(at(t, begin - 2)) && hex(at(t, begin - 3)) &&
      !alnum(at(t, begin - 4)))
    return false;
  return sep == ':' || (!alnum(at(t, begin - 1)) && !alnum(at(t, end)) &&
                        std::any_of(t.begin() + begin, t.begin() + end, letter));
}
bool RedactCheck::email(Text t, size_t begin, size_t& end) {
  const size_t sign = t.find('@', begin);
  const size_t first = back(t, sign, 64, local_part);
  const string_view local = t.substr(first, sign - first);
  if (local == "git" || (is_digit(at(t, sign + 1)) && is_digit(at(t, t.find('.', sign) + 1))))
    return false;
  const string_view tld = t.substr(t.rfind('.', end - 1) + 1, end - t.rfind('.', end - 1) - 1);
  static constexpr std::array<string_view, 20> kFiles = {
      "png", "jpg", "jpeg", "gif", "svg", "webp", "js",      "ts",     "py",     "css",
      "mjs", "tsx", "json", "md",  "txt", "so",   "service", "socket", "target", "timer"};
  if (std::find(kFiles.begin(), kFiles.end(), tld) != kFiles.end()) return false;
  // `scheme://user:password@host` is another rule's, and its host may stay.
  bool colon = false;
  for (size_t i = sign; i-- > 0 && sign - i < 300;) {
    if (t[i] == '/') return !(colon && at(t, i - 1) == '/' && at(t, i - 2) == ':');
    if (string_view(" \t\r\n\"'<>?#").find(t[i]) != string_view::npos) return true;
    colon = colon || t[i] == ':';
  }
  return true;
}
bool RedactCheck::home(Text t, size_t begin, size_t& end) {
  constexpr size_t kLongestName = 64;
  end = std::min(end, begin + kLongestName);
  while (end > begin && has(".!`", t.substr(end - 1, 1))) --end;
  const string_view name = t.substr(begin, end - begin);
  if (name.empty() || name == "Shared" || name == "Public" || name == "Default") return false;
  if (name[0] == '%' || name[0] == '~') return false;
  if (name[0] == '.') return false;  // `.claude` is in a home, whose folder has that name itself
  if (name == "site" && has(t.substr(0, begin), "\\home\\")) return false;  // of Azure's web apps
  // `https://example.com/home/news` is a page.
  size_t i = begin < 6 ? 0 : begin - 6;
  while (i > 0 && begin - i < 200 && (alnum(t[i - 1]) || has(".-:", t.substr(i - 1, 1)))) --i;
  return !(i > 2 && t.substr(i - 2, 2) == "//" && at(t, i - 3) != '/' &&
           has(t.substr(i > 9 ? i - 9 : 0, 9), "http"));
}
bool RedactCheck::user_part(Text t, size_t begin, size_t& end) {
  return end - begin >= 16 || has(t.substr(begin, end - begin), ":");
}

}  // namespace xtrace
