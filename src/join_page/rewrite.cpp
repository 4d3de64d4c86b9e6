#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "join_page/script.h"

namespace xtrace {

namespace {

using Kind = Token::Kind;

bool is_sign(const Token& token, std::string_view text) {
  return token.kind == Kind::sign && token.text == text;
}

/// Does the bracket that closes at `close` belong to the head of a loop or a condition? What is
/// behind it may be an empty statement.
bool ends_head(const std::vector<Token>& tokens, size_t close) {
  int depth = 0;
  for (size_t i = close + 1; i-- > 0;) {
    if (is_sign(tokens[i], ")")) ++depth;
    if (!is_sign(tokens[i], "(") || --depth > 0) continue;
    const std::string_view before = i > 0 ? std::string_view(tokens[i - 1].text) : "";
    return before == "while" || before == "for" || before == "if";
  }
  return false;
}

/// What costs less under another name if it stands there three times.
bool is_long_global(std::string_view name) {
  for (std::string_view known :
       {"requestAnimationFrame", "Uint32Array", "Float64Array", "Uint16Array", "Uint8Array",
        "Int32Array", "performance", "matchMedia", "document", "Infinity", "Boolean", "String",
        "Object", "Number", "Array", "null", "undefined"})
    if (name == known) return true;
  return false;
}

void declare(const std::string& name, std::string_view value, std::vector<Token>& declared) {
  std::string declaration = "const ";
  declaration.append(name).append("=").append(value).append(";\n");
  for (Token& token : tokens_of(declaration)) declared.push_back(std::move(token));
}

/// Texts that get a name, which begins with `prefix`.
class Texts {
 public:
  explicit Texts(std::string prefix) : prefix_(std::move(prefix)) {}

  void add(const std::string& text) {
    std::string name = prefix_ + std::to_string(names_.size());
    names_.emplace(text, std::move(name.append("_")));
  }
  /// nullptr: it has none.
  const std::string* name_of(const std::string& text) const {
    const auto found = names_.find(text);
    return found == names_.end() ? nullptr : &found->second;
  }
  std::vector<Token> declared_before(std::vector<Token> tokens) const {
    std::vector<Token> all;
    for (const auto& [text, name] : names_) declare(name, text, all);
    if (!all.empty() && !tokens.empty()) tokens.front().begins_line = true;
    all.insert(all.end(), tokens.begin(), tokens.end());
    return all;
  }

