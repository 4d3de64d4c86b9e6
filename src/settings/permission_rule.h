#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "settings/suite.h"

namespace xtrace {

/// A rule as Claude Code's permissions spell it: `Bash(git push:*)` is any command that begins so,
/// `Bash(npm test)` that very one, `Read(./secrets/**)` a path, `WebFetch(domain:example.com)` a
/// host, `Write` any use. A command of several (`a && b`) fits where one of them does, as a rule
/// that forbids is meant to.
Result<ExpectedTool> read_permission_rule(std::string_view rule);

/// Before and behind one command among several, which `;`, `|`, `&&` and the like part, in RE2's
/// words; before them `(?s)`.
inline constexpr std::string_view kCommandBegins = R"((?:^|[;|&\n(`{])\s*)";
inline constexpr std::string_view kCommandEnds = R"((?:\s|$|[;|&)`}]))";
/// As RE2 reads it: what means something in a pattern by its backslash.
std::string quote_pattern(std::string_view text);
/// A command that begins with these words; options among them (`--force`) may come later.
std::string command_begins(std::string_view words);
/// Where `*` is anything; in paths `**`, and `*` is anything but a `/`.
std::string wildcard_pattern(std::string_view text, bool is_path);

}  // namespace xtrace
