#include <cctype>
#include <set>
#include <stdexcept>

#include "join_page/script.h"

namespace xtrace {

namespace {

bool is_name_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ||
         (c & 0x80) != 0;
}

class Cutter {
 public:
  explicit Cutter(std::string_view script) : script_(script) {}

  std::vector<Token> cut() {
    while (skip_blanks()) next();
    return std::move(tokens_);
  }

 private:
  char at(size_t ahead = 0) const {
    return here_ + ahead < script_.size() ? script_[here_ + ahead] : '\0';
  }

  /// Passes over blanks and comments. Returns whether there is more.
  bool skip_blanks() {
    while (here_ < script_.size()) {
      if (at() == '\n') {
        begins_line_ = true;
        ++here_;
      } else if (std::isspace(static_cast<unsigned char>(at())) != 0) {
        ++here_;
      } else if (at() == '/' && at(1) == '/') {
        here_ = std::min(script_.find('\n', here_), script_.size());
      } else if (at() == '/' && at(1) == '*') {
        here_ = end_of(script_.find("*/", here_ + 2)) + 2;
      } else {
        return true;
      }
    }
    return false;
  }

  void next() {
    if (at() == '"' || at() == '\'') return add(Token::Kind::text, end_of_text(at()));
    if (at() == '`' || (at() == '}' && !templates_.empty() && templates_.back() == 0))
      return add_template();
    if (std::isdigit(static_cast<unsigned char>(at())) != 0)
      return add(Token::Kind::number, end_of_word(here_));
    if (is_name_part(at())) return add(Token::Kind::name, end_of_word(here_));
    if (at() == '/' && may_be_regex()) return add(Token::Kind::regex, end_of_regex());
    if (!templates_.empty() && at() == '{') ++templates_.back();
    if (!templates_.empty() && at() == '}') --templates_.back();
    add(Token::Kind::sign, here_ + length_of_sign());
  }

  void add(Token::Kind kind, size_t end) {
    tokens_.push_back({kind, std::string(script_.substr(here_, end - here_)), begins_line_});
    begins_line_ = false;
    here_ = end;
  }

  static size_t end_of(size_t found) {
    if (found == std::string_view::npos) throw std::runtime_error("a text or comment does not end");
    return found;
  }
  size_t end_of_text(char quote) const {
    size_t end = here_ + 1;
    while (end < script_.size() && script_[end] != quote) end += script_[end] == '\\' ? 2 : 1;
    return end_of(end < script_.size() ? end + 1 : std::string_view::npos);
  }
  size_t end_of_word(size_t end) const {
    while (end < script_.size() &&
           (is_name_part(script_[end]) ||
            (script_[end] == '.' && std::isdigit(static_cast<unsigned char>(script_[here_])) != 0)))
      ++end;
    return end;
  }
  /// From "`" or the "}" that ends code within, to the next "${" or the end.
  void add_template() {
    if (at() == '}') templates_.pop_back();
    size_t end = here_ + 1;
    for (; end < script_.size() && script_[end] != '`'; ++end) {
      if (script_[end] == '\\') {
        ++end;
      } else if (script_[end] == '$' && end + 1 < script_.size() && script_[end + 1] == '{') {
        templates_.push_back(0);
        return add(Token::Kind::text, end + 2);
      }
    }
    add(Token::Kind::text, end_of(end < script_.size() ? end + 1 : std::string_view::npos));
  }
  /// A slash divides behind a value and begins a pattern elsewhere. Behind a bracket of a condition
  /// it would begin one too: our scripts have none there.
  bool may_be_regex() const {
    if (tokens_.empty()) return true;
    const Token& before = tokens_.back();
    static const std::set<std::string_view> kWords = {"return", "typeof", "case", "of", "in"};
    if (before.kind == Token::Kind::name) return kWords.contains(before.text);
    if (before.kind != Token::Kind::sign)
      return before.kind == Token::Kind::text && before.text.ends_with("${");
    return before.text != ")" && before.text != "]" && before.text != "}";
  }
  size_t end_of_regex() const {
    bool in_class = false;
    size_t end = here_ + 1;
    for (; end < script_.size() && (in_class || script_[end] != '/'); ++end) {
      if (script_[end] == '\\')
        ++end;
      else if (script_[end] == '[')
        in_class = true;
      else if (script_[end] == ']')
        in_class = false;
    }
    end_of(end < script_.size() ? end : std::string_view::npos);
    return end_of_word(end + 1);  // with its flags
  }
  size_t length_of_sign() const {
    for (std::string_view sign :
         {">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "?\?=",
          "=>",   "==",  "!=",  "<=",  ">=",  "&&",  "||",  "??",  "?.",  "++",  "--",
          "+=",   "-=",  "*=",  "/=",  "%=",  "&=",  "|=",  "^=",  "<<",  ">>",  "**"})
      if (script_.substr(here_, sign.size()) == sign) {
        const bool is_number_behind =
            sign == "?." && std::isdigit(static_cast<unsigned char>(at(2))) != 0;
        if (!is_number_behind) return sign.size();
      }
    return 1;
  }

  std::string_view script_;
  size_t here_ = 0;
  bool begins_line_ = false;
  std::vector<int> templates_;  ///< of each template around, how many braces are open in its code
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view script) {
  return Cutter(script).cut();
}

std::string joined(const std::vector<Token>& tokens) {
  std::string script;
  // Behind and before these no statement ends that has no `;`: ours has one where it ends in a
  // brace and is no block.
  static const std::string_view kOpen = "{([,;:?=&|<>+-*/%!~^.}", kClose = ")]},;:.?=&|<>*%^";
  for (const Token& token : tokens) {
    if (!script.empty()) {
      const char before = script.back(), first = token.text.front();
      const bool are_words = is_name_part(before) && is_name_part(first);
      const bool would_join = before == first && (first == '+' || first == '-' || first == '/');
      if (token.begins_line && kOpen.find(before) == std::string_view::npos &&
          kClose.find(first) == std::string_view::npos)
        script += '\n';
      else if (are_words || would_join)
        script += ' ';
    }
    script += token.text;
  }
  return script;
}

}  // namespace xtrace
