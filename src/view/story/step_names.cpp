#include "view/story/step_names.h"

#include "facts/row_or_empty.h"

namespace xtrace {

std::vector<std::string_view> names_in_record(const Graph& graph, const StoryNode& node) {
  const Trace& trace = graph.trace();
  std::vector<std::string_view> names;
  if (node.hop && graph.hops()[node.hop].span)
    names.push_back(trace[trace[graph.hops()[node.hop].span].operation]);
  const TaskStep& step = row_or_empty(trace, node.task_step);
  for (uint32_t i = step.first_remark; i < step.first_remark + step.remarks; ++i)
    if (trace.remarks[i].kind == Remark::Kind::name) names.push_back(trace[trace.remarks[i].text]);
  return names;
}

}  // namespace xtrace
