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

}  // namespace xtrace
