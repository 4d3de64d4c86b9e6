#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "redact/bytes.h"
#include "redact/redact_rules.h"
#include "redact/secret_kinds.h"
#include "redact/secret_places.h"

namespace xtrace {
namespace {

using bytes::alnum, bytes::at, bytes::has, bytes::letter, bytes::upper;
using std::string_view;

std::string in_lower_case(string_view v) {
  std::string lower(v);
  for (char& c : lower) c = static_cast<char>(upper(c) ? c | 0x20 : c);
  return lower;
}

/// How many characters of each class a text has.
struct Mix {
  explicit Mix(string_view v) {
    for (char c : v)
      ++(is_digit(c) ? digits : upper(c) ? uppers : letter(c) ? lowers : c == '_' ? bars : signs);
  }
  size_t letters() const { return uppers + lowers; }
  size_t digits = 0, uppers = 0, lowers = 0, bars = 0, signs = 0;
};

// Words of documentation and one character again and again fill what a reader has to replace.
bool is_filler(string_view v) {
  constexpr size_t kRun = 6;
  size_t run = 0;
  for (size_t i = 0; i < v.size(); ++i) {
    run = i > 0 && v[i] == v[i - 1] ? run + 1 : 1;
    if (run == kRun && has("xX*.0-_#", v.substr(i, 1))) return true;
  }
  static constexpr std::array<string_view, 14> kWords = {
      "example", "placeholder", "redacted", "your-",   "your_",   "my-secret", "my_secret",
      "_here",   "-here",       "changeme", "insert_", "replace", "dummy",     "process.env"};
  const std::string lower = in_lower_case(v);
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](string_view word) { return has(lower, word); });
}

// Names of algorithms, types and units have digits as well.
bool is_technical(string_view v) {
  static constexpr std::array<string_view, 27> kBegins = {
      "sha1",   "sha2",  "sha3",   "sha5",   "sha-", "md5",    "pbkdf", "argon", "bcrypt",
      "scrypt", "oauth", "base64", "base32", "utf",  "aes",    "rsa",   "ed25",  "ecdsa",
      "int",    "uint",  "bytes",  "float",  "http", "string", "x509",  "char",  "varchar"};
  const std::string lower = in_lower_case(v);
  if (std::any_of(kBegins.begin(), kBegins.end(),
                  [&](string_view begin) { return lower.starts_with(begin); }))
    return true;
  for (string_view part : {"int8", "int16", "int32", "int64", "sha-2", "sha-5"})
    if (has(lower, part)) return true;
  const size_t unit = lower.find_first_not_of("0123456789-+");
  static constexpr std::array<string_view, 10> kUnits = {"char", "byte", "bit", "digit", "letter",
                                                         "sec",  "min",  "day", "time",  "symbol"};
  return unit > 0 && unit != std::string::npos &&
         std::any_of(kUnits.begin(), kUnits.end(), [&](string_view one) {
           return string_view(lower).substr(unit).starts_with(one);
         });
}

// Of a sentence or a line of code, not of the password.
void trim_end(string_view t, size_t begin, size_t& end) {
  // `Password=…;Encrypt=True`
  const size_t next = t.find(';', begin);
  if (next < end) {
    size_t key = next + 1;
    while (key < t.size() && (letter(t[key]) || t[key] == ' ')) ++key;
    if (key > next + 1 && at(t, key) == '=') end = next;
  }
  while (end > begin && has(".,;:!?)]}*&", t.substr(end - 1, 1))) --end;
}

/// Bytes of a key in base64 may have slashes and end with `=`.
bool is_base64_key(string_view v) {
  constexpr size_t kShortest = 24;  // of 16 bytes
  const string_view digits = v.substr(0, v.find_last_not_of('=') + 1);
  const bool is_whole = v.size() % 4 == 0 && v.size() - digits.size() < 3;
  const auto is_digit64 = [](char c) { return alnum(c) || c == '+' || c == '/'; };
  size_t end = digits.size();
  return v.size() >= kShortest && is_whole && std::ranges::all_of(digits, is_digit64) &&
         !has(digits, "//") && RedactCheck::token_like(digits, 0, end);
}

