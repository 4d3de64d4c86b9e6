#pragma once

#include <string_view>
#include <vector>

#include "view/diff/diff.h"

namespace xtrace {

/// How often each run used a tool.
struct ToolCount {
  std::string_view name;
  int64_t before = 0, now = 0;
};
/// The tool uses of a step that count: those of a call that no other step repeats.
std::vector<const ToolUse*> counted_uses(const Graph& graph, const StoryNode& step);
/// All tools of both runs, the largest change first.
std::vector<ToolCount> count_tools(const DiffScene& scene);
/// `Bash 4 → 19, Edit 13 → 4`: those of which the number changed; empty: there are none.
std::string tool_count_words(const DiffScene& scene);
Table tool_count_table(const DiffScene& scene);
Table tool_count_columns();

}  // namespace xtrace