 private:
  std::string prefix_;
  std::map<std::string, std::string> names_;
};

/// Which tokens stand between the brackets behind `for` or `while`.
std::vector<bool> loop_heads(const std::vector<Token>& tokens) {
  std::vector<bool> in_head(tokens.size());
  int depth = 0;
  for (size_t i = 1; i < tokens.size(); ++i) {
    const bool opens = is_sign(tokens[i], "(");
    const bool is_loop = opens && tokens[i - 1].kind == Kind::name &&
                         (tokens[i - 1].text == "for" || tokens[i - 1].text == "while");
    if (opens && (depth > 0 || is_loop)) ++depth;
    in_head[i] = depth > 0;
    if (is_sign(tokens[i], ")") && depth > 0) --depth;
  }
  return in_head;
}

}  // namespace

void name_globals(std::vector<Token>& tokens) {
  std::vector<Token> replaced, prelude;
  std::set<std::string> known;
  auto add = [&](const std::string& name, std::string_view code, bool begins_line) {
    if (known.insert(name).second) declare(name, code, prelude);
    replaced.push_back({Kind::name, name, begins_line});
  };
  auto is_key = [&](size_t at) {
    const bool may_be = at == 0 || is_sign(tokens[at - 1], "{") || is_sign(tokens[at - 1], ",");
    return may_be && at + 1 < tokens.size() && is_sign(tokens[at + 1], ":");
  };
  for (size_t i = 0; i < tokens.size(); ++i) {
    const bool is_member = i > 0 && (is_sign(tokens[i - 1], ".") || is_sign(tokens[i - 1], "?."));
    const bool is_free = tokens[i].kind == Kind::name && !is_member;
    const bool has_member = i + 2 < tokens.size() && is_sign(tokens[i + 1], ".");
    if (is_free && tokens[i].text == "Math" && has_member) {
      add("Math_" + tokens[i + 2].text, "Math." + tokens[i + 2].text, tokens[i].begins_line);
      i += 2;
    } else if (is_free && is_long_global(tokens[i].text) && !is_key(i)) {
      add(tokens[i].text + '_', tokens[i].text, tokens[i].begins_line);
    } else {
      replaced.push_back(std::move(tokens[i]));
    }
  }
  if (!replaced.empty()) replaced.front().begins_line = true;
  tokens = std::move(prelude);
  tokens.insert(tokens.end(), replaced.begin(), replaced.end());
}

void name_texts(std::vector<Token>& tokens) {
  constexpr size_t kName = 2;  // characters of a shortened one, for the most part
  auto is_value = [&](size_t at) {
    const bool may_be_key =
        at > 0 && (is_sign(tokens[at - 1], "{") || is_sign(tokens[at - 1], ","));
    return tokens[at].kind == Kind::text && tokens[at].text.front() == '\'' &&
           !(may_be_key && at + 1 < tokens.size() && is_sign(tokens[at + 1], ":"));
  };
  Texts texts("text_");
  std::map<std::string, size_t> uses;
  for (size_t i = 0; i < tokens.size(); ++i)
    if (is_value(i)) ++uses[tokens[i].text];
  for (const auto& [text, count] : uses) {
    const size_t declared = kName + std::string_view(",=").size() + text.size();
    if (count * text.size() > count * kName + declared) texts.add(text);
  }
  std::vector<Token> all;
  for (size_t i = 0; i < tokens.size(); ++i)
    if (const std::string* name = is_value(i) ? texts.name_of(tokens[i].text) : nullptr)
      all.push_back({Kind::name, *name, tokens[i].begins_line});
    else
      all.push_back(tokens[i]);
  tokens = texts.declared_before(std::move(all));
}

void name_properties(std::vector<Token>& tokens) {
  constexpr size_t kSpelt = 4;  // characters of `[ab]`
  // Looked up by a name that is a value, a property takes a while longer until the browser has
  // compiled the loop: columns of the data, and what loops ask for, are spelt out.
  constexpr size_t kLong = 4;
  static const std::set<std::string_view> kInLoops = {"cost",  "data",  "degree", "flags",  "kind",
                                                      "lane",  "model", "name",   "parent", "skip",
                                                      "start", "timed", "tools",  "turn",   "wait"};
  const std::vector<bool> in_head = loop_heads(tokens);
  auto is_property = [&](size_t at) {
    return at > 0 && tokens[at].kind == Kind::name && is_sign(tokens[at - 1], ".") &&
           !in_head[at] && !kInLoops.contains(tokens[at].text);
  };
  Texts texts("property_");
  std::map<std::string, size_t> uses;
  for (size_t i = 0; i < tokens.size(); ++i)
    if (is_property(i) && tokens[i].text.size() >= kLong) ++uses[tokens[i].text];
  for (const auto& [name, count] : uses) {
    const size_t declared = std::string_view(",ab=''").size() + name.size();
    if (count * (1 + name.size()) > count * kSpelt + declared) texts.add('\'' + name + '\'');
  }
  std::vector<Token> all;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::string* name =
        is_property(i) ? texts.name_of('\'' + tokens[i].text + '\'') : nullptr;
    if (name == nullptr) {
      all.push_back(tokens[i]);
      continue;
    }
    all.back().text = "[";  // for the point
    all.push_back({Kind::name, *name});
    all.push_back({Kind::sign, "]"});
  }
  tokens = texts.declared_before(std::move(all));
}

namespace {

/// `let a=1;let b=2` is `let a=1,b=2`, where both stand in the same brackets.
void join_declarations(std::vector<Token>& tokens) {
  std::vector<Token> kept;
  std::vector<bool> declares = {false};
  for (size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    const bool is_let = token.kind == Kind::name && token.text == "let";
    if (is_let) declares.back() = true;
    if (is_sign(token, "{") || is_sign(token, "(") || is_sign(token, "[") ||
        (token.kind == Kind::text && token.text.ends_with("${")))
      declares.push_back(false);
    if (is_sign(token, "}") || is_sign(token, ")") || is_sign(token, "]") ||
        (token.kind == Kind::text && token.text.front() == '}'))
      declares.pop_back();
    const bool goes_on = is_sign(token, ";") && declares.back() && i + 1 < tokens.size() &&
                         tokens[i + 1].kind == Kind::name && tokens[i + 1].text == "let";
    if (is_sign(token, ";") && !goes_on) declares.back() = false;
    if (!goes_on) {
      kept.push_back(token);
      continue;
    }
    kept.push_back({Kind::sign, ","});
    ++i;
    tokens[i + 1].begins_line = false;
  }
  tokens = std::move(kept);
}

/// `(a)=>` is `a=>`.
void bare_parameters(std::vector<Token>& tokens) {
  std::vector<Token> kept;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const bool is_bare = i + 3 < tokens.size() && is_sign(tokens[i], "(") &&
                         tokens[i + 1].kind == Kind::name && is_sign(tokens[i + 2], ")") &&
                         is_sign(tokens[i + 3], "=>");
    if (is_bare) {
      tokens[i + 1].begins_line = tokens[i].begins_line;
      kept.push_back(tokens[i + 1]);
      i += 2;
    } else {
      kept.push_back(tokens[i]);
    }
  }
  tokens = std::move(kept);
}

int depth_after(const Token& token, int depth) {
  if (is_sign(token, "{") || is_sign(token, "(") || is_sign(token, "[")) return depth + 1;
  if (is_sign(token, "}") || is_sign(token, ")") || is_sign(token, "]")) return depth - 1;
  if (token.kind != Kind::text) return depth;
  return depth + (token.text.ends_with("${") ? 1 : 0) - (token.text.front() == '}' ? 1 : 0);
}

