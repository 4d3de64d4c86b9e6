#include "view/story/step_names.h"

namespace xtrace {

std::vector<std::string_view> names_in_record(const Graph& graph, const StoryNode& node) {
  const Trace& trace = graph.trace();
  std::vector<std::string_view> names;
  if (const StringId operation = span_of(graph, node).operation) names.push_back(trace[operation]);
  const TaskStep& step = task_step_of(graph, node);
  for (uint32_t i = step.first_remark; i < step.first_remark + step.remarks; ++i)
    if (trace.remarks[i].kind == Remark::Kind::name) names.push_back(trace[trace.remarks[i].text]);
  return names;
}

}  // namespace xtrace
