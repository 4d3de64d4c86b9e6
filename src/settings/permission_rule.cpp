#include "settings/permission_rule.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/one_of.h"
#include "base/text.h"

namespace xtrace {

std::string quote_pattern(std::string_view text) {
  std::string pattern;
  for (char c : text) {
    if (std::string_view("\\.+*?()|[]{}^$").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

std::string wildcard_pattern(std::string_view text, bool is_path) {
  std::string pattern;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '*') {
      pattern += quote_pattern(text.substr(i, 1));
      continue;
    }
    bool is_deep = is_path && i + 1 < text.size() && text[i + 1] == '*';
    i += is_deep;
    pattern += is_path && !is_deep ? "[^/]*" : ".*";
  }
  return pattern;
}

std::string command_begins(std::string_view words) {
  std::string pattern;
  while (!words.empty()) {
    const size_t blank = std::min(words.find(' '), words.size());
    const std::string_view between = words.starts_with('-') ? R"(\s(?:[^;|&\n]*\s)?)" : R"(\s+)";
    if (blank > 0)
      pattern += fmt::format("{}{}", pattern.empty() ? "" : between,
                             quote_pattern(words.substr(0, blank)));
    words.remove_prefix(std::min(blank + 1, words.size()));
  }
  return fmt::format("(?s){}{}{}", kCommandBegins, pattern, kCommandEnds);
}

namespace {

/// Of one command among several, which `;`, `|`, `&&` and the like part.
std::string command_pattern(std::string_view text) {
  constexpr std::string_view kWholeEnds = R"((?:\s*(?:$|[;|&\n)`}])))";
  bool is_prefix = text.ends_with(":*");
  if (is_prefix) text.remove_suffix(2);
  return fmt::format("(?s){}{}{}", kCommandBegins, wildcard_pattern(text, false),
                     is_prefix ? kCommandEnds : kWholeEnds);
}

}  // namespace

Result<ExpectedTool> read_permission_rule(std::string_view rule) {
  ExpectedTool tool;
  size_t open = rule.find('(');
  tool.name = rule.substr(0, open);
  if (tool.name.empty()) return fail(Exit::usage, "a call needs a tool name: Bash(git push:*)");
  if (open == std::string_view::npos) return tool;
  if (!rule.ends_with(')') || rule.size() < open + 3)
    return fail(Exit::usage,
                fmt::format("'{}' is not a call; write it as Bash(git push:*)", printable(rule)));
  std::string_view what = rule.substr(open + 1, rule.size() - open - 2);
  std::string pattern;
  bool is_command = is_one_of(tool.name, {"Bash", "BashOutput", "PowerShell", "Shell"});
  if (is_command) {
    pattern = command_pattern(what);
  } else if (what.starts_with("domain:")) {
    pattern = fmt::format(R"((?i)^(?:[a-z]+://)?(?:[^/]*\.)?{}(?:[:/]|$))",
                          wildcard_pattern(what.substr(7), false));
  } else {
    bool is_from_root = what.starts_with("//");
    if (what.starts_with("./")) what.remove_prefix(2);
    if (what.starts_with("~/")) what.remove_prefix(1);
    pattern = fmt::format(
        "{}{}$", is_from_root ? "^" : "(?:^|/)",
        wildcard_pattern(is_from_root || what.starts_with('/') ? what.substr(1) : what, true));
    if (is_from_root) pattern.insert(1, "/");
  }
  Result<Pattern> compiled = Pattern::compile(pattern);
  if (!compiled) return tl::unexpected(compiled.error());
  if (!is_command) {
    tool.target = *std::move(compiled);
    return tool;
  }
  ArgumentRequirement command{"command", {}};
  command.must.matches = *std::move(compiled);
  tool.arguments.push_back(std::move(command));
  return tool;
}

}  // namespace xtrace
