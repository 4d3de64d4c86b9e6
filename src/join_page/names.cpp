#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "join_page/script.h"

// A name of the browser that a script also declares would be shortened with it: scripts take other
// names for what is theirs.

namespace xtrace {

namespace {

using Kind = Token::Kind;
using Words = std::set<std::string, std::less<>>;

const Words& reserved() {
  static const Words kWords = {
      "arguments",  "as",       "async",   "await",    "break", "case",   "catch",  "class",
      "const",      "continue", "default", "delete",   "do",    "else",   "export", "extends",
      "false",      "finally",  "for",     "function", "get",   "if",     "import", "in",
      "instanceof", "let",      "new",     "null",     "of",    "return", "set",    "static",
      "super",      "switch",   "this",    "throw",    "true",  "try",    "typeof", "undefined",
      "var",        "void",     "while",   "with",     "yield"};
  return kWords;
}

/// Some tokens that stand together: which names they declare and use.
class Names {
 public:
  explicit Names(std::span<Token> tokens) : tokens_(tokens), uses_of_(tokens.size()) {
    std::vector<Bracket> brackets = {{}};
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (is(i, "class") && is_name(i + 1)) class_begins_ = true;  // and not `{ class: …`
      follow_brackets(i, brackets);
      // `(a, b = '') =>`
      if (is(i, "=>") && i > 0 && is(i - 1, ")")) declare_within(begin_of(i - 1), i - 1);
      if (!is_name(i)) continue;
      const Bracket around = brackets.back();
      uses_of_[i] = around.sign == kClass ? use_in_class(i)
                                          : use_of(i, around.sign == '{' && !around.declares);
      if (uses_of_[i] != Use::key) ++uses_[tokens_[i].text];
      declare(i, brackets.size() == 1);
    }
  }

  /// Declared outside of all brackets, and everything declared.
  const Words& outer() const { return outer_; }
  const Words& declared() const { return declared_; }
  const std::map<std::string, size_t, std::less<>>& uses() const { return uses_; }

  void replace(const std::map<std::string, std::string, std::less<>>& by) {
    for (size_t i = 0; i < tokens_.size(); ++i)
      if (is_name(i) && uses_of_[i] != Use::key)
        if (const auto found = by.find(tokens_[i].text); found != by.end())
          tokens_[i].text = found->second;
  }

  /// With `{ a: a }` for `{ a }`, of which the second is the variable.
  std::vector<Token> spelt_out() const {
    std::vector<Token> tokens;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      tokens.push_back(tokens_[i]);
      if (!is_name(i) || uses_of_[i] != Use::both) continue;
      tokens.push_back({Kind::sign, ":"});
      tokens.push_back({Kind::name, tokens_[i].text});
    }
    return tokens;
  }

 private:
  bool is(size_t at, std::string_view text) const {
    return at < tokens_.size() && tokens_[at].text == text && tokens_[at].kind != Kind::text;
  }
  bool is_name(size_t at) const { return at < tokens_.size() && tokens_[at].kind == Kind::name; }
  bool is_variable(size_t at) const { return is_name(at) && !is_behind_point(at); }
  bool is_behind_point(size_t at) const { return at > 0 && (is(at - 1, ".") || is(at - 1, "?.")); }

  /// What is open, and whether a list of declarations stands in it at the moment.
  struct Bracket {
    char sign = 0;
    bool declares = false;
  };
  static constexpr char kClass = 'c';  ///< as a bracket: the braces of a class
  static constexpr char kBlock = 'b';  ///< as one: the braces around statements
  void follow_brackets(size_t at, std::vector<Bracket>& brackets) {
    const Token& token = tokens_[at];
    const std::string& text = token.text;
    if (token.kind == Kind::text && text.front() == '}') brackets.pop_back();
    if (token.kind == Kind::text && text.ends_with("${")) brackets.push_back({'$'});
    if (token.kind == Kind::name && (text == "const" || text == "let"))
      brackets.back().declares = true;
    if (token.kind != Kind::sign) return;
    if (text == ";") brackets.back().declares = false;
    if (text == "(" || text == "[") brackets.push_back({text[0]});
    if (text == "{") {
      const bool is_class = std::exchange(class_begins_, false);
      brackets.push_back({is_class ? kClass : begins_block(at) ? kBlock : '{'});
    }
    if (text == "}" || text == ")" || text == "]") brackets.pop_back();
  }

