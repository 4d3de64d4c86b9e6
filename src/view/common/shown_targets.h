#pragma once

#include <string>

#include "facts/message.h"
#include "view/common/field.h"
#include "view/common/names.h"

namespace xtrace {

/// What tables have beside `target`.
inline constexpr Column kTargetsColumn = {
    "targets", "all files and URLs named in the arguments, if there are several", Role::targets};

/// Do the arguments of a tool use name something to show?
inline bool has_target(const ToolUse& use) {
  return use.target || use.given_words > 0;
}

/// What a tool use works on, of several the first; `[text:12]` for words that were given in place
/// of a path or address, with their length in characters; empty: its arguments name nothing.
Text shown_target(Door& door, const Names& names, const ToolUse& use);

/// All of them, where there are several.
Cell several_targets(const Trace& trace, const Names& names, const ToolUse& use, CellArena& arena);

/// ` and 2 more`, where there are several.
std::string more_targets(const Trace& trace, const ToolUse& use);

/// `…/garden/beans.md and 2 more`; empty: its arguments name none.
std::string short_targets(const Trace& trace, const Names& names, const ToolUse& use);

}  // namespace xtrace
