#include "redact/assigned.h"

#include <algorithm>
#include <array>

#include "redact/bytes.h"
#include "redact/redact_rules.h"
#include "redact/value_cursor.h"

namespace xtrace {
namespace {

using bytes::alnum, bytes::at, bytes::has, bytes::is_in, bytes::letter;
using std::string_view;

class Reading {
 public:
  Reading(string_view text, const SecretName& name, std::vector<ByteRange>& found)
      : t_(text), name_(name), cursor_(text, name.end), found_(found) {}

  void read() {
    if (!name_.is_loose && skip_attributes()) return read_element();
    if (cursor_.take("'s ")) return read_bare_word();
    was_quoted_ = cursor_.take_closers();
    if (was_quoted_ && cursor_.next() == ')') {  // `getenv("…")`, `field("password").fill("…")`
      cursor_.move(1);
      if (cursor_.next() == '.' && read_method()) return;
    }
    if (cursor_.next() == '(' && !name_.is_loose && read_call()) return;
    const size_t blanks = cursor_.take_blanks(kMostBlanks, false);
    const size_t behind = cursor_.place();
    skip_remark();
    if (take_sign(cursor_, t_, needs_quote_)) return read_assigned();
    if (name_.is_loose) return;
    cursor_ = ValueCursor(t_, behind);
    if (cursor_.next() == '{' && !name_.is_loose && read_call()) return;  // `password { "…" }`
    if (cursor_.next() == '|') return read_cell();
    if (read_pair()) return;
    cursor_ = ValueCursor(t_, behind);
    if (was_quoted_ && cursor_.take(",")) return read_quoted_only();
    if (was_quoted_ && read_part()) return;
    if (is_in(",)", cursor_.next())) return read_row();
    if (!name_.is_identifier && name_.is_password) read_before();
    if (blanks > 0 || was_quoted_) {
      cursor_ = ValueCursor(t_, behind);
      if (!read_after_blank()) read_label(behind);
    }
  }

 private:
  static constexpr size_t kMostBlanks = 40, kLongest = 512;

  /// Up to the end of `<password type="text">`; false if it is no element.
  bool skip_attributes() {
    constexpr size_t kLongestTag = 120;
    if (cursor_.next() == '>') return true;
    // Attributes follow blanks and begin as names do: `<x-api-key: …>` and `<key = …>` have none.
    const size_t attribute = t_.find_first_not_of(" \t\r\n", cursor_.place());
    const char first = at(t_, attribute);
    if (attribute == cursor_.place() || !(letter(first) || is_in("_/>", first))) return false;
    size_t open = name_.begin;  // also of `<wsse:Password Type="…">`
    if (at(t_, open - 1) == ':')
      for (--open; open > 0 && name_.begin - open < 16 && alnum(t_[open - 1]);) --open;
    const bool is_element = at(t_, open - 1) == '<';
    const size_t close = t_.find_first_of("<>", cursor_.place());
    if (!is_element || close - cursor_.place() > kLongestTag || at(t_, close) != '>') return false;
    cursor_ = ValueCursor(t_, close);
    return true;
  }

  /// A part of a form: `name="password"`, an empty line, the value.
  bool read_part() {
    if (cursor_.take_blanks(8, true) < 2) return false;
    const size_t begin = cursor_.place(), found = found_.size();
    read_bare();
    if (found_.size() > found && is_choice(begin, found_.back().end)) return true;
    found_.resize(found);
    return false;
  }

  /// `.fill("…")` of what is called password.
  bool read_method() {
    constexpr size_t kLongestMethod = 24;
    ValueCursor inside = cursor_;
    size_t length = 1;
    while (length < kLongestMethod && (alnum(inside.next(length)) || inside.next(length) == '_'))
      ++length;
    if (inside.next(length) != '(') return false;
    inside.move(length + 1);
    cursor_ = inside;
    return read_quoted();
  }

  /// `the password's …`
  void read_bare_word() {
    const size_t begin = cursor_.place(), found = found_.size();
    read_bare();
    if (found_.size() > found && !is_choice(begin, found_.back().end)) found_.resize(found);
  }