  /// What stands in a block begins with no key: `=> { rows = …` is no pattern with a default.
  bool begins_block(size_t at) const {
    for (std::string_view before : {")", "=>", ";", "{", "}", "else", "try", "finally", "do"})
      if (at > 0 && is(at - 1, before)) return true;
    return false;
  }

  enum class Use : uint8_t {
    variable,
    key,   ///< `x.a`, `{ a: 1`, `{ a(x) {`
    both,  ///< `{ a }`, of an object or a pattern
  };
  Use use_of(size_t at, bool in_braces) const {
    if (is_behind_point(at)) return Use::key;
    const bool opens = in_braces && at > 0 && (is(at - 1, "{") || is(at - 1, ","));
    bool is_method = opens;
    for (std::string_view before : {"get", "set", "async"})
      is_method |= in_braces && at > 0 && is(at - 1, before);
    if (is_method && is(at + 1, "(") && is(end_of(at + 1) + 1, "{")) return Use::key;
    if (!opens) return Use::variable;
    if (is(at + 1, ":")) return Use::key;
    // `case a:` and `x ? a : b` do not begin behind a bracket or comma.
    return is(at + 1, ",") || is(at + 1, "}") || is(at + 1, "=") ? Use::both : Use::variable;
  }

  /// The name of a method or field stands behind the end of another.
  Use use_in_class(size_t at) const {
    if (is_behind_point(at)) return Use::key;
    for (std::string_view before : {"{", ";", "}", "static", "get", "set", "async"})
      if (is(at - 1, before)) return Use::key;
    return Use::variable;
  }

  void add(size_t at, bool is_outer) {
    declared_.insert(tokens_[at].text);
    if (is_outer) outer_.insert(tokens_[at].text);
  }

  void declare(size_t at, bool is_outer) {
    const std::string& text = tokens_[at].text;
    if (text == "const" || text == "let") return declare_list(at + 1, is_outer);
    if (text == "function") {
      const size_t name = is(at + 1, "*") ? at + 2 : at + 1;
      if (is_name(name)) add(name, is_outer);
      const size_t open = is_name(name) ? name + 1 : name;
      return declare_within(open, end_of(open));
    }
    if (text == "catch" && is(at + 1, "(")) return declare_within(at + 1, end_of(at + 1));
    if (is(at + 1, "=>")) add(at, false);
  }

  /// From the name behind `const` to the end of the statement, of each declarator what stands
  /// before its `=`.
  void declare_list(size_t at, bool is_outer) {
    int depth = 0;
    bool before_value = true;
    for (; at < tokens_.size(); ++at) {
      if (depth == 0 && (is(at, ";") || is(at, "of") || is(at, "in"))) return;
      if (is(at, "(") || is(at, "[") || is(at, "{")) ++depth;
      if (is(at, ")") || is(at, "]") || is(at, "}")) --depth;
      if (depth < 0) return;
      if (depth == 0 && is(at, "=")) before_value = false;
      if (depth == 0 && is(at, ",")) before_value = true;
      if (before_value && is_variable(at)) add(at, is_outer);
    }
  }
  /// Between brackets: names, but not those of default values, which are declared elsewhere.
  void declare_within(size_t open, size_t close) {
    for (size_t i = open + 1; i < close; ++i)
      for (std::string_view before : {"(", ",", "[", "{", "...", ":"})
        if (is_variable(i) && is(i - 1, before)) add(i, false);
  }
  size_t end_of(size_t open) const {
    int depth = 0;
    for (size_t i = open; i < tokens_.size(); ++i) {
      if (is(i, "(")) ++depth;
      if (is(i, ")") && --depth == 0) return i;
    }
    return open;
  }
  size_t begin_of(size_t close) const {
    int depth = 0;
    for (size_t i = close + 1; i-- > 0;) {
      if (is(i, ")")) ++depth;
      if (is(i, "(") && --depth == 0) return i;
    }
    return close;
  }

