#include "join_page/style.h"

#include <cctype>
#include <stdexcept>
#include <string_view>

#include "doc/hues.h"

namespace xtrace {

namespace {

/// `unexplained` is a word of `unexplained_ms`, too.
bool has_word(std::string_view text, std::string_view word) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-';
  };
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end])))
      return true;
  }
  return false;
}

/// Are all classes and panes named that a selector asks for? Those between brackets are
/// alternatives.
bool is_named(std::string_view selector, std::string_view scripts) {
  constexpr std::string_view kEnds = ".:#[]()> +~,";
  int depth = 0;
  for (size_t i = 0; i < selector.size(); ++i) {
    if (selector[i] == '(') ++depth;
    if (selector[i] == ')') --depth;
    constexpr std::string_view kPane = "[data-view=";
    const bool is_pane = selector.substr(i).starts_with(kPane);
    if ((selector[i] != '.' && !is_pane) || depth > 0) continue;
    const std::string_view name = selector.substr(i + (is_pane ? kPane.size() : 1));
    if (!has_word(scripts, name.substr(0, name.find_first_of(kEnds)))) return false;
  }
  return true;
}

/// Of a list of selectors, those that may select something.
std::string named_of(std::string_view selectors, std::string_view scripts) {
  std::string named;
  int depth = 0;
  for (size_t begin = 0, i = 0; i <= selectors.size(); ++i) {
    if (i < selectors.size() && selectors[i] == '(') ++depth;
    if (i < selectors.size() && selectors[i] == ')') --depth;
    if (i < selectors.size() && (selectors[i] != ',' || depth > 0)) continue;
    const std::string_view selector = selectors.substr(begin, i - begin);
    if (is_named(selector, scripts)) (named += named.empty() ? "" : ",") += selector;
    begin = i + 1;
  }
  return named;
}

}  // namespace

std::string style_for(std::string_view style, std::string_view scripts) {
  std::string kept;
  while (!style.empty()) {
    const size_t open = style.find('{');
    if (open == style.npos) return kept += style;
    size_t end = open + 1;
    for (int depth = 1; end < style.size() && depth > 0; ++end)
      depth += style[end] == '{' ? 1 : style[end] == '}' ? -1 : 0;
    const std::string_view head = style.substr(0, open), body = style.substr(open, end - open);
    if (head.starts_with('@')) {
      const std::string inner = style_for(body.substr(1, body.size() - 2), scripts);
      if (!inner.empty()) (((kept += head) += '{') += inner) += '}';
    } else if (const std::string named = named_of(head, scripts); !named.empty()) {
      (kept += named) += body;
    }
    style.remove_prefix(end);
  }
  return kept;
}

std::string with_hues(std::string style) {
  const std::string mark = "@HUES@";
  std::string hues;
  for (size_t i = 0; i < std::size(kHuePalette); ++i) {
    const auto& [light, dark] = kHuePalette[i];
    hues += "--hue-" + std::to_string(i) + ": light-dark(" + std::string(light) + ", " +
            std::string(dark) + "); ";
  }
  if (const size_t at = style.find(mark); at != std::string::npos)
    style.replace(at, mark.size(), hues);
  return style;
}

std::string with_both_themes(const std::string& style) {
  constexpr std::string_view kBoth = "light-dark(";
  const size_t end = style.find('}');
  std::string light, dark;
  size_t done = 0;
  for (size_t at = style.find(kBoth); at < end; at = style.find(kBoth, done)) {
    const size_t name = style.rfind("--", at), comma = style.find(',', at),
                 close = style.find(')', at);
    if (name == std::string::npos || close > end || comma > close)
      throw std::runtime_error("light-dark() is not the value of a property");
    light += style.substr(done, at - done);
    light += style.substr(at + kBoth.size(), comma - at - kBoth.size());
    dark += style.substr(name, at - name) + style.substr(comma + 1, close - comma - 1) + ";";
    done = close + 1;
  }
  if (dark.empty()) return style;
  return light + style.substr(done, end + 1 - done) +
         "\n@media screen and (prefers-color-scheme: dark) {:root {" + dark + "}}" +
         style.substr(end + 1);
}

}  // namespace xtrace