  /// `… as the password`
  void read_before() {
    size_t end = name_.begin;
    for (string_view article : {"the ", "my ", "your ", "a ", "its "})
      if (t_.substr(0, end).ends_with(article)) end -= article.size();
    constexpr string_view kAs = " as ";
    if (!t_.substr(0, end).ends_with(kAs)) return;
    end -= kAs.size();
    size_t begin = end;
    while (begin > 0 && end - begin < kLongest && is_bare(begin - 1)) --begin;
    if (is_choice(begin, end)) add(begin, end, false);
  }

  /// `password (again): …`
  void skip_remark() {
    constexpr size_t kLongestRemark = 32;
    if (cursor_.next() != '(') return;
    const size_t close = t_.find(')', cursor_.place());
    if (close == string_view::npos || close - cursor_.place() > kLongestRemark) return;
    cursor_ = ValueCursor(t_, close + 1);
    cursor_.take_blanks(2, false);
  }

  /// `INSERT INTO users (name, password) VALUES ('bob', '…')`
  void read_row() {
    constexpr size_t kFar = 400;
    size_t open = name_.begin, index = 0;
    while (open > 0 && name_.begin - open < kFar && t_[open] != '(' && t_[open] != ')') {
      index += t_[open] == ',' ? 1U : 0U;
      --open;
    }
    const size_t close = t_.find(')', name_.end);
    if (t_[open] != '(' || close == string_view::npos || close - name_.end > kFar) return;
    ValueCursor values(t_, close + 1);
    values.take_blanks(kMostBlanks, true);
    if (!values.take_word("values")) return;
    values.take_blanks(kMostBlanks, true);
    if (!values.take("(")) return;
    size_t p = values.place();
    char quote = '\0';
    for (const size_t from = p; p < t_.size() && p - from < kFar && index > 0; ++p) {
      if (quote != '\0')
        quote = t_[p] == quote ? '\0' : quote;
      else if (is_quote(t_[p]))
        quote = t_[p];
      else
        index -= t_[p] == ',' ? 1U : 0U;
    }
    cursor_ = ValueCursor(t_, p);
    cursor_.take_blanks(kMostBlanks, true);
    if (index == 0) read_quoted();
  }

  /// What may precede the value: an end of the line, a mark of a block, a call that only wraps.
  void skip_lead() {
    cursor_.take_blanks(kMostBlanks, true);
    if (cursor_.next() == '!') {  // of YAML: `!!str`
      while (alnum(cursor_.next()) || cursor_.next() == '!') cursor_.move(1);
      cursor_.take_blanks(2, false);
    }
    for (string_view mark : {">-", "|-", ">", "|", "**", "*", "("}) {
      ValueCursor behind = cursor_;
      if (!behind.take(mark)) continue;
      const size_t blanks = behind.take_blanks(kMostBlanks, true);
      const bool is_block = mark[0] == '>' || mark[0] == '|';  // which begins in the next line
      if (!is_block || has(t_.substr(behind.place() - blanks, blanks), "\n")) cursor_ = behind;
      break;
    }
    for (string_view call :
         {"SecretStr(", "Some(", "String(", "String::from(", "PASSWORD(", "Password(", "env(",
          "str(", "Secret(", "Buffer.from(", "new String(", "base64:"})
      if (cursor_.take(call)) break;
    // `b"…"`, `@"…"`
    if (is_in("bBrRuUfFLN@$", at(t_, cursor_.place())) && cursor_.place() < t_.size() &&
        (cursor_.next(1) == '"' || cursor_.next(1) == '\''))
      cursor_.move(1);
  }