  std::span<Token> tokens_;
  std::vector<Use> uses_of_;  ///< by token
  bool class_begins_ = false;
  std::map<std::string, size_t, std::less<>> uses_;
  Words declared_, outer_;
};

/// a, b, … Z, aa, ab, …
std::string short_name(size_t n) {
  static constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string name;
  for (;; n = n / kLetters.size() - 1) {
    name.insert(0, 1, kLetters[n % kLetters.size()]);
    if (n < kLetters.size()) return name;
  }
}

/// New names for `names`, the most used first, without those that are `taken`.
std::map<std::string, std::string, std::less<>> shorter(const Names& of, const Words& names,
                                                        const Words& taken) {
  std::vector<std::pair<size_t, std::string>> by_use;
  for (const std::string& name : names)
    by_use.emplace_back(of.uses().contains(name) ? of.uses().find(name)->second : 0, name);
  std::sort(by_use.begin(), by_use.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::map<std::string, std::string, std::less<>> renamed;
  size_t next = 0;
  for (const auto& [count, name] : by_use) {
    std::string word = short_name(next++);
    while (taken.contains(word) || reserved().contains(word) || word == "eval")
      word = short_name(next++);
    renamed[name] = word;
  }
  return renamed;
}

/// Where statements outside of all brackets begin.
std::vector<std::span<Token>> statements_of(std::vector<Token>& tokens) {
  std::vector<std::span<Token>> statements;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::string& text = tokens[i].text;
    const bool is_text = tokens[i].kind == Kind::text;
    if (is_text && text.front() == '}') --depth;
    if (is_text && text.ends_with("${")) ++depth;
    if (tokens[i].kind == Kind::sign && (text == "{" || text == "(" || text == "[")) ++depth;
    if (tokens[i].kind == Kind::sign && (text == "}" || text == ")" || text == "]")) --depth;
    const bool ends = depth == 0 && (text == ";" || text == "}") && tokens[i].kind == Kind::sign &&
                      (i + 1 == tokens.size() || tokens[i + 1].begins_line);
    if (!ends) continue;
    statements.emplace_back(tokens.data() + begin, i + 1 - begin);
    begin = i + 1;
  }
  if (begin < tokens.size()) statements.emplace_back(tokens.data() + begin, tokens.size() - begin);
  return statements;
}

Words without(const Words& names, const Words& others) {
  Words left;
  for (const std::string& name : names)
    if (!reserved().contains(name) && !others.contains(name)) left.insert(name);
  return left;
}

}  // namespace

void shorten_names(std::vector<Token>& tokens) {
  tokens = Names(tokens).spelt_out();
  Names all(tokens);
  // Names of one letter are left to what statements declare within themselves.
  Words taken;
  for (const auto& [name, count] : all.uses()) taken.insert(name);
  for (size_t i = 0; i < 52; ++i) taken.insert(short_name(i));
  const Words outer = without(all.outer(), {});
  all.replace(shorter(all, outer, taken));
  const Words outer_names = Names(tokens).outer();
  for (std::span<Token> statement : statements_of(tokens)) {
    Names names(statement);
    Words kept = outer_names, free = without(names.declared(), outer_names);
    for (const auto& [name, count] : names.uses())
      if (!free.contains(name)) kept.insert(name);
    names.replace(shorter(names, free, kept));
  }
}

}  // namespace xtrace