bool is_code(string_view t, size_t begin, size_t end) {
  const string_view v = t.substr(begin, end - begin);
  if (is_base64_key(v)) return false;
  if (v.find_first_of("()[]{}<>") != string_view::npos || has("$%/.-~@:=^+", v.substr(0, 1)))
    return true;
  if (at(t, end) == '(' || at(t, end) == '[' || has(v, "::") || has(v, "->") || has(v, "://"))
    return true;
  if (std::count(v.begin(), v.end(), '/') > 1 || has(v, "..") || has(v, "=")) return true;
  const Mix mix(v);
  if (mix.bars > 0 && mix.lowers == 0) return true;  // `NAME_SIZE+1`
  const bool is_name = mix.signs == static_cast<size_t>(std::count(v.begin(), v.end(), '.'));
  size_t whole = end;
  // `req.body.pwd2`, `old_password_2`
  return is_name && (mix.signs + mix.bars > 0) && !RedactCheck::token_like(t, begin, whole);
}

/// Does the key before a value say that it is no secret, but what one is called or where it is?
bool names_it(string_view t, size_t begin) {
  constexpr size_t kFar = 40;
  size_t last = begin;
  while (last > 0 && begin - last < kFar && !alnum(t[last - 1])) --last;
  size_t first = last;
  while (first > 0 && last - first < kFar && alnum(t[first - 1])) --first;
  const std::string key = in_lower_case(t.substr(first, last - first));
  static constexpr std::array<string_view, 20> kEnds = {
      "name", "names", "id",    "ids",  "ref",     "path",   "file",  "type",     "url", "uri",
      "kind", "count", "limit", "mode", "backend", "engine", "class", "endpoint", "arn", "version"};
  return std::ranges::any_of(kEnds, [&](string_view one) { return key.ends_with(one); });
}

/// Four words of three letters or more that `-` joins, one with a digit: as people are advised to
/// choose a password.
bool is_phrase(string_view v) {
  constexpr size_t kWords = 4, kShortest = 3;
  size_t words = 0, letters = 0;
  for (size_t i = 0; i <= v.size(); ++i) {
    if (i < v.size() && letter(v[i])) {
      ++letters;
      continue;
    }
    if (i < v.size() && v[i] != '-' && !is_digit(v[i])) return false;
    words += letters >= kShortest;
    letters = 0;
  }
  return words >= kWords;
}

constexpr size_t kLongestKey = 88;  // bytes of 512 bits in base64

/// What of base64 is around a place, as far as a key reaches.
std::pair<size_t, size_t> run_around(string_view t, size_t place) {
  const auto is_inside = [&](size_t p) {
    return alnum(at(t, p)) || (at(t, p) != '\0' && has("+/_-", t.substr(p, 1)));
  };
  size_t begin = place, end = place;
  while (begin > 0 && place - begin <= kLongestKey && is_inside(begin - 1)) --begin;
  while (end - place <= kLongestKey && is_inside(end)) ++end;
  return {begin, end};
}

}  // namespace