  /// `passwords = {"alice": "…", "bob": "…"}`, `tokens = ["…", "…"]`
  bool read_members() {
    constexpr size_t kMostBytes = 2000;
    const char open = cursor_.next(), close = open == '{' ? '}' : ']';
    if (open != '{' && open != '[') return false;
    const size_t stop =
        std::min({t_.find(close, cursor_.place()), cursor_.place() + kMostBytes, t_.size()});
    for (cursor_.move(1); cursor_.place() < stop;) {
      const bool is_key = open == '{';
      cursor_.take_blanks(kMostBlanks, true);
      if (is_key) {
        const size_t colon = t_.find(':', cursor_.place());
        if (colon >= stop) break;
        cursor_ = ValueCursor(t_, colon + 1);
        cursor_.take_blanks(kMostBlanks, true);
      }
      if (!read_quoted()) break;
      cursor_.take_closers();
      if (!cursor_.take(",")) break;
    }
    return true;
  }

  bool is_quote(char c) const { return c == '"' || c == '\'' || c == '`'; }

  /// The value in quotes at the cursor; false if there are no quotes.
  bool read_quoted() {
    size_t p = cursor_.place(), slashes = 0;
    while (at(t_, p) == '\\' && slashes < 8) ++p, ++slashes;
    const char quote = at(t_, p);
    if (!is_quote(quote)) return false;
    while (at(t_, p) == quote) ++p;
    const size_t begin = p;
    while (p < t_.size() && p - begin < kLongest && t_[p] != quote && t_[p] != '\\' &&
           t_[p] != '\n' && t_[p] != '\x1b')
      ++p;
    cursor_ = ValueCursor(t_, p);
    if (at(t_, p) == quote || at(t_, p) == '\\') add(begin, p, true);
    return true;
  }

  bool is_bare(size_t p) const {
    if (p >= t_.size() || static_cast<uint8_t>(t_[p]) <= ' ') return false;
    const bool is_put_in = t_[p] == '$' && is_in("({", at(t_, p + 1));
    if (t_[p] == '&') return alnum(at(t_, p + 1)) && !is_parameter(t_, p + 1);
    return !is_put_in && !is_in("\"'`;&|<>(){}[],\\", t_[p]);
  }

  void read_bare() {
    const size_t begin = cursor_.place();
    size_t p = begin;
    while (p - begin < kLongest && is_bare(p)) ++p;
    // A call, unless no name of code looks like it.
    if ((at(t_, p) == '(' || at(t_, p) == '[') && !is_token(begin, p)) return;
    cursor_ = ValueCursor(t_, p);
    add(begin, p, false);
  }

  void add(size_t begin, size_t end, bool is_in_quotes) {
    const Stated how = !is_assigned_  ? (is_in_quotes ? Stated::quoted : Stated::bare)
                       : is_in_quotes ? Stated::assigned_quoted
                       : is_variable_ ? Stated::variable
                                      : Stated::assigned;
    if (is_value(t_, name_, begin, end, how)) found_.push_back({begin, end});
  }

  void read_assigned() {
    is_assigned_ = true;
    is_variable_ = name_.is_variable && at(t_, name_.end) == '=' && at(t_, name_.end + 1) > ' ';
    const size_t sign = cursor_.place();
    skip_lead();
    if (read_quoted() || needs_quote_ || read_members()) return;
    // `{"user": "secret", "value": …}` has its value in the next line only if that is alone there.
    const bool is_next_line = has(t_.substr(sign, cursor_.place() - sign), "\n");
    if (is_next_line) {
      size_t stop = cursor_.place();
      while (stop < t_.size() && static_cast<uint8_t>(t_[stop]) > ' ' && t_[stop] != '\\') ++stop;
      if (stop < t_.size() && t_[stop] != '\n' && t_[stop] != '\r' && t_[stop] != '\\') return;
      if (!is_token(cursor_.place(), stop) && !is_choice(cursor_.place(), stop)) return;
    }
    read_bare();
  }

  /// A word of its own line is a heading or the next setting.
  bool is_token(size_t begin, size_t end) const {
    SecretName key = name_;
    key.is_password = false;
    key.is_key = true;
    return is_value(t_, key, begin, end, Stated::bare);
  }

  void read_quoted_only() {
    cursor_.take_blanks(4, true);
    skip_lead();
    read_quoted();
  }

