#include <algorithm>
#include <array>
#include <span>

#include "redact/assigned.h"
#include "redact/bytes.h"
#include "redact/redact_rules.h"

namespace xtrace {
namespace {

using bytes::alnum, bytes::at, bytes::has, bytes::is_in, bytes::letter, bytes::upper;
using std::string_view;

char lower_of(char c) {
  return static_cast<char>(upper(c) ? c | 0x20 : c);
}
bool is_at(string_view t, size_t p, string_view word) {
  if (p > t.size() || t.size() - p < word.size()) return false;
  return std::equal(word.begin(), word.end(), t.begin() + static_cast<ptrdiff_t>(p),
                    [](char w, char c) { return w == lower_of(c); });
}
bool is_before(string_view t, size_t p, string_view word) {
  return p >= word.size() && is_at(t, p - word.size(), word);
}

/// Does a word begin here, also within `dbPassword` and behind an escaped line break?
bool begins_word(string_view t, size_t p) {
  const char left = at(t, p - 1);
  if (p == 0 || !letter(left)) return true;
  if (upper(t[p]) && !upper(left)) return true;
  return (left == 'n' || left == 'r' || left == 't') && at(t, p - 2) == '\\';
}

struct Word {
  string_view text;
  bool is_own = false;  ///< in a longer word it is something else: `bypass`
};
// Longer ones first, those of other scripts last: Polish, Swedish, Turkish, Hungarian, Romanian,
// Russian, Chinese, Japanese and Korean.
constexpr std::array<Word, 38> kPasswords = {
    {{"assword", true},
     {"passwords"},
     {"password"},
     {"passwort"},
     {"passwrod"},
     {"passwd"},
     {"passphrase"},
     {"passcode"},
     {"passord"},
     {"passe", true},
     {"pass", true},
     {"pwd", true},
     {"pw", true},
     {"psk", true},
     {"kennwort"},
     {"wachtwoord"},
     {"senha", true},
     {"contrase\xC3\xB1"
      "a"},
     {"contrasena"},
     {"mdp", true},
     {"clave", true},
     {"has\xC5\x82o"},
     {"haslo", true},
     {"l\xC3\xB6senord"},
     {"losenord"},
     {"\xC5\x9Fifre"},
     {"sifre", true},
     {"salasana"},
     {"heslo", true},
     {"adgangskode"},
     {"jelsz\xC3\xB3"},
     {"parol\xC4\x83"},
     {"\xD0\xBF\xD0\xB0\xD1\x80\xD0\xBE\xD0\xBB\xD1\x8C"},
     {"\xD0\x9F\xD0\xB0\xD1\x80\xD0\xBE\xD0\xBB\xD1\x8C"},
     {"\xE5\xAF\x86\xE7\xA0\x81"},
     {"\xE5\xAF\x86\xE7\xA2\xBC"},
     {"\xE3\x83\x91\xE3\x82\xB9\xE3\x83\xAF\xE3\x83\xBC\xE3\x83\x89"},
     {"\xEB\xB9\x84\xEB\xB0\x80\xEB\xB2\x88\xED\x98\xB8"}}};
constexpr std::array<Word, 10> kKeys = {{{"secrets"},
                                         {"secret"},
                                         {"tokens"},
                                         {"token"},
                                         {"credentials"},
                                         {"credential"},
                                         {"creds", true},
                                         {"key", false},
                                         {"auth", true},
                                         {"jwt", true}}};
// In `dbpass`, `bindpw`, `rootpw` they are words of their own.
constexpr std::array<string_view, 18> kGlued = {"db",   "user",  "root", "admin", "smtp", "ftp",
                                                "bind", "my",    "mail", "store", "key",  "http",
                                                "sql",  "login", "app",  "auth",  "ssh",  "pg"};
// What makes a key secret. A primary key, a sort key and a key of a cache are none.
constexpr std::array<string_view, 38> kQualifiers = {
    "api",      "access",  "private",     "secret",   "encryption", "encrypt",  "signing",
    "sign",     "license", "auth",        "account",  "master",     "storage",  "admin",
    "ssh",      "client",  "service",     "server",   "write",      "deploy",   "root",
    "session",  "jwt",     "hmac",        "webhook",  "personal",   "sdk",      "subscription",
    "unseal",   "app",     "integration", "recovery", "crypto",     "consumer", "shared",
    "function", "ingest",  "wallet"};
// Where one of several is, or how it is written: still the secret itself.
constexpr std::array<string_view, 25> kTails = {
    "value", "text",    "plain", "raw",  "production", "prod",  "staging", "stage",   "default",
    "dev",   "testing", "test",  "live", "main",       "admin", "root",    "current", "new",
    "old",   "base64",  "base",  "user", "data",       "pem",   "hex"};

// Words that end in `pass` and are about none.
constexpr std::array<string_view, 14> kPassing = {"by",    "com",  "tres",  "sur",    "over",
                                                  "under", "sub",  "multi", "single", "render",
                                                  "low",   "high", "band",  "one"};
/// Is the word part of a longer one that means the same, as in `dbpass` and `remotepass`?
bool is_glued(string_view t, size_t p, string_view word) {
  const size_t behind = p + word.size();
  if (word == "pass" && is_in("=:", at(t, behind + (at(t, behind) == ' ' ? 1 : 0))))
    return std::ranges::none_of(kPassing, [&](string_view one) { return is_before(t, p, one); });
  return std::ranges::any_of(kGlued, [&](string_view one) {
    return is_before(t, p, one) && !letter(at(t, p - one.size() - 1));
  });
}

bool is_name_byte(char c) {
  return alnum(c) || c == '_' || c == '-' || c == '.' || c == '$';
}

/// Behind the word at `p` what still belongs to the name; npos if that makes it another one, as in
/// `password_file` and `tokenizer`.
size_t tail_end(string_view t, size_t p) {
  while (true) {
    const char sign = at(t, p);
    const bool is_joint = sign == '_' || sign == '-' || sign == '.';
    const size_t from = p + (is_joint ? 1 : 0);
    size_t digits = 0;
    while (digits < 3 && is_digit(at(t, from + digits))) ++digits;
    if (digits > 0 && !alnum(at(t, from + digits))) {
      p = from + digits;
      continue;
    }
    const auto tail = std::ranges::find_if(kTails, [&](string_view one) {
      return is_joint && is_at(t, from, one) && !letter(at(t, from + one.size()));
    });
    if (tail == kTails.end()) break;
    p = from + tail->size();
  }
  const char next = at(t, p);
  if (alnum(next) || next == '_') return string_view::npos;
  if ((next == '-' || next == '.') && alnum(at(t, p + 1))) return string_view::npos;
  // `Unseal Key 1: …`
  if (next == ' ' && is_digit(at(t, p + 1))) {
    const size_t sign = p + (is_digit(at(t, p + 2)) ? 3 : 2);
    if (at(t, sign) == ':') return sign;
  }
  return p;
}

bool is_qualified_key(string_view t, size_t p) {
  if (p > 0 && (is_in("_- .", at(t, p - 1)))) --p;
  return std::ranges::any_of(kQualifiers, [&](string_view one) {
    return is_before(t, p, one) && begins_word(t, p - one.size());
  });
}

/// A function that reads a secret takes its name, a word before that says how many there are.
bool is_other_name(string_view name) {
  static constexpr std::array<string_view, 22> kVerbs = {
      "get",     "find",   "load",   "read",   "fetch",  "has", "is",  "lookup",
      "require", "remove", "delete", "check",  "max",    "min", "num", "count",
      "total",   "no",     "input",  "output", "prompt", "next"};
  size_t first = 0;
  while (first < name.size() && !alnum(name[first])) ++first;
  return std::ranges::any_of(kVerbs, [&](string_view verb) {
    if (!is_at(name, first, verb)) return false;
    const char next = at(name, first + verb.size());
    return next == '_' || next == '-' || (upper(next) && !upper(at(name, first)));
  });
}

}  // namespace

bool find_name(string_view t, size_t hit, bool is_password, SecretName& name) {
  constexpr size_t kLongest = 64;
  if (is_in("_- ", at(t, hit))) ++hit;  // `_pw`
  if (is_at(t, hit, "ndpw") || is_at(t, hit, "otpw") || is_at(t, hit, "erpw")) hit += 2;
  const auto words = is_password ? std::span<const Word>(kPasswords) : std::span<const Word>(kKeys);
  const auto word =
      std::ranges::find_if(words, [&](const Word& one) { return is_at(t, hit, one.text); });
  if (word == words.end()) return false;
  name.is_password = is_password;
  name.is_key = word->text == "key";
  name.end = tail_end(t, hit + word->text.size());
  if (name.end == string_view::npos) {
    if (word->is_own) return false;
    name.is_loose = true;
    name.end = hit + word->text.size();
    constexpr size_t kLongestTail = 20;
    for (const size_t from = name.end; name.end - from < kLongestTail; ++name.end)
      if (!alnum(at(t, name.end)) && !is_in("_-", at(t, name.end))) break;
  }
  if (word->text == "passe" && !is_before(t, hit, "mot de ") && !is_before(t, hit, "palavra-"))
    return false;
  if (word->text == "assword" && lower_of(at(t, hit - 1)) == 'p') return false;
  if (word->is_own && !begins_word(t, hit) && !is_glued(t, hit, word->text)) return false;
  name.begin = hit;
  while (name.begin > 0 && hit - name.begin < kLongest && is_name_byte(t[name.begin - 1]))
    --name.begin;
  const string_view whole = t.substr(name.begin, name.end - name.begin);
  if (!name.is_loose && is_other_name(whole)) name.is_loose = true;
  bool has_upper = false, has_joint = whole.starts_with('-');
  for (size_t i = 0; i < whole.size(); ++i) {
    has_joint |= whole[i] == '_' || (whole[i] == '.' && i > 0) || whole[i] == '-';
    has_upper |= upper(whole[i]) && i > 0;
  }
  name.is_identifier = has_joint || has_upper;
  const string_view last =
      whole.substr(whole.rfind('.') == string_view::npos ? 0 : whole.rfind('.') + 1);
  name.is_variable = std::ranges::none_of(last, [](char c) { return letter(c) && !upper(c); });
  // `--- PASS: TestOfThis`
  if (name.is_variable && whole == "PASS" && at(t, name.end) == ':') return false;
  if (name.is_key && !is_qualified_key(t, hit)) {  // `MAIL_KEY`
    if (!name.is_variable || at(t, hit - 1) != '_') return false;
    name.is_loose = true;
  }
  return true;
}

bool is_value(string_view t, const SecretName& name, size_t begin, size_t& end, Stated how) {
  if (how != Stated::quoted && how != Stated::assigned_quoted)  // of the sentence
    while (end > begin && is_in(".,;:!?", t[end - 1]) && !name.is_password) --end;
  const string_view v = t.substr(begin, end - begin);
  constexpr size_t kShortest = 6, kShortestToken = 8, kShortestKey = 12, kLongest = 512;
  const bool is_quoted = how == Stated::quoted || how == Stated::assigned_quoted;
  const bool is_assigned = how != Stated::bare && how != Stated::quoted;
  constexpr size_t kShortestQuoted = 4;
  if (v.size() > kLongest) return false;
  if (name.is_password && !name.is_loose) {
    // Whatever is in quotes, and whatever a variable is set to.
    if (how == Stated::assigned_quoted && v.size() >= kShortestQuoted && !has(v, " "))
      return RedactCheck::password_like(t, begin, end);
    if (v.size() < kShortest) return false;
    if (how == Stated::variable)
      return !is_in("&,", v[0]) && RedactCheck::password_like(t, begin, end);
    return is_quoted ? RedactCheck::stated(t, begin, end) : RedactCheck::invented(t, begin, end);
  }
  if (v.size() < kShortest) return false;
  if ((is_quoted || (is_assigned && name.is_variable)) && RedactCheck::words(t, begin, end))
    return true;
  if (v.size() < (name.is_key && !is_assigned ? kShortestKey : kShortestToken)) return false;
  if (is_in("/.~$%<-@", v[0]) || has(v, "://") || has(v, " ")) return false;
  // `cryptography.x509.Certificate`
  const auto letters = static_cast<size_t>(std::ranges::count_if(v, letter));
  if (has(v, ".") && letters * 5 >= v.size() * 4) return false;
  constexpr size_t kWholeKey = 20;  // characters of a key that has no digit
  if (name.is_key && how == Stated::assigned_quoted && v.size() >= kWholeKey &&
      is_before(t, name.end - 3, "api_") && std::ranges::all_of(v, is_name_byte))
    return RedactCheck::password_like(t, begin, end);
  return RedactCheck::secret_value(t, begin, end) && RedactCheck::no_name(t, begin, end);
}

}  // namespace xtrace