bool RedactCheck::no_filler(Text t, size_t begin, size_t& end) {
  return !is_filler(t.substr(begin, end - begin));
}
bool RedactCheck::mixed_key(Text t, size_t begin, size_t& end) {
  const Mix mix(t.substr(begin, end - begin));
  return mix.digits > 0 && mix.letters() > 0 && no_filler(t, begin, end);
}
bool RedactCheck::random_key(Text t, size_t begin, size_t& end) {
  return no_filler(t, begin, end) && random_looking(t, begin, end);
}
bool RedactCheck::key_alone(Text t, size_t begin, size_t& end) {
  const auto [first, last] = run_around(t, begin);
  return last - first <= kLongestKey && random_key(t, begin, end);
}
bool RedactCheck::token_key(Text t, size_t begin, size_t& end) {
  return no_filler(t, begin, end) && token_like(t, begin, end);
}
bool RedactCheck::argument(Text t, size_t begin, size_t& end) {
  const string_view v = t.substr(begin, end - begin);
  if (is_base64_key(v)) return no_filler(t, begin, end);
  const Mix mix(v);
  if (mix.letters() + mix.digits < 3 || v.size() == mix.digits || is_technical(v)) return false;
  if (has("$%/.-~@[{<", v.substr(0, 1)) || has(v, "://")) return false;
  // `NAME=value`
  const size_t equals = v.find('=');
  if (equals != string_view::npos &&
      (std::all_of(v.begin(), v.begin() + static_cast<ptrdiff_t>(equals),
                   [](char c) { return alnum(c) || c == '_' || c == '-' || c == '.'; }) ||
       !token_like(t, begin, end)))
    return false;
  if (is_filler(v) || !password_like(t, begin, end)) return false;
  // A word in lower case is a command, a database, a word of the manual.
  return mix.digits + mix.signs > 0 || (mix.uppers > 1 && mix.lowers > 0);
}
bool RedactCheck::spoken(Text t, size_t begin, size_t& end) {
  trim_end(t, begin, end);
  const string_view v = t.substr(begin, end - begin);
  const Mix mix(v);
  if (v.size() < 6 || mix.letters() < 2 || is_code(t, begin, end)) return false;
  if (is_filler(v) || is_technical(v) || !password_like(t, begin, end)) return false;
  const size_t sign = v.find_first_of("!@#$%^&*+~?");
  return mix.digits > 0 ||
         (sign != string_view::npos && sign > 0 && sign + 1 < v.size() && !has(v, "."));
}
bool RedactCheck::spoken_word(Text t, size_t begin, size_t& end) {
  return spoken(t, begin, end) && secret_value(t, begin, end);
}
bool RedactCheck::chosen(Text t, size_t begin, size_t& end) {
  if (!spoken(t, begin, end) || !no_name(t, begin, end)) return false;
  const Mix mix(t.substr(begin, end - begin));
  return mix.digits > 1 || (mix.digits + mix.signs > 0 && mix.bars == 0 && mix.uppers > 0) ||
         token_like(t, begin, end);
}
bool RedactCheck::spoken_secret(Text t, size_t begin, size_t& end) {
  const size_t line = begin == 0 ? 0 : t.rfind('\n', begin - 1) + 1;  // npos + 1 is 0
  const std::string command = in_lower_case(t.substr(line, begin - line));
  static constexpr std::array<string_view, 8> kSays = {"pass",  "pw",    "secret", "token",
                                                       "crypt", "login", "key",    "sudo -s"};
  return std::ranges::any_of(kSays, [&](string_view one) { return has(command, one); }) &&
         spoken(t, begin, end);
}
bool RedactCheck::no_name(Text t, size_t begin, size_t& end) {
  const string_view v = t.substr(begin, end - begin);
  if (is_filler(v) || is_technical(v)) return false;
  const std::string lower = in_lower_case(v);
  static constexpr std::array<string_view, 6> kWords = {"secret", "token", "passw",
                                                        "_key",   "key_",  "-key"};
  const bool is_named =
      std::ranges::any_of(kWords, [&](string_view one) { return has(lower, one); });
  return !is_named || Mix(v).digits * 4 > v.size();
}
bool RedactCheck::invented(Text t, size_t begin, size_t& end) {
  return spoken(t, begin, end) || (Mix(t.substr(begin, end - begin)).digits > 0 &&
                                   token_like(t, begin, end) && stated(t, begin, end));
}
bool RedactCheck::manifest_value(Text t, size_t begin, size_t& end) {
  return base64_key(t, begin, end) || stated(t, begin, end);
}
bool RedactCheck::path_key(Text t, size_t begin, size_t& end) {
  // A digest, a page and a file have other forms, and a path below a folder is no address.
  constexpr size_t kFar = 256;
  size_t first = begin;
  while (first > 0 && begin - first<kFar&& static_cast<uint8_t>(t[first - 1])> ' ') --first;
  if (!has(t.substr(first, begin - first), "://")) return false;
  const string_view v = t.substr(begin, end - begin);
  const string_view last = v.substr(v.rfind('/') == string_view::npos ? 0 : v.rfind('/') + 1);
  const Mix mix(v);
  const bool is_number = mix.digits * 3 >= v.size() && mix.letters() > 1 && !has(v, "-");
  return (token_like(t, begin, end) || is_number) && no_name(t, begin, end) && mix.digits > 1 &&
         !has(last, ".") && at(t, end) != '.';
}
bool RedactCheck::words(Text t, size_t begin, size_t& end) {
  const string_view v = t.substr(begin, end - begin);
  static constexpr std::array<string_view, 10> kInfrastructure = {
      "secret", "token", "key", "cred", "auth", "pass", "service", "config", "test", "user"};
  return is_phrase(v) && !is_filler(v) &&
         std::ranges::none_of(kInfrastructure, [&](string_view one) { return has(v, one); });
}
bool RedactCheck::stated(Text t, size_t begin, size_t& end) {
  const string_view v = t.substr(begin, end - begin);
  const Mix mix(v);
  if (v.size() < 6 || mix.letters() < 2 || has(v, " ") || is_filler(v) || is_technical(v))
    return false;
  if (!password_like(t, begin, end) || has("$%/.~-", v.substr(0, 1))) return false;
  if (v.find_first_of("()<>{}\n") != string_view::npos || has(v, "://") || has(v, "::"))
    return false;
  if (mix.bars > 0 && (mix.lowers == 0 || mix.signs == 0) && !token_like(t, begin, end))
    return false;
  if (mix.digits > 0) return true;
  const size_t sign = v.find_first_of("!@#$%^&*+~?");
  return (sign != string_view::npos && sign > 0 && !has(v, ".")) || words(t, begin, end) ||
         token_like(t, begin, end);
}
bool RedactCheck::strong(Text t, size_t begin, size_t& end) {
  const string_view v = t.substr(begin, end - begin);
  const Mix mix(v);
  if (v.size() < 8 || mix.digits == 0 || mix.letters() < 4 || names_it(t, begin)) return false;
  if (is_code(t, begin, end) || is_filler(v) || is_technical(v) || !password_like(t, begin, end))
    return false;
  const size_t sign = v.find_first_of("!#?^*");
  if (sign != string_view::npos && sign > 0) return v.size() > mix.signs + 6;
  return is_phrase(v);
}
bool RedactCheck::secret_value(Text t, size_t begin, size_t& end) {
  return token_like(t, begin, end) || strong(t, begin, end);
}
bool RedactCheck::base64_key(Text t, size_t begin, size_t& end) {
  return is_base64_key(t.substr(begin, end - begin)) && no_filler(t, begin, end);
}
bool RedactCheck::quoted_words(Text t, size_t begin, size_t& end) {
  for (size_t at = begin; at < end;) {
    const size_t stop = std::min(t.find(' ', at), end);
    if (is_code(t, at, stop)) return false;
    at = stop + 1;
  }
  const string_view v = t.substr(begin, end - begin);
  for (size_t i = 1; i + 1 < v.size(); ++i)  // `w0rd`, `p@ss`
    if ((is_digit(v[i]) || has("@$!#&", v.substr(i, 1))) && letter(v[i - 1]) && letter(v[i + 1]))
      return !is_filler(v) && !is_technical(v);
  return false;
}
bool RedactCheck::plain_word(Text t, size_t begin, size_t& end) {
  const string_view v = t.substr(begin, end - begin);
  const std::string lower = in_lower_case(v);
  const auto follows = t.substr(end, 3);
  // The next word belongs to it: `the password is stored as …`.
  const size_t word = follows.find_first_not_of("\"'`*\\ ");
  if (follows.starts_with(' ') && word != string_view::npos && letter(follows[word])) return false;
  static constexpr std::array<string_view, 24> kEnds = {
      "ed", "ing", "ly",  "able", "ible", "ent", "ant", "ous", "ful", "less", "ive", "ic",
      "al", "ary", "ory", "ion",  "ment", "ers", "ors", "ism", "ity", "ness", "ted", "ate"};
  static constexpr std::array<string_view, 64> kWords = {
      "correct",  "incorrect", "invalid",   "string",    "secret",   "secure",   "insecure",
      "unknown",  "broken",    "hidden",    "stolen",    "written",  "chosen",   "forgotten",
      "given",    "taken",     "always",    "never",     "either",   "neither",  "before",
      "after",    "again",     "there",     "longer",    "shorter",  "stronger", "weaker",
      "simple",   "complex",   "public",    "private",   "field",    "prompt",   "policy",
      "manager",  "itself",    "instead",   "already",   "anyway",   "option",   "parameter",
      "argument", "variable",  "value",     "database",  "server",   "account",  "though",
      "because",  "wherever",  "whatever",  "something", "anything", "nothing",  "safe",
      "obsolete", "unique",    "mandatory", "strength",  "length",   "please",   "buffer",
      "callback"};
  const auto ends = [&](string_view one) { return lower.ends_with(one); };
  const auto is_it = [&](string_view one) { return lower == one; };
  return !is_filler(v) && password_like(t, begin, end) && std::ranges::none_of(kEnds, ends) &&
         std::ranges::none_of(kWords, is_it);
}
bool RedactCheck::user_and_password(Text t, size_t begin, size_t& end) {
  const string_view v = t.substr(begin, end - begin);
  const size_t colon = v.find(':');
  size_t stop = end;
  constexpr size_t kShortest = 6;
  return colon != string_view::npos && v.size() - colon > kShortest && !has(v, "(") &&
         v.substr(0, colon) != v.substr(colon + 1) && argument(t, begin + colon + 1, stop);
}
bool RedactCheck::user_in_base64(Text t, size_t begin, size_t& end) {
  const std::string plain = base64_bytes(t.substr(begin, end - begin));
  return has(plain, ":") &&
         std::all_of(plain.begin(), plain.end(), [](char c) { return c >= ' ' && c < '\x7f'; });
}