bool is_word(const Token& token, std::string_view text) {
  return token.kind == Kind::name && token.text == text;
}

/// From `at` on, the place behind the bracket that closes what opens there.
size_t behind(const std::vector<Token>& tokens, size_t at) {
  int depth = 0;
  do depth = depth_after(tokens[at++], depth);
  while (depth > 0 && at < tokens.size());
  return at;
}

/// Of `function name(…){…}`, `let name=(…)=>{…};`.
std::vector<Token> as_arrow(const std::vector<Token>& function) {
  const bool is_async = is_word(function.front(), "async");
  const size_t name = is_async ? 2 : 1, body = behind(function, name + 1);
  for (const Token& token : function)
    if (is_word(token, "this") || is_word(token, "arguments")) return function;
  if (function[name].kind != Kind::name) return function;  // a generator
  std::vector<Token> arrow = {{Kind::name, "let", true}, function[name], {Kind::sign, "="}};
  if (is_async) arrow.push_back(function.front());
  arrow.insert(arrow.end(), function.begin() + static_cast<std::ptrdiff_t>(name) + 1,
               function.begin() + static_cast<std::ptrdiff_t>(body));
  arrow.push_back({Kind::sign, "=>"});
  // `{return x;}` is `x`.
  size_t first = body, last = function.size();
  int depth = 0;
  bool is_value = is_word(function[body + 1], "return") && is_sign(function[last - 2], ";") &&
                  !is_sign(function[body + 2], "{") && last - body > 4;
  for (size_t i = body + 2; is_value && i < last - 2; ++i) {
    depth = depth_after(function[i], depth);
    is_value = depth > 0 || !(is_sign(function[i], ";") || is_sign(function[i], ","));
  }
  if (is_value) {
    first += 2;
    last -= 2;
  }
  arrow.insert(arrow.end(), function.begin() + static_cast<std::ptrdiff_t>(first),
               function.begin() + static_cast<std::ptrdiff_t>(last));
  arrow.push_back({Kind::sign, ";"});
  return arrow;
}

}  // namespace

void functions_first(std::vector<Token>& tokens) {
  std::vector<Token> functions, others;
  int depth = 0;
  for (size_t i = 0; i < tokens.size();) {
    const bool is_async =
        is_word(tokens[i], "async") && i + 1 < tokens.size() && is_word(tokens[i + 1], "function");
    const bool is_begin =
        depth == 0 && tokens[i].begins_line && (is_async || is_word(tokens[i], "function"));
    if (!is_begin) {
      depth = depth_after(tokens[i], depth);
      others.push_back(std::move(tokens[i++]));
      continue;
    }
    size_t open = i;
    while (!is_sign(tokens[open], "(")) ++open;
    const size_t end = behind(tokens, behind(tokens, open));
    const std::vector<Token> arrow = as_arrow({tokens.begin() + static_cast<std::ptrdiff_t>(i),
                                               tokens.begin() + static_cast<std::ptrdiff_t>(end)});
    functions.insert(functions.end(), arrow.begin(), arrow.end());
    i = end;
  }
  if (!others.empty()) others.front().begins_line = true;
  tokens = std::move(functions);
  tokens.insert(tokens.end(), others.begin(), others.end());
}

void write_shorter(std::vector<Token>& tokens) {
  std::vector<Token> kept;
  for (size_t i = 0; i < tokens.size(); ++i) {
    Token& token = tokens[i];
    const bool is_word = token.kind == Kind::name && (i == 0 || !is_sign(tokens[i - 1], ".")) &&
                         (i + 1 == tokens.size() || !is_sign(tokens[i + 1], ":"));
    // Nothing is assigned to twice, or it would not run as it is.
    if (is_word && token.text == "const") token.text = "let";
    if (is_word && (token.text == "true" || token.text == "false"))
      token = {Kind::sign, token.text == "true" ? "!0" : "!1", token.begins_line};
    const bool ends_block =
        is_sign(token, ";") && i + 1 < tokens.size() && is_sign(tokens[i + 1], "}");
    if (ends_block && i > 0 && !(is_sign(tokens[i - 1], ")") && ends_head(tokens, i - 1)) &&
        !is_sign(tokens[i - 1], ";"))
      continue;
    if (token.kind == Kind::number && token.text.starts_with("0.")) token.text.erase(0, 1);
    // A comma before a bracket stands there for who reads the source.
    const bool is_last = is_sign(token, ",") && i + 1 < tokens.size() &&
                         (is_sign(tokens[i + 1], "}") || is_sign(tokens[i + 1], ")"));
    if (!is_last) kept.push_back(std::move(token));
  }
  tokens = std::move(kept);
  join_declarations(tokens);
  bare_parameters(tokens);
}

}  // namespace xtrace