  /// `setPassword("…")`, `.password("…")`; a name in brackets that explains: `password (again): …`.
  bool read_call() {
    ValueCursor inside(t_, cursor_.place() + 1);
    inside.take_blanks(kMostBlanks, true);
    const char first = inside.next() == '\\' ? inside.next(1) : inside.next();
    if (!is_quote(first)) return false;
    cursor_ = inside;
    read_quoted();
    return true;
  }

  /// `<password>…</password>`, and the value in the next element of `<key>password</key>`.
  void read_element() {
    cursor_.move(1);
    cursor_.take_blanks(kMostBlanks, true);
    cursor_.take("<![CDATA[");
    const size_t begin = cursor_.place();
    size_t end = begin;
    while (end < t_.size() && end - begin < kLongest && !is_in("<> \n\t\\]\"", at(t_, end))) ++end;
    ValueCursor behind(t_, end);
    behind.take_blanks(kMostBlanks, true);
    if (behind.is_at("</") || behind.is_at("]]>")) add(begin, end, true);
  }

  /// Names and values apart: `name: X` and `value: …`, `key="X" value="…"`, `X --body "…"`.
  bool read_pair() {
    constexpr size_t kMostBetween = 32;
    for (const size_t from = cursor_.place(); cursor_.place() - from < kMostBetween;) {
      if (cursor_.take_blanks(kMostBetween, true) > 0) continue;
      if (!is_in(",;\"'>", at(t_, cursor_.place())) || cursor_.place() >= t_.size()) break;
      cursor_.move(1);
    }
    if (cursor_.take("</")) {  // `</name> <value>`
      constexpr size_t kLongestName = 24;
      for (size_t i = 0; i < kLongestName && cursor_.next() != '>'; ++i) cursor_.move(1);
      if (!cursor_.take(">")) return false;
      cursor_.take_blanks(kMostBlanks, true);
      if (!cursor_.take("<value>") && !cursor_.take("<string>")) return false;
      const size_t begin = cursor_.place(), end = std::min(t_.find('<', begin), t_.size());
      if (end - begin < kLongest) add(begin, end, true);
      return true;
    }
    for (string_view word : {"value", "val", "content", "default", "defaultvalue", "stringvalue",
                             "plaintext", "--body", "--value", "--secret-string", "send"}) {
      ValueCursor one = cursor_;
      if (!one.take_word(word)) continue;
      one.take_closers();
      const size_t blanks = one.take_blanks(4, false);
      if (!one.take("=>") && !one.take("=") && !one.take(":") &&
          !((word[0] == '-' || word == "send") && blanks > 0))
        continue;
      cursor_ = one;
      skip_lead();
      if (!read_quoted()) read_bare();
      return true;
    }
    return false;
  }

  /// `| Password | … |`
  void read_cell() {
    cursor_.move(1);
    cursor_.take_blanks(kMostBlanks, false);
    while (cursor_.next() == '`' || cursor_.next() == '*') cursor_.move(1);
    const size_t begin = cursor_.place();
    size_t end = begin;
    while (end < t_.size() && end - begin < kLongest && !is_in(" \t\n`|\\", at(t_, end))) ++end;
    ValueCursor behind(t_, end);
    while (behind.next() == '`' || behind.next() == '*' || behind.next() == ' ') behind.move(1);
    if (behind.next() == '|' || behind.next() == '\n' || behind.next() == '\0')
      add(begin, end, false);
  }

  /// `ENV NAME value`, `--password value`, `bindpw value`, `PASSWORD 'value'`.
  bool read_after_blank() {
    const size_t behind = cursor_.place();
    if (is_in("057", at(t_, behind)) && cursor_.next(1) == ' ')
      cursor_.move(2);  // how a router keeps it
    const char next = cursor_.next() == '\\' ? cursor_.next(1) : cursor_.next();
    if (is_quote(next)) return read_quoted();
    if (!name_.is_identifier && !name_.is_password) return false;
    const size_t begin = cursor_.place(), before = found_.size();
    read_bare();
    if (found_.size() == before) return false;
    // A sentence has other words with digits.
    ByteRange& one = found_.back();
    SecretName key = name_;
    key.is_password = false;
    size_t end = one.end;
    if (!RedactCheck::no_name(t_, one.begin, end)) {
      found_.pop_back();
      return false;
    }
    if (!name_.is_identifier && one.begin == begin && !is_choice(begin, one.end) &&
        !is_value(t_, key, begin, end, Stated::bare)) {
      found_.pop_back();
      return false;
    }
    return true;
  }