size_t RedactAnchor::run_start(Text t, size_t hit) {
  const auto [begin, end] = run_around(t, hit);
  return end - begin <= kLongestKey ? begin : string_view::npos;
}
size_t RedactAnchor::discord_start(Text t, size_t hit) {
  const size_t dot = t.substr(hit, 32).find('.');
  return dot >= 23 && dot != string_view::npos && at(t, hit + dot + 7) == '.' ? hit
                                                                              : string_view::npos;
}
size_t RedactAnchor::quoted_name(Text t, size_t hit) {
  size_t i = hit;
  while (i < hit + 48 && (alnum(at(t, i)) || at(t, i) == '_' || at(t, i) == '-' || at(t, i) == '.'))
    ++i;
  while (i < hit + 48 && (at(t, i) == '"' || at(t, i) == '\'' || at(t, i) == '\\')) ++i;
  return at(t, i) == ' ' || at(t, i) == '\t' || at(t, i) == '\n' || at(t, i) == '\r'
             ? hit
             : string_view::npos;
}
size_t RedactAnchor::own_word(Text t, size_t hit) {
  const char left = at(t, hit - 1);
  if (hit == 0 || !letter(left)) return hit == 0 ? 0 : hit - 1;
  const bool is_escape =
      hit > 1 && (left == 'n' || left == 'r' || left == 't') && t[hit - 2] == '\\';
  return is_escape ? hit - 2 : string_view::npos;
}
size_t RedactAnchor::user_start(Text t, size_t hit) {
  constexpr size_t kLongest = 64;
  const auto part_start = [&](size_t end) {
    size_t begin = end;
    while (begin > 0 && end - begin < kLongest &&
           !has(" \t\r\n:/@\"'`(=<>\\", t.substr(begin - 1, 1)))
      --begin;
    return begin;
  };
  const size_t password = part_start(hit);
  const char sign = at(t, password - 1);
  return password > 1 && (sign == ':' || sign == '/') ? part_start(password - 1)
                                                      : string_view::npos;
}
size_t RedactAnchor::url_start(Text t, size_t hit) {
  for (string_view scheme : {string_view("https://"), string_view("http://")})
    if (t.substr(0, hit).ends_with(scheme)) return hit - scheme.size();
  return hit;
}

