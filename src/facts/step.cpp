#include "facts/step.h"

#include <algorithm>

namespace xtrace {

std::string_view arguments_of(const std::vector<ToolArguments>& given, std::string_view tool_use,
                              size_t nth) {
  if (nth < given.size() && (tool_use.empty() || given[nth].tool_use == tool_use))
    return given[nth].json;
  if (tool_use.empty()) return "";
  auto found = std::find_if(given.begin(), given.end(),
                            [&](const ToolArguments& one) { return one.tool_use == tool_use; });
  return found == given.end() ? std::string_view() : found->json;
}

}  // namespace xtrace
