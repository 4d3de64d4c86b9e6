#include "join_page/style.h"

#include <stdexcept>
#include <string_view>

#include "doc/hues.h"

namespace xtrace {

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

std::string shortened_style(const std::string& text) {
  std::string style;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "/*") == 0) {
      i = std::min(text.find("*/", i) + 1, text.size());
    } else if (text[i] == '\n' || text[i] == ' ') {
      const std::string_view kAfter = "{};,>:", kBefore = "{};,>";
      const size_t next = text.find_first_not_of("\n ", i);
      if (next == std::string::npos) break;
      if (!style.empty() && kAfter.find(style.back()) == std::string_view::npos &&
          kBefore.find(text[next]) == std::string_view::npos)
        style += ' ';
      i = next - 1;
    } else if (text[i] == '}' && style.ends_with(';')) {
      style.back() = '}';
    } else {
      style += text[i];
    }
  }
  return style;
}

}  // namespace xtrace