namespace {

/// `\x1b[1m`, with which a terminal begins what is bold
bool ends_color(string_view t, size_t p) {
  if (at(t, p - 1) != 'm') return false;
  size_t begin = p - 1;
  while (begin > 0 && p - begin < 12 && (is_digit(t[begin - 1]) || t[begin - 1] == ';')) --begin;
  return at(t, begin - 1) == '[';
}

}  // namespace

bool passes(const RedactRule& rule, string_view t, size_t begin, size_t& end) {
  if (rule.check && !rule.check(t, begin, end)) return false;
  if (!rule.is_bounded) return true;
  // `\n` in a text that is escaped ends a line as well.
  // A digest in base64url may have a short beginning inside.
  const auto joins = [](char c) { return alnum(c) || c == '_' || c == '-'; };
  const char left = at(t, begin - 1);
  const bool is_escape =
      ((left == 'n' || left == 'r' || left == 't') && at(t, begin - 2) == '\\') ||
      ends_color(t, begin);
  return (!joins(left) || is_escape) && !joins(at(t, end));
}

std::span<const RedactRule> redact_rules() {
  static const std::vector<RedactRule> kAll = [] {
    std::vector<RedactRule> all(std::begin(kKeyRules), std::end(kKeyRules));
    for (const SecretKind& kind : secret_kinds()) all.push_back(rule_of(kind));
    const auto personal =
        std::find_if(std::begin(kRedactRules), std::end(kRedactRules),
                     [](const RedactRule& rule) { return rule.kind == Sensitive::personal; });
    all.insert(all.end(), std::begin(kRedactRules), personal);
    static const std::vector<std::string> kCommands = [] {
      std::vector<std::string> patterns;
      for (const CommandSecret& one : kCommandSecrets) patterns.push_back(pattern_of(one));
      return patterns;
    }();
    for (size_t i = 0; i < kCommands.size(); ++i)
      all.push_back({"command_password", Sensitive::secret, kCommandSecrets[i].triggers,
                     kCommands[i], 1, kCommandSecrets[i].check});
    all.insert(all.end(), std::begin(kPlaceRules), std::end(kPlaceRules));
    all.insert(all.end(), personal, std::end(kRedactRules));
    return all;
  }();
  return kAll;
}

}  // namespace xtrace
