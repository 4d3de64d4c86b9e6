#include <glob.h>
#include <stdlib.h>

#include <algorithm>
#include <utility>

#include "base/system.h"

namespace xtrace {

namespace {

/// Expands `{a,b}`, also nested, which POSIX, musl and WASI do not. A brace that is not closed, or
/// follows a backslash, is a character like others.
std::vector<std::string> expand_braces(const std::string& pattern) {
  size_t open = std::string::npos, from = 0, depth = 0, at = 0;
  std::vector<std::string> parts;
  for (; at < pattern.size(); ++at) {
    const char c = pattern[at];
    if (c == '\\') ++at;
    if (c == '{' && depth++ == 0) {
      open = at;
      from = at + 1;
    }
    if (depth == 0 || (c != '}' && (c != ',' || depth > 1))) continue;
    if (c == '}' && --depth > 0) continue;
    parts.push_back(pattern.substr(from, at - from));
    from = at + 1;
    if (depth == 0) break;
  }
  if (at >= pattern.size()) return {pattern};
  std::vector<std::string> patterns;
  for (const std::string& part : parts)
    for (std::string& whole :
         expand_braces(pattern.substr(0, open) + part + pattern.substr(at + 1)))
      patterns.push_back(std::move(whole));
  return patterns;
}

#ifdef __wasi__
// Its glob() knows no users.
constexpr int kFlags = GLOB_NOSORT;

std::string expand_home(const std::string& pattern) {
  const char* home = getenv("HOME");
  const bool is_home = pattern == "~" || pattern.starts_with("~/");
  return is_home && home != nullptr ? home + pattern.substr(1) : pattern;
}
#else
constexpr int kFlags = GLOB_NOSORT | GLOB_TILDE;

const std::string& expand_home(const std::string& pattern) {
  return pattern;
}
#endif

}  // namespace

std::vector<std::string> expand_pattern(const std::string& pattern) {
  std::vector<std::string> paths;
  for (const std::string& part : expand_braces(pattern)) {
    glob_t found{};
    if (glob(expand_home(part).c_str(), kFlags, nullptr, &found) == 0)
      for (size_t i = 0; i < found.gl_pathc; ++i) paths.emplace_back(found.gl_pathv[i]);
    globfree(&found);
  }
  return paths;
}

}  // namespace xtrace
