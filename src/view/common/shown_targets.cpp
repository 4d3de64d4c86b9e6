#include "view/common/shown_targets.h"

#include <fmt/format.h>

#include "facts/tool_targets.h"
#include "view/common/words.h"

namespace xtrace {

Text shown_target(Door& door, const Names& names, const ToolUse& use) {
  if (use.target || use.given_words == 0) return names.text(use.target);
  return door.composed(words_given(use.given_words));
}

Cell several_targets(const Trace& trace, const Names& names, const ToolUse& use, CellArena& arena) {
  const std::vector<StringId> targets = targets_of(trace, use);
  if (targets.size() < 2) return {};
  Texts shown;
  for (StringId target : targets) shown.push_back(names.text(target));
  return some(std::move(shown), arena);
}

std::string more_targets(const Trace& trace, const ToolUse& use) {
  const size_t targets = targets_of(trace, use).size();
  return targets < 2 ? std::string() : fmt::format(" and {} more", targets - 1);
}

std::string short_targets(const Trace& trace, const Names& names, const ToolUse& use) {
  if (!use.target) return use.given_words > 0 ? words_given(use.given_words) : std::string();
  return short_target(names.text(use.target).view()) + more_targets(trace, use);
}

}  // namespace xtrace