  /// Letters and two digits or more, or a sign: more than a word of a sentence has.
  bool is_choice(size_t begin, size_t end) const {
    size_t digits = 0, signs = 0;
    for (size_t i = begin; i < end; ++i) {
      digits += is_digit(t_[i]) ? 1U : 0U;
      signs += is_in("!@#$%^*+?", at(t_, i)) ? 1U : 0U;
    }
    return end - begin >= 8 && digits > 0 && (digits > 1 || signs > 0);
  }

  /// `password for user elastic: …`, `the password of the database is …`
  void read_label(size_t from) {
    constexpr size_t kLongestLabel = 64;
    static constexpr std::array<string_view, 23> kVerbs = {
        "is",       "was",      "ist",   "lautet", "war",  "es",    "era",    "est",
        "\xC3\xA9", "\xC3\xA8", "to",    "now",    "->",   "=",     "auf",    "\xC3\xA0",
        "sei",      "foi",      "wurde", "jetzt",  "from", "being", "becomes"};
    const size_t stop = std::min(t_.size(), from + kLongestLabel);
    for (size_t p = from; p < stop;) {
      size_t end = p;
      while (end < t_.size() && end - p < kLongestLabel &&
             !is_in(" \n\t\"'`<>{}()=;,\\", at(t_, end)))
        ++end;
      const string_view word = t_.substr(p, end - p);
      const bool is_arrow = t_.substr(p, 3) == "-> ";
      if (is_arrow) end = p + 2;
      const bool is_label = word.ends_with(':') && word.size() > 1 && at(t_, end) == ' ';
      const bool is_sign = at(t_, end) == '=' && at(t_, end + 1) == ' ' && word.empty();
      const bool is_verb = is_arrow || std::ranges::find(kVerbs, word) != kVerbs.end();
      if (is_label || is_sign || is_verb) {
        ValueCursor value(t_, end + (is_sign ? 1 : 0));
        value.take(":");
        value.take_blanks(4, false);
        while (is_in("`*", value.next())) value.move(1);
        cursor_ = value;
        const size_t before = found_.size();
        if (!read_quoted()) read_bare();
        if (found_.size() > before) {
          const ByteRange one = found_.back();
          if (word == "from" && is_choice(one.begin, one.end) && at(t_, one.end) == ' ') {
            p = one.end + 1;  // `from … to …`
            continue;
          }
          if (is_verb || is_choice(one.begin, one.end) || is_token(one.begin, one.end)) return;
          found_.pop_back();
        }
        if (!is_verb) return;
      }
      if (at(t_, end) != ' ') return;
      p = end + 1;
    }
  }

  string_view t_;
  const SecretName& name_;
  ValueCursor cursor_;
  std::vector<ByteRange>& found_;
  bool was_quoted_ = false, needs_quote_ = false, is_assigned_ = false, is_variable_ = false;
};

void read_assigned(string_view t, size_t hit, bool is_password, std::vector<ByteRange>& found) {
  SecretName name;
  if (!find_name(t, hit, is_password, name)) return;
  Reading(t, name, found).read();
  const char next = at(t, name.end);
  if (is_in(" \t,;|\n\"\\", next)) read_column(t, name, found);
}

}  // namespace

void read_assigned_password(string_view t, size_t hit, std::vector<ByteRange>& found) {
  read_assigned(t, hit, true, found);
}
void read_assigned_key(string_view t, size_t hit, std::vector<ByteRange>& found) {
  read_assigned(t, hit, false, found);
}

}  // namespace xtrace
